/** Invite codes: shown once, used once, stored only as a hash. */

import { toBase64Url, utf8 } from '../core/lib/bytes.ts';
import type { CryptoEngine, Random } from '../core/ports.ts';
import type { PeopleRows } from './store-port.ts';

/** Without letters and digits that are easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789x';

/** 80 random bits as `inv-xxxx-xxxx-xxxx-xxxx`. */
export function newInviteCode(random: Random): string {
  const letters = Array.from(random.bytes(16), (byte) => alphabet[byte & 31]).join('');
  return `inv-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8, 12)}-${letters.slice(12)}`;
}

/** Ignores case and surrounding blanks, because people type codes. */
export function inviteHash(crypto: Pick<CryptoEngine, 'sha256'>, code: string): string {
  return secretHash(crypto, code.trim().toLowerCase());
}

export function secretHash(crypto: Pick<CryptoEngine, 'sha256'>, secret: string): string {
  return toBase64Url(crypto.sha256(utf8(secret)));
}

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
