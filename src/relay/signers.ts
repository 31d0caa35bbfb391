/** Which public key stands behind a signer id right now: expired keys and revoked devices stand for nobody. */
import { isActive } from './registry-routes.ts';
import type { PeopleRows } from './store-port.ts';

export interface Signer {
  readonly slug: string;
  readonly deviceId: string;
  readonly publicKey: string;
  /** When the key ends, ms; null = never. */
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
