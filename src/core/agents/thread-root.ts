/** Finds the real root of a thread: a reply to a reply belongs to the same thread (spec §3.1). */
import type { StoredMessage } from '../puffo/stored-message.ts';

const maxSteps = 4;

type Linked = Pick<StoredMessage, 'envelopeId' | 'threadRootId'> & { readonly roomId: string };

/**
 * Follows at most four parents inside one room, and stops at unknown or repeated ones. A parent in another
 * room is ignored, because a forged one could pull a reply out of its room.
 */
export function threadRootOf(message: Linked, lookup: (envelopeId: string) => Linked | null): string {
  const seen = new Set<string>();
  let root = message.envelopeId;
  let next = message.threadRootId;
  for (let step = 0; step < maxSteps && next !== null && !seen.has(next); step += 1) {
    seen.add(root);
    const parent = lookup(next);
    if (parent && parent.roomId !== message.roomId) return root;
    root = next;
    next = parent?.threadRootId ?? null;
  }
  return root;
}
