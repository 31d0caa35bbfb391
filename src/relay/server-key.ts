/**
 * The relay's own signing key, created at first start and stored. It signs only the events that the relay
 * creates for an identity (the first channel of a space, an operator's accepted invite).
 */
import { assert } from '../core/lib/assert.ts';
import { fromBase64Url, toBase64Url } from '../core/lib/bytes.ts';
import type { CryptoEngine, Random } from '../core/ports.ts';
import { signEvent } from '../core/puffo/events.ts';
import type { SignedEvent } from '../core/puffo/wire.ts';
import type { RelayStore } from './store-port.ts';

export const serverSignerId = 'server';
const seedName = 'server_seed';

export interface ServerKey {
  readonly publicKey: string;
  /** `onBehalfOf` becomes `signer_slug`; device and subkey are `server`. */
  sign(kind: string, payload: Readonly<Record<string, unknown>>, onBehalfOf: string): SignedEvent;
}

export function loadServerKey(store: RelayStore, crypto: CryptoEngine, random: Random): ServerKey {
  const known = store.value(seedName);
  const seed = (known === null ? null : fromBase64Url(known)) ?? crypto.randomBytes(32);
  if (known === null) store.transaction(() => store.setValue(seedName, toBase64Url(seed)));
  const pair = crypto.ed25519KeyPair(seed);
  const session = {
    subkeyId: serverSignerId,
    secret: pair.secret,
    expiresAt: Number.MAX_SAFE_INTEGER,
    cert: null,
  };
  return {
    publicKey: toBase64Url(pair.public),
    sign: (kind, payload, onBehalfOf) => {
      const signer = { slug: onBehalfOf, deviceId: serverSignerId, session };
      const signed = signEvent(crypto, { kind, payload }, signer, random);
      assert(signed.ok, 'an event of the relay must have a canonical form');
      return signed.value;
    },
  };
}
