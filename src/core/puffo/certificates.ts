/**
 * Certificates of an identity (spec §1.4): the root signs devices, slug and revocations, a device signs its
 * subkeys, an operator's root attests agents. Verification checks shape, ids derived from keys, and the
 * strict signature; the registry checks whether the certificates of one identity match.
 */
import type { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { assert } from '../lib/assert.ts';
import { fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../ports.ts';
import type { JsonRecord } from './canonical-json.ts';
import { deviceIdOf, subkeyIdOf } from './ids.ts';
import { refuseWire } from './refusal.ts';
import { signObject, verifyObject } from './signatures.ts';
import {
  type DeviceCert,
  type DeviceRevocation,
  deviceCertSchema,
  deviceRevocationSchema,
  type IdentityCert,
  identityCertSchema,
  type OperatorAttestation,
  type OperatorRevocation,
  operatorAttestationSchema,
  operatorRevocationSchema,
  type SlugBinding,
  type SubkeyCert,
  slugBindingSchema,
  subkeyCertSchema,
} from './wire.ts';

/** 47 h, below the server's strict limit of 48 h. */
export const subkeyLifetimeMs = 47 * 3_600_000;

/** Kennel's own certificates contain only ASCII and safe integers, so a failure to sign one is a bug. */
function signOwn(engine: CryptoEngine, object: JsonRecord, seed: Uint8Array): string {
  const signed = signObject(engine, object, seed);
  assert(signed.ok, 'a certificate of our own must have a canonical form');
  return signed.value;
}

export function createIdentityCert(
  engine: CryptoEngine,
  root: KeyPair,
  subject: { readonly type: 'human' | 'agent'; readonly operatorRootPublicKey: string | null },
): IdentityCert {
  const body = {
    type: 'identity_cert' as const,
    version: 1 as const,
    root_public_key: toBase64Url(root.public),
    identity_type: subject.type,
    declared_operator_public_key: subject.operatorRootPublicKey,
  };
  return { ...body, self_signature: signOwn(engine, body, root.secret) };
}

export function createSlugBinding(
  engine: CryptoEngine,
  root: KeyPair,
  slug: string,
  issuedAt: number,
): SlugBinding {
  const body = {
    type: 'slug_binding' as const,
    version: 1 as const,
    root_public_key: toBase64Url(root.public),
    slug,
    issued_at: issuedAt,
  };
  return { ...body, self_signature: signOwn(engine, body, root.secret) };
}

export interface DeviceKeys {
  readonly signingPublicKey: Uint8Array;
  readonly kemPublicKey: Uint8Array;
}

export function createDeviceCert(
  engine: CryptoEngine,
  root: KeyPair,
  keys: DeviceKeys,
  issuedAt: number,
  expiresAt: number | null = null,
): DeviceCert {
  const body = {
    type: 'device_cert' as const,
    version: 1 as const,
    device_id: deviceIdOf(engine, keys.signingPublicKey),
    root_public_key: toBase64Url(root.public),
    keys: {
      signing: { algorithm: 'ed25519' as const, public_key: toBase64Url(keys.signingPublicKey) },
      encryption: { algorithm: 'x25519' as const, public_key: toBase64Url(keys.kemPublicKey) },
    },
    issued_at: issuedAt,
    expires_at: expiresAt,
  };
  return { ...body, signature: signOwn(engine, body, root.secret) };
}

export interface SubkeyGrant {
  readonly deviceId: string;
  readonly subkeyPublicKey: Uint8Array;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Signed by the device's key, not the root. */
export function createSubkeyCert(
  engine: CryptoEngine,
  deviceSecret: Uint8Array,
  grant: SubkeyGrant,
): SubkeyCert {
  const body = {
    type: 'subkey_cert' as const,
    version: 1 as const,
    subkey_id: subkeyIdOf(engine, grant.subkeyPublicKey),
    device_id: grant.deviceId,
    subkey_public_key: toBase64Url(grant.subkeyPublicKey),
    issued_at: grant.issuedAt,
    expires_at: grant.expiresAt,
  };
  return { ...body, signature: signOwn(engine, body, deviceSecret) };
}

export function createAttestation(
  engine: CryptoEngine,
  operatorRoot: KeyPair,
  agentRootPublicKey: string,
  issuedAt: number,
): OperatorAttestation {
  const body = {
    type: 'operator_attestation' as const,
    version: 1 as const,
    operator_root_public_key: toBase64Url(operatorRoot.public),
    agent_root_public_key: agentRootPublicKey,
    issued_at: issuedAt,
    nonce: toBase64Url(engine.randomBytes(32)),
  };
  return { ...body, signature: signOwn(engine, body, operatorRoot.secret) };
}

export function createDeviceRevocation(
  engine: CryptoEngine,
  root: KeyPair,
  revoked: { readonly deviceId: string; readonly effectiveFrom: number; readonly issuedAt: number },
): DeviceRevocation {
  const body = {
    type: 'device_revocation' as const,
    version: 1 as const,
    device_id: revoked.deviceId,
    root_public_key: toBase64Url(root.public),
    effective_from: revoked.effectiveFrom,
    issued_at: revoked.issuedAt,
  };
  return { ...body, signature: signOwn(engine, body, root.secret) };
}

/** Retires an agent for good: its devices are invalid from `effectiveFrom` on (ms since the epoch). */
export function createOperatorRevocation(
  engine: CryptoEngine,
  operatorRoot: KeyPair,
  revoked: {
    readonly agentRootPublicKey: string;
    readonly effectiveFrom: number;
    readonly issuedAt: number;
  },
): OperatorRevocation {
  const body = {
    type: 'operator_revocation' as const,
    version: 1 as const,
    operator_root_public_key: toBase64Url(operatorRoot.public),
    agent_root_public_key: revoked.agentRootPublicKey,
    effective_from: revoked.effectiveFrom,
    issued_at: revoked.issuedAt,
  };
  return { ...body, signature: signOwn(engine, body, operatorRoot.secret) };
}

/** Verifies the raw object, so that schema defaults cannot become part of the signed data. */
function verified<S extends z.ZodType>(
  engine: CryptoEngine,
  schema: S,
  raw: unknown,
  signer: (cert: z.infer<S>) => string,
  member: 'signature' | 'self_signature',
): Result<z.infer<S>> {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) return refuseWire('malformed', say('server.invalidCertificate'));
  const object = raw as JsonRecord;
  const held = verifyObject(engine, object, object[member], signer(parsed.data));
  return held.ok ? ok(parsed.data) : held;
}

export const verifyIdentityCert = (engine: CryptoEngine, raw: unknown): Result<IdentityCert> =>
  verified(engine, identityCertSchema, raw, (cert) => cert.root_public_key, 'self_signature');

/** Checks against the root that it names; compare that root with the identity's. */
export const verifySlugBinding = (engine: CryptoEngine, raw: unknown): Result<SlugBinding> =>
  verified(engine, slugBindingSchema, raw, (cert) => cert.root_public_key, 'self_signature');

/** base64url of the X25519 key: the nested field first, then the legacy one; `null` if both are missing. */
export const kemKeyOf = (cert: DeviceCert): string | null =>
  cert.keys.encryption?.public_key ?? cert.kem_public_key ?? null;

const fixedScalar = new Uint8Array(32).fill(0x42);

/** Also recomputes the device id, and refuses encryption keys of low order. */
export function verifyDeviceCert(engine: CryptoEngine, raw: unknown): Result<DeviceCert> {
  const held = verified(engine, deviceCertSchema, raw, (cert) => cert.root_public_key, 'signature');
  if (!held.ok) return held;
  const signing = fromBase64Url(held.value.keys.signing.public_key);
  const kem = fromBase64Url(kemKeyOf(held.value) ?? '');
  if (signing?.length !== 32 || kem?.length !== 32) {
    return refuseWire('bad_key', say('server.deviceKeysMissing'));
  }
  if (held.value.device_id !== deviceIdOf(engine, signing)) {
    return refuseWire('device_id_mismatch', say('server.deviceIdMismatch'));
  }
  return engine.x25519(fixedScalar, kem) ? held : refuseWire('weak_kem_key', say('server.weakDeviceKey'));
}

/** `devicePublicKey`: base64url signing key of the device that the certificate names. */
export function verifySubkeyCert(
  engine: CryptoEngine,
  raw: unknown,
  devicePublicKey: string,
): Result<SubkeyCert> {
  const held = verified(engine, subkeyCertSchema, raw, () => devicePublicKey, 'signature');
  if (!held.ok) return held;
  const key = fromBase64Url(held.value.subkey_public_key);
  if (key?.length !== 32) return refuseWire('bad_key', say('server.invalidSubkey'));
  return held.value.subkey_id === subkeyIdOf(engine, key)
    ? held
    : refuseWire('subkey_id_mismatch', say('server.subkeyIdMismatch'));
}

export const verifyAttestation = (engine: CryptoEngine, raw: unknown): Result<OperatorAttestation> =>
  verified(engine, operatorAttestationSchema, raw, (cert) => cert.operator_root_public_key, 'signature');

export const verifyDeviceRevocation = (engine: CryptoEngine, raw: unknown): Result<DeviceRevocation> =>
  verified(engine, deviceRevocationSchema, raw, (cert) => cert.root_public_key, 'signature');

export const verifyOperatorRevocation = (engine: CryptoEngine, raw: unknown): Result<OperatorRevocation> =>
  verified(engine, operatorRevocationSchema, raw, (cert) => cert.operator_root_public_key, 'signature');
