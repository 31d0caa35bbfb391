/**
 * An identity and its keys (spec §1.2, §1.8): root signs devices, the device signs subkeys, the subkey signs
 * the rest.
 */
import { toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import { createDeviceCert, createIdentityCert, createSubkeyCert, subkeyLifetimeMs } from './certificates.ts';
import { deviceIdOf, subkeyIdOf } from './ids.ts';
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

/** A new identity before a server has assigned its slug. */
export interface NewIdentity {
  readonly secrets: IdentitySecrets;
  /** base64url. */
  readonly rootPublicKey: string;
  readonly deviceId: string;
  readonly identityCert: IdentityCert;
  readonly deviceCert: DeviceCert;
}

export interface NewSubject {
  readonly type: 'human' | 'agent';
  /** base64url for agents, `null` for humans. */
  readonly operatorRootPublicKey: string | null;
  /** ms since the epoch. */
  readonly now: number;
}

/**
 * Creates root, device and encryption keys, with the certificates that need no slug; the device never
 * expires.
 */
export function createIdentity(engine: CryptoEngine, subject: NewSubject): NewIdentity {
  const root = engine.ed25519KeyPair();
  const device = engine.ed25519KeyPair();
  const kem = engine.x25519KeyPair();
  const keys = { signingPublicKey: device.public, kemPublicKey: kem.public };
  return {
    secrets: { root: root.secret, deviceSigning: device.secret, kem: kem.secret },
    rootPublicKey: toBase64Url(root.public),
    deviceId: deviceIdOf(engine, device.public),
    identityCert: createIdentityCert(engine, root, subject),
    deviceCert: createDeviceCert(engine, root, keys, subject.now),
  };
}

/** A fresh subkey for 47 h, certified by the device; `now` in ms since the epoch. */
export function createSession(
  engine: CryptoEngine,
  secrets: Pick<IdentitySecrets, 'deviceSigning'>,
  deviceId: string,
  now: number,
): Session {
  const pair = engine.ed25519KeyPair();
  const expiresAt = now + subkeyLifetimeMs;
  const grant = { deviceId, subkeyPublicKey: pair.public, issuedAt: now, expiresAt };
  const cert = createSubkeyCert(engine, secrets.deviceSigning, grant);
  return { subkeyId: subkeyIdOf(engine, pair.public), secret: pair.secret, expiresAt, cert };
}
