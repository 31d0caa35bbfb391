/**
 * Checks certificates from a client of the bridge; refusals use the texts that clients know (spec §4.2,
 * §4.3).
 */
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import {
  verifyAttestation,
  verifyDeviceCert,
  verifyIdentityCert,
  verifySlugBinding,
} from '../../core/puffo/certificates.ts';
import type { DeviceCert, IdentityCert, OperatorAttestation, SlugBinding } from '../../core/puffo/wire.ts';

/** `where` of a certificate error is its cause in one token. */
function reason(cert: string, member: string, { where, message }: AppError): string {
  if (where === 'bad_signature') return `${member} verification failed`;
  return where === 'malformed' ? `${cert} is malformed` : message;
}

function checked<T>(cert: string, member: string, verified: Result<T>): Result<T, string> {
  return verified.ok ? verified : err(`${cert}: ${reason(cert, member, verified.error)}`);
}

const sameRoot = (cert: string, root: string, identity: IdentityCert): Result<void, string> =>
  root === identity.root_public_key
    ? ok(undefined)
    : err(`${cert}: ${cert}.root_public_key does not match identity_cert`);

export const checkIdentity = (crypto: CryptoEngine, raw: unknown): Result<IdentityCert, string> =>
  checked('identity_cert', 'identity_cert self_signature', verifyIdentityCert(crypto, raw));

/** Also re-derives the device id from the device key. `now` is in ms since the epoch. */
export function checkDevice(
  crypto: CryptoEngine,
  raw: unknown,
  identity: IdentityCert,
  now: number,
): Result<DeviceCert, string> {
  const device = checked('device_cert', 'device_cert signature', verifyDeviceCert(crypto, raw));
  if (!device.ok) return device;
  const root = sameRoot('device_cert', device.value.root_public_key, identity);
  if (!root.ok) return root;
  const { expires_at: expires } = device.value;
  return expires != null && expires <= now ? err('device_cert: device_cert has expired') : device;
}

export function checkSlug(
  crypto: CryptoEngine,
  raw: unknown,
  identity: IdentityCert,
): Result<SlugBinding, string> {
  const binding = checked('slug_binding', 'slug_binding self_signature', verifySlugBinding(crypto, raw));
  if (!binding.ok) return binding;
  const root = sameRoot('slug_binding', binding.value.root_public_key, identity);
  return root.ok ? binding : root;
}

export function checkAttestation(
  crypto: CryptoEngine,
  raw: unknown,
  identity: IdentityCert,
): Result<OperatorAttestation, string> {
  const name = 'operator_attestation';
  const found = verifyAttestation(crypto, raw);
  // Clients know only this sentence, whatever the cause.
  if (!found.ok) return err(`${name}: attestation signature verification failed`);
  if (found.value.agent_root_public_key !== identity.root_public_key) {
    return err(`${name}: attestation.agent_root_public_key != agent identity_cert`);
  }
  return found.value.operator_root_public_key === identity.declared_operator_public_key
    ? found
    : err(`${name}: attestation.operator_root_public_key != paired user`);
}
