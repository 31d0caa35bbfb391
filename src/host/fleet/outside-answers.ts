import { dmSlug } from '../../contract/room-id.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AccountStore, OpenTurn, OpenWork } from '../../core/puffo/account-store.ts';
import { derivedEnvelopeId } from './derived-id.ts';

// A message that an outside program sends to the thread of an open message is its answer (spec §3.6). Its id
// is derived from the answered message, so that the turn finds it even after a crash.

export interface OutsideAnswers {
  /** Id for the next message there, or `null` if no open message waits there. */
  nextId(roomId: string, rootId: string | null): string | null;
  /** Id of the last answer to a message of this turn. */
  to(turn: OpenTurn): string | null;
}

export function createOutsideAnswers(
  store: Pick<AccountStore, 'openWork' | 'message'>,
  crypto: Pick<CryptoEngine, 'sha256'>,
  slug: string,
): OutsideAnswers {
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

/** The open message of the same thread; in direct messages, else the latest one. */
function openIn(work: readonly OpenWork[], roomId: string, rootId: string | null): OpenWork | null {
  const here = work.filter(({ message }) => message.roomId === roomId);
  const inThread = here.findLast((one) => one.rootId === rootId);
  return inThread ?? (dmSlug(roomId) === null ? null : (here.at(-1) ?? null));
}
