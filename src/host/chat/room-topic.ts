import type { ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { FeedTopic } from '../feed/feed.ts';

/** Initial number of messages in a room's topic; `chat.history` pages through older ones. */
export const roomWindow = 50;
const roomWindowMax = 150;

const isBefore = (a: ChatMessage, b: ChatMessage): boolean =>
  a.sentAt < b.sentAt || (a.sentAt === b.sentAt && a.id < b.id);

export function upsertMessage(topic: FeedTopic<RoomView>, message: ChatMessage): void {
  const { messages } = topic.state();
  const at = messages.findIndex((each) => each.id === message.id);
  if (at >= 0) {
    if (JSON.stringify(messages[at]) !== JSON.stringify(message)) {
      topic.patch([{ op: 'set', path: ['messages', at], value: message }]);
    }
    return;
  }
  const last = messages.at(-1);
  if (!last || isBefore(last, message)) {
    topic.patch([
      { op: 'set', path: ['messages', messages.length], value: message },
      ...trim(messages, message),
    ]);
    return;
  }
  const next = messages.findIndex((each) => isBefore(message, each));
  topic.patch([{ op: 'set', path: ['messages'], value: messages.toSpliced(next, 0, message) }]);
}

/** A full window restarts at the newest messages. */
function trim(messages: readonly ChatMessage[], added: ChatMessage): PatchOp[] {
  if (messages.length < roomWindowMax) return [];
  return [
    { op: 'set', path: ['messages'], value: [...messages.slice(1 - roomWindow), added] },
    { op: 'set', path: ['hasMore'], value: true },
  ];
}

export function startDraft(topic: FeedTopic<RoomView>, draft: LiveDraft): void {
  topic.patch([{ op: 'set', path: ['drafts', draft.turnId], value: draft }]);
}

export function growDraft(topic: FeedTopic<RoomView>, turnId: string, text: string): void {
  topic.append(['drafts', turnId, 'text'], text);
}

/** Patches only the step that started or changed. */
export function stepDraft(
  topic: FeedTopic<RoomView>,
  turnId: string,
  { at, step }: { readonly at: number; readonly step: ToolStep },
): void {
  topic.patch([{ op: 'set', path: ['drafts', turnId, 'steps', at], value: step }]);
}

export function endDraft(topic: FeedTopic<RoomView>, turnId: string): void {
  if (Object.hasOwn(topic.state().drafts, turnId)) topic.patch([{ op: 'delete', path: ['drafts', turnId] }]);
}
