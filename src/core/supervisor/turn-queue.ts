/**
 * The messages that wait for an agent: one slot per thread, the most urgent slot first, no message twice (spec §6.3).
 * A slot is as urgent as its most urgent message; among equals the one that has waited longest comes first. Turns that
 * were begun in an earlier life come before all others. What waits for a conversation that is being worked on waits on.
 */
import { threadKeyOf } from '../agents/thread-key.ts';
import type { OpenTurn, OpenWork, Priority } from '../ports.ts';

export interface Batch {
  readonly roomId: string;
  readonly rootId: string;
  readonly threadKey: string;
  readonly priority: Priority;
  /** By (sentAt, envelopeId); those that join a running turn come behind. */
  readonly work: readonly OpenWork[];
  /** The turn that was begun with them before. */
  readonly turn: OpenTurn | null;
}

export interface TurnQueue {
  /** False: it already waits or is being worked on. */
  add(work: OpenWork): boolean;
  /** The messages of a turn that has begun; those that are being worked on stay where they are. */
  addTurn(turn: OpenTurn, work: readonly OpenWork[]): boolean;
  peek(): Pick<Batch, 'roomId' | 'rootId' | 'priority' | 'turn'> | null;
  /** The next batch; its messages count as in flight until `settle`. */
  take(): Batch | null;
  /** What waits of one conversation, oldest slot first; in flight until `settle`. */
  takeThread(threadKey: string): readonly OpenWork[];
  /** The batch of this conversation is over, with all that it has taken. */
  settle(threadKey: string, work: readonly OpenWork[]): void;
  /** A batch of it was taken and is not settled. */
  inWork(threadKey: string): boolean;
  /** Messages waiting. */
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

/** Never by root alone: a foreign message may claim any root, and rooms must not mix. */
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
