/**
 * The messages that wait for an agent: one slot per thread, the most urgent slot first, no message twice (spec §6.3).
 * A slot is as urgent as its most urgent message; among equals the one that has waited longest comes first.
 */
import type { OpenWork, Priority } from '../ports.ts';

export interface Batch {
  readonly roomId: string;
  readonly rootId: string;
  readonly priority: Priority;
  /** By (sentAt, envelopeId). */
  readonly work: readonly OpenWork[];
}

export interface TurnQueue {
  /** False: it already waits or is being worked on. */
  add(work: OpenWork): boolean;
  peek(): Pick<Batch, 'roomId' | 'rootId' | 'priority'> | null;
  /** The next batch; its messages count as in flight until `settle`. */
  take(): Batch | null;
  settle(batch: Batch): void;
  /** Messages waiting. */
  size(): number;
}

interface Slot {
  readonly roomId: string;
  readonly rootId: string;
  priority: Priority;
  order: number;
  readonly work: OpenWork[];
}

const byTime = (a: OpenWork, b: OpenWork): number =>
  a.message.sentAt - b.message.sentAt || (a.message.envelopeId < b.message.envelopeId ? -1 : 1);

/** Never by root alone: a foreign message may claim any root, and rooms must not mix. */
const keyOf = (roomId: string, rootId: string): string => `${roomId}\n${rootId}`;

export function createTurnQueue(): TurnQueue {
  const slots = new Map<string, Slot>();
  const held = new Set<string>();
  let counter = 0;

  const first = (): Slot | null => {
    let best: Slot | null = null;
    for (const slot of slots.values()) {
      if (!best || slot.priority < best.priority) best = slot;
      else if (slot.priority === best.priority && slot.order < best.order) best = slot;
    }
    return best;
  };

  return {
    add(work) {
      const id = work.message.envelopeId;
      if (held.has(id)) return false;
      held.add(id);
      counter += 1;
      const key = keyOf(work.message.roomId, work.rootId);
      const slot = slots.get(key);
      if (!slot) {
        slots.set(key, {
          roomId: work.message.roomId,
          rootId: work.rootId,
          priority: work.priority,
          order: counter,
          work: [work],
        });
        return true;
      }
      slot.work.push(work);
      if (work.priority < slot.priority) {
        slot.priority = work.priority;
        slot.order = counter;
      }
      return true;
    },
    peek: first,
    take() {
      const slot = first();
      if (!slot) return null;
      slots.delete(keyOf(slot.roomId, slot.rootId));
      return {
        roomId: slot.roomId,
        rootId: slot.rootId,
        priority: slot.priority,
        work: slot.work.toSorted(byTime),
      };
    },
    settle(batch) {
      for (const { message } of batch.work) held.delete(message.envelopeId);
    },
    size: () => [...slots.values()].reduce((sum, slot) => sum + slot.work.length, 0),
  };
}
