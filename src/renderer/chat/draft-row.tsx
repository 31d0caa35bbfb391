import { memo } from 'react';
import type { LiveDraft } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { GrowingMarkdown } from '../markdown/markdown.tsx';
import { Byline } from './message-row.tsx';
import { Steps } from './steps.tsx';

/** A reply while it streams in; the sealed message replaces it. */
export const DraftRow = memo(function DraftRow({ draft }: { draft: LiveDraft }) {
  const waits = draft.steps.some((step) => step.state === 'waiting');
  return (
    <article
      className="message is-draft"
      aria-label={t('chat.isWriting', { name: visibleLine(draft.name) })}
      aria-busy="true"
    >
      <div className="message-gutter">
        <SpeakerAvatar name={draft.name} slug={draft.slug} agent />
      </div>
      <div className="message-main">
        <Byline slug={draft.slug} name={draft.name} agent>
          <span className="writing">
            <StateDot state={waits ? 'needs_you' : 'working'} size={11} label="" />{' '}
            {waits ? t('chat.waiting') : t('chat.writing')}
          </span>
        </Byline>
        <Steps steps={draft.steps} />
        {draft.text !== '' && <GrowingMarkdown text={draft.text} />}
        {draft.text === '' && !waits && <p className="soft">{t('chat.thinking')}</p>}
      </div>
    </article>
  );
});
