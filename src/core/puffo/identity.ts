/** An identity and its keys (spec §1.2, §1.8): root signs devices, the device signs subkeys, the subkey signs the rest. */
import type { DeviceCert, IdentityCert, SlugBinding, SubkeyCert } from './wire.ts';

/** Raw 32-byte secrets. Never logged, never sent to a client of the host. */
export interface IdentitySecrets {
  readonly root: Uint8Array;
  readonly deviceSigning: Uint8Array;
  readonly kem: Uint8Array;
}

export interface Identity {
  readonly slug: string;
  readonly deviceId: string;
  readonly serverUrl: string;
  readonly secrets: IdentitySecrets;
  readonly identityCert: IdentityCert | null;
  readonly slugBinding: SlugBinding | null;
  readonly deviceCert: DeviceCert | null;
}

/** A short-lived signing subkey (47 h); `expiresAt` in ms since the epoch. */
export interface Session {
  readonly subkeyId: string;
  readonly secret: Uint8Array;
  readonly expiresAt: number;
  readonly cert: SubkeyCert | null;
}
