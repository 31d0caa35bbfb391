import type { CryptoEngine } from '../../core/ports.ts';

/** The fingerprint of an account, to be compared by people; its code is loaded on demand to keep startup fast. */
export async function spokenRootFingerprint(
  { crypto }: { readonly crypto: CryptoEngine },
  rootSecret: Uint8Array,
): Promise<string> {
  const { spokenFingerprint } = await import('../../core/puffo/enrolment.ts');
  return spokenFingerprint(crypto, crypto.ed25519KeyPair(rootSecret).public);
}
