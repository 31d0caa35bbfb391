import type { ChatMessage, Draft, RoomView } from '../../contract/model.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { Topic } from '../feed.ts';

/** Messages a room's topic holds; older ones are paged through `chat.history`. */
export const roomWindow = 50;
const roomWindowMax = 150;

const isBefore = (a: ChatMessage, b: ChatMessage): boolean =>
  a.sentAt < b.sentAt || (a.sentAt === b.sentAt && a.id < b.id);

/** Puts a message where it belongs in time, or replaces the same one. */
export function upsertMessage(topic: Topic<RoomView>, message: ChatMessage): void {
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

/** A room that ran long starts its window again at the newest messages. */
function trim(messages: readonly ChatMessage[], added: ChatMessage): PatchOp[] {
  if (messages.length < roomWindowMax) return [];
  return [
    { op: 'set', path: ['messages'], value: [...messages.slice(1 - roomWindow), added] },
    { op: 'set', path: ['hasMore'], value: true },
  ];
}

export function startDraft(topic: Topic<RoomView>, draft: Draft): void {
  topic.patch([{ op: 'set', path: ['drafts', draft.turnId], value: draft }]);
}

export function growDraft(topic: Topic<RoomView>, turnId: string, text: string): void {
  topic.append(['drafts', turnId, 'text'], text);
}

/** The one step that began or changed. */
export function stepDraft(
  topic: Topic<RoomView>,
  turnId: string,
  { at, step }: { readonly at: number; readonly step: ToolStep },
): void {
  topic.patch([{ op: 'set', path: ['drafts', turnId, 'steps', at], value: step }]);
}

export function endDraft(topic: Topic<RoomView>, turnId: string): void {
  if (Object.hasOwn(topic.state().drafts, turnId)) topic.patch([{ op: 'delete', path: ['drafts', turnId] }]);
}
