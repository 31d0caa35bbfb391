import { dmSlug } from '../../contract/room-id.ts';
import type { AccountStore, CryptoEngine, OpenTurn, OpenWork } from '../../core/ports.ts';
import { derivedEnvelopeId } from './derived-id.ts';

// What a program outside says in the thread of an open message is its answer (spec §3.6). The id of such a message
// follows from the message it answers, so that the turn finds it, after a crash too.

export interface OutsideAnswers {
  /** The id of what is now said there; null: no message is open there. */
  nextId(roomId: string, rootId: string | null): string | null;
  /** The last one that answers a message of this turn. */
  to(turn: OpenTurn): string | null;
}

export function createOutsideAnswers(
  store: Pick<AccountStore, 'openWork' | 'message'>,
  crypto: Pick<CryptoEngine, 'sha256'>,
  slug: string,
): OutsideAnswers {
  /** Of the messages that answer this one: how many there are, and the id of each. */
  const idOf = (answered: string, n: number): string =>
    derivedEnvelopeId(crypto, slug, 'outside', answered, `${n}`);
  const countOf = (answered: string): number => {
    let count = 0;
    while (store.message(idOf(answered, count))) count += 1;
    return count;
  };
  return {
    nextId(roomId, rootId) {
      const open = openIn(store.openWork(), roomId, rootId);
      return open && idOf(open.message.envelopeId, countOf(open.message.envelopeId));
    },
    to({ envelopeIds }) {
      for (const answered of [...envelopeIds].reverse()) {
        const count = countOf(answered);
        if (count > 0) return idOf(answered, count - 1);
      }
      return null;
    },
  };
}

/** In direct messages anything said is an answer; in the thread itself to that one first. */
function openIn(work: readonly OpenWork[], roomId: string, rootId: string | null): OpenWork | null {
  const here = work.filter(({ message }) => message.roomId === roomId);
  const inThread = here.findLast((one) => one.rootId === rootId);
  return inThread ?? (dmSlug(roomId) === null ? null : (here.at(-1) ?? null));
}
