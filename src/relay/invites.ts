/** Invite codes for new people: shown once, used once, stored only as a hash. */

import type { CryptoEngine, Random } from '../core/ports.ts';
import { inviteHash, newInviteCode } from '../core/puffo/invite-codes.ts';
import type { PeopleRows } from './store-port.ts';

export interface InviteOptions {
  /** ms; if absent, the code never expires. */
  readonly validForMs?: number;
}

export function mintInviteCode(
  people: PeopleRows,
  crypto: Pick<CryptoEngine, 'sha256'>,
  random: Random,
  now: number,
  options: InviteOptions = {},
): string {
  const code = newInviteCode(random);
  people.addInvite(
    inviteHash(crypto, code),
    now,
    options.validForMs === undefined ? null : now + options.validForMs,
  );
  return code;
}
