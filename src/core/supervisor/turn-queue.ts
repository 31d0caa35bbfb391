/**
 * Waiting messages of an agent: one entry per thread, the most urgent first, no message twice (spec §6.3). An
 * entry is as urgent as its most urgent message; equals are served in order of arrival. Turns of an earlier
 * host run come first. Messages of a conversation in work keep waiting.
 */
import { threadKeyOf } from '../agents/thread-key.ts';
import type { OpenTurn, OpenWork, Priority } from '../puffo/account-store.ts';

export interface Batch {
  readonly roomId: string;
  readonly rootId: string;
  readonly threadKey: string;
  readonly priority: Priority;
  /** Ordered by (sentAt, envelopeId); messages that join a running turn come last. */
  readonly work: readonly OpenWork[];
  /** Turn that an earlier host run started with them. */
  readonly turn: OpenTurn | null;
}

export interface TurnQueue {
  /** False if it already waits or is in work. */
  add(work: OpenWork): boolean;
  /** Queues the messages of a turn that has started; those already in work are skipped. */
  addTurn(turn: OpenTurn, work: readonly OpenWork[]): boolean;
  peek(): Pick<Batch, 'roomId' | 'rootId' | 'priority' | 'turn'> | null;
  /** Returns the next batch; its messages are in flight until `settle`. */
  take(): Batch | null;
  /** Takes the waiting messages of one conversation, oldest entry first; in flight until `settle`. */
  takeThread(threadKey: string): readonly OpenWork[];
  /** Ends the batch of this conversation, with all messages that it took. */
  settle(threadKey: string, work: readonly OpenWork[]): void;
  /** Whether a batch of it was taken and not settled. */
  inWork(threadKey: string): boolean;
  size(): number;
}

interface Slot {
  readonly roomId: string;
  readonly rootId: string;
  readonly turn: OpenTurn | null;
  priority: Priority;
  order: number;
  readonly work: OpenWork[];
}

const byTime = (a: OpenWork, b: OpenWork): number =>
  a.message.sentAt - b.message.sentAt || (a.message.envelopeId < b.message.envelopeId ? -1 : 1);

/** Includes the room: a foreign message may claim any root, and rooms must not mix. */
const keyOf = (roomId: string, rootId: string): string => `${roomId}\n${rootId}`;

const keyFor = ({ roomId, rootId }: Slot): string => threadKeyOf(roomId, rootId);

const before = (a: Slot, b: Slot): boolean => {
  if ((a.turn === null) !== (b.turn === null)) return a.turn !== null;
  return a.priority === b.priority ? a.order < b.order : a.priority < b.priority;
};

export function createTurnQueue(): TurnQueue {
  const slots = new Map<string, Slot>();
  const held = new Set<string>();
  const threads = new Set<string>();
  let counter = 0;

  const first = (): Slot | null => {
    let best: Slot | null = null;
    for (const slot of slots.values()) {
      if (!threads.has(keyFor(slot)) && (!best || before(slot, best))) best = slot;
    }
    return best;
  };
  const hold = (id: string): boolean => {
    if (held.has(id)) return false;
    held.add(id);
    counter += 1;
    return true;
  };

  return {
    add(work) {
      const { roomId, envelopeId } = work.message;
      if (!hold(envelopeId)) return false;
      const { rootId, priority } = work;
      const key = keyOf(roomId, rootId);
      const slot = slots.get(key);
      if (!slot) {
        slots.set(key, { roomId, rootId, priority, turn: null, order: counter, work: [work] });
        return true;
      }
      slot.work.push(work);
      if (priority < slot.priority) {
        slot.priority = priority;
        slot.order = counter;
      }
      return true;
    },
    addTurn(turn, work) {
      const free = work.filter(({ message }) => hold(message.envelopeId));
      if (free.length === 0) return false;
      const { roomId, rootId } = turn;
      const priority = free.reduce(
        (least: Priority, one) => (one.priority < least ? one.priority : least),
        5,
      );
      slots.set(`${turn.turnId}\n`, { roomId, rootId, turn, priority, order: counter, work: free });
      return true;
    },
    peek: first,
    take() {
      const slot = first();
      if (!slot) return null;
      const { roomId, rootId, turn, priority } = slot;
      const threadKey = keyFor(slot);
      slots.delete(turn ? `${turn.turnId}\n` : keyOf(roomId, rootId));
      const work = slot.work.toSorted(byTime);
      threads.add(threadKey);
      return { roomId, rootId, threadKey, priority, work, turn };
    },
    takeThread(threadKey) {
      const found = [...slots].filter(([, slot]) => !slot.turn && keyFor(slot) === threadKey);
      for (const [key] of found) slots.delete(key);
      return found.flatMap(([, slot]) => slot.work).sort(byTime);
    },
    settle(threadKey, work) {
      threads.delete(threadKey);
      for (const { message } of work) held.delete(message.envelopeId);
    },
    inWork: (threadKey) => threads.has(threadKey),
    size: () => [...slots.values()].reduce((sum, slot) => sum + slot.work.length, 0),
  };
}
