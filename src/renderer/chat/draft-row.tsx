import { memo } from 'react';
import type { Draft } from '../../contract/model.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { StateDot } from '../mark/dot.tsx';
import { GrowingMarkdown } from '../markdown/markdown.tsx';
import { visibleLine } from '../words/visible-text.ts';
import { Byline } from './message-row.tsx';

/** A reply while it is being written; the sealed message takes its place. */
export const DraftRow = memo(function DraftRow({ draft }: { draft: Draft }) {
  return (
    <article
      className="message is-draft"
      aria-label={`${visibleLine(draft.name)} is writing`}
      aria-busy="true"
    >
      <div className="message-gutter">
        <SpeakerAvatar name={draft.name} slug={draft.slug} agent />
      </div>
      <div className="message-main">
        <Byline slug={draft.slug} name={draft.name} agent>
          <span className="writing">
            <StateDot state="working" size={11} label="" /> writing
          </span>
        </Byline>
        {draft.text === '' ? <p className="soft">Thinking…</p> : <GrowingMarkdown text={draft.text} />}
      </div>
    </article>
  );
});
