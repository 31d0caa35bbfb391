/** Invite codes and the secrets of invite links: random letters, of which a relay stores only a hash. */
import { linkSecretMark } from '../../contract/invite-link.ts';
import { toBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';

/** Without letters and digits that are easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789x';

const randomLetters = (random: Random, count: number): string =>
  Array.from(random.bytes(count), (byte) => alphabet[byte & 31]).join('');

/** 80 random bits as `inv-xxxx-xxxx-xxxx-xxxx`. */
export function newInviteCode(random: Random): string {
  const letters = randomLetters(random, 16);
  return `inv-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8, 12)}-${letters.slice(12)}`;
}

/** 160 random bits; no person types them. */
export const newLinkSecret = (random: Random): string => `${linkSecretMark}${randomLetters(random, 32)}`;

export function secretHash(crypto: Pick<CryptoEngine, 'sha256'>, secret: string): string {
  return toBase64Url(crypto.sha256(utf8(secret)));
}

/** Ignores case and surrounding blanks, because people type codes. */
export function inviteHash(crypto: Pick<CryptoEngine, 'sha256'>, code: string): string {
  return secretHash(crypto, code.trim().toLowerCase());
}
