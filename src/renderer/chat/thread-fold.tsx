import { Fragment } from 'react';
import type { ChatMessage, LiveDraft } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { openInspector } from '../state/screen.ts';
import { BrakeNote } from './brake-note.tsx';
import { DraftRow } from './draft-row.tsx';
import { MessageRow } from './message-row.tsx';
import { NewLine } from './new-line.tsx';
import { AskedHere } from './room-approvals.tsx';
import { useKeptInSight } from './scroll-targets.ts';
import type { Aside } from './threads.ts';

/** Newest replies shown in the timeline; the inspector shows all of them. */
const inPlace = 2;

interface FoldOf {
  readonly root: ChatMessage;
  readonly replies: readonly ChatMessage[];
  readonly drafts: readonly LiveDraft[];
  readonly aside: Aside;
}

export function ThreadFold({ root, replies, drafts, aside }: FoldOf) {
  const kept = useKeptInSight(replies.map((reply) => reply.id));
  const foldable = Math.max(0, replies.length - inPlace);
  const hidden = kept < 0 ? foldable : Math.min(foldable, kept);
  return (
    <div className="thread-fold">
      {hidden > 0 && (
        <button
          type="button"
          className="link fold-more"
          onClick={() => openInspector({ type: 'thread', rootId: root.id })}
        >
          <Icon name="thread" size={14} /> {t('chat.earlierReplies', { count: hidden })}
        </button>
      )}
      {replies.slice(hidden).map((reply) => (
        <Fragment key={reply.id}>
          <NewLine id={reply.id} />
          <MessageRow message={reply} follows={false} inThread={false} />
        </Fragment>
      ))}
      {drafts.map((draft) => (
        <DraftRow key={draft.turnId} draft={draft} />
      ))}
      <AsideRows aside={aside} />
    </div>
  );
}

export function AsideRows({ aside: { asked, brakes } }: { aside: Aside }) {
  return (
    <>
      {asked.length > 0 && <AskedHere shown={asked} />}
      <BrakeNote brakes={brakes} />
    </>
  );
}
