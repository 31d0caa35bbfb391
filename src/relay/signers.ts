/** Resolves a signer id to its current public key: expired keys and revoked devices have none. */
import { isActive } from './registry-routes.ts';
import type { PeopleRows } from './store-port.ts';

export interface Signer {
  readonly slug: string;
  readonly deviceId: string;
  readonly publicKey: string;
  /** Expiry of the key in ms, or `null` if never. */
  readonly expiresAt: number | null;
}

export function signerOf(people: PeopleRows, subkeyId: string, now: number): Signer | null {
  const subkey = people.subkey(subkeyId);
  if (!subkey || (subkey.expiresAt !== null && subkey.expiresAt <= now)) return null;
  const device = people.device(subkey.deviceId);
  if (!device || !isActive(device, now)) return null;
  return {
    slug: subkey.slug,
    deviceId: subkey.deviceId,
    publicKey: subkey.publicKey,
    expiresAt: subkey.expiresAt,
  };
}

export function deviceSignerOf(people: PeopleRows, deviceId: string, now: number): Signer | null {
  const device = people.device(deviceId);
  if (!device || !isActive(device, now)) return null;
  return { slug: device.slug, deviceId, publicKey: device.signingPublicKey, expiresAt: device.expiresAt };
}
