/**
 * Verifies incoming certificates with core/puffo and ties them to the key they must belong to; failures
 * become HTTP refusals.
 */

import { messageOf } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { equalBytes, fromBase64Url } from '../core/lib/bytes.ts';
import type { CryptoEngine } from '../core/ports.ts';
import {
  kemKeyOf,
  verifyAttestation,
  verifyDeviceCert,
  verifyDeviceRevocation,
  verifyIdentityCert,
  verifyOperatorRevocation,
  verifySlugBinding,
  verifySubkeyCert,
} from '../core/puffo/certificates.ts';
import type {
  DeviceRevocation,
  IdentityCert,
  OperatorAttestation,
  OperatorRevocation,
  SlugBinding,
  SubkeyCert,
} from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import type { DeviceRow } from './store-port.ts';

/** Compares base64url keys by their bytes: padding is allowed on the wire. */
export function sameKey(a: string | null, b: string | null): boolean {
  const left = fromBase64Url(a ?? '');
  const right = fromBase64Url(b ?? '');
  return left !== null && right !== null && left.length === 32 && equalBytes(left, right);
}

/** Certificates have a few hundred bytes; unknown members must not inflate the frames that announce them. */
const maxCertBytes = 16 * 1024;

type CertKind = 'attestation' | 'device' | 'identity' | 'revocation' | 'slug' | 'subkey';

function read<T>(kind: CertKind, raw: unknown, verified: Result<T>): Result<T, Refusal> {
  const what = say(`relay.cert_${kind}`);
  if (Buffer.byteLength(JSON.stringify(raw) ?? '') > maxCertBytes)
    return refuseRequest('InvalidInput', say('relay.certTooLarge', { what }));
  if (verified.ok) return verified;
  return refuseRequest('InvalidInput', say('relay.certRefused', { what, why: messageOf(verified.error) }));
}

function ofRoot<T extends { readonly root_public_key: string }>(
  kind: CertKind,
  raw: unknown,
  verified: Result<T>,
  rootPublicKey: string,
): Result<T, Refusal> {
  const cert = read(kind, raw, verified);
  if (!cert.ok || sameKey(cert.value.root_public_key, rootPublicKey)) return cert;
  return refuseRequest('InvalidInput', say('relay.certOfOtherRoot', { what: say(`relay.cert_${kind}`) }));
}

export const readIdentityCert = (engine: CryptoEngine, raw: unknown): Result<IdentityCert, Refusal> =>
  read('identity', raw, verifyIdentityCert(engine, raw));

export const readSlugBinding = (
  engine: CryptoEngine,
  raw: unknown,
  rootPublicKey: string,
): Result<SlugBinding, Refusal> => ofRoot('slug', raw, verifySlugBinding(engine, raw), rootPublicKey);

export function readDeviceCert(
  engine: CryptoEngine,
  raw: unknown,
  rootPublicKey: string,
): Result<{ readonly device: Omit<DeviceRow, 'slug' | 'createdAt'> }, Refusal> {
  const cert = ofRoot('device', raw, verifyDeviceCert(engine, raw), rootPublicKey);
  if (!cert.ok) return cert;
  return ok({
    device: {
      deviceId: cert.value.device_id,
      signingPublicKey: cert.value.keys.signing.public_key,
      kemPublicKey: kemKeyOf(cert.value) ?? '',
      expiresAt: cert.value.expires_at ?? null,
      revokedFrom: null,
    },
  });
}

export function readSubkeyCert(
  engine: CryptoEngine,
  raw: unknown,
  device: DeviceRow,
): Result<SubkeyCert, Refusal> {
  const cert = read('subkey', raw, verifySubkeyCert(engine, raw, device.signingPublicKey));
  if (!cert.ok || cert.value.device_id === device.deviceId) return cert;
  return refuseRequest('InvalidInput', say('relay.subkeyForOtherDevice'));
}

export function readAttestation(
  engine: CryptoEngine,
  raw: unknown,
  operatorRootPublicKey: string,
): Result<OperatorAttestation, Refusal> {
  const cert = read('attestation', raw, verifyAttestation(engine, raw));
  if (!cert.ok || sameKey(cert.value.operator_root_public_key, operatorRootPublicKey)) return cert;
  return err({ status: 403, code: 'FORBIDDEN', message: say('relay.attestationOfOther') });
}

export const readDeviceRevocation = (
  engine: CryptoEngine,
  raw: unknown,
  rootPublicKey: string,
): Result<DeviceRevocation, Refusal> =>
  ofRoot('revocation', raw, verifyDeviceRevocation(engine, raw), rootPublicKey);

export function readOperatorRevocation(
  engine: CryptoEngine,
  raw: unknown,
  keys: { readonly operator: string; readonly agent: string },
): Result<OperatorRevocation, Refusal> {
  const cert = read('revocation', raw, verifyOperatorRevocation(engine, raw));
  if (!cert.ok) return cert;
  const { operator_root_public_key: operator, agent_root_public_key: agent } = cert.value;
  if (sameKey(operator, keys.operator) && sameKey(agent, keys.agent)) return cert;
  return refuseRequest('InvalidInput', say('relay.revocationOfOther'));
}
