/**
 * Drafts that ended before their sealed message arrived. They are tracked per event, because the last text
 * and the end of a draft often come within one animation frame.
 */
import type { ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';

export interface RoomReplica extends RoomView {
  readonly ended?: Readonly<Record<string, LiveDraft>>;
}

const recent = 40;

const arrived = (draft: LiveDraft, messages: readonly ChatMessage[]): boolean =>
  messages
    .slice(-recent)
    .some((message) => message.senderSlug === draft.slug && message.sentAt >= draft.startedAt);

/** Returns the room after one event, including drafts that ended without a message yet. */
export function keepEnded(before: RoomReplica | null, after: RoomReplica): RoomReplica {
  const left = Object.values(before?.drafts ?? {}).filter(
    (draft) => draft.text !== '' && after.drafts[draft.turnId] === undefined,
  );
  const waiting = [...Object.values(after.ended ?? {}), ...left].filter(
    (draft) => !arrived(draft, after.messages),
  );
  if (waiting.length === 0 && after.ended === undefined) return after;
  const unchanged = left.length === 0 && waiting.length === Object.keys(after.ended ?? {}).length;
  if (unchanged) return after;
  return { ...after, ended: Object.fromEntries(waiting.map((draft) => [draft.turnId, draft])) };
}
