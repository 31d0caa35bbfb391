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

export const createTurnQueue = (): TurnQueue => new PriorityTurnQueue();

/** A class, because a host keeps one for each agent, and closures would take half a KiB each time. */
class PriorityTurnQueue implements TurnQueue {
  readonly #slots = new Map<string, Slot>();
  readonly #held = new Set<string>();
  readonly #threads = new Set<string>();
  #counter = 0;

  add(work: OpenWork): boolean {
    const { roomId, envelopeId } = work.message;
    if (!this.#hold(envelopeId)) return false;
    const { rootId, priority } = work;
    const key = keyOf(roomId, rootId);
    const slot = this.#slots.get(key);
    if (!slot) {
      this.#slots.set(key, { roomId, rootId, priority, turn: null, order: this.#counter, work: [work] });
      return true;
    }
    slot.work.push(work);
    if (priority < slot.priority) {
      slot.priority = priority;
      slot.order = this.#counter;
    }
    return true;
  }

  addTurn(turn: OpenTurn, work: readonly OpenWork[]): boolean {
    const free = work.filter(({ message }) => this.#hold(message.envelopeId));
    if (free.length === 0) return false;
    const { roomId, rootId } = turn;
    const priority = free.reduce((least: Priority, one) => (one.priority < least ? one.priority : least), 5);
    const order = this.#counter;
    this.#slots.set(`${turn.turnId}\n`, { roomId, rootId, turn, priority, order, work: free });
    return true;
  }

  peek(): Slot | null {
    let best: Slot | null = null;
    for (const slot of this.#slots.values()) {
      if (!this.#threads.has(keyFor(slot)) && (!best || before(slot, best))) best = slot;
    }
    return best;
  }

  take(): Batch | null {
    const slot = this.peek();
    if (!slot) return null;
    const { roomId, rootId, turn, priority } = slot;
    const threadKey = keyFor(slot);
    this.#slots.delete(turn ? `${turn.turnId}\n` : keyOf(roomId, rootId));
    const work = slot.work.toSorted(byTime);
    this.#threads.add(threadKey);
    return { roomId, rootId, threadKey, priority, work, turn };
  }

  takeThread(threadKey: string): readonly OpenWork[] {
    const found = [...this.#slots].filter(([, slot]) => !slot.turn && keyFor(slot) === threadKey);
    for (const [key] of found) this.#slots.delete(key);
    return found.flatMap(([, slot]) => slot.work).sort(byTime);
  }

  settle(threadKey: string, work: readonly OpenWork[]): void {
    this.#threads.delete(threadKey);
    for (const { message } of work) this.#held.delete(message.envelopeId);
  }

  inWork(threadKey: string): boolean {
    return this.#threads.has(threadKey);
  }

  size(): number {
    return [...this.#slots.values()].reduce((sum, slot) => sum + slot.work.length, 0);
  }

  #hold(id: string): boolean {
    if (this.#held.has(id)) return false;
    this.#held.add(id);
    this.#counter += 1;
    return true;
  }
}
