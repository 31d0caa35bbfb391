/**
 * Decides if this device was revoked by its own account: only a certificate signed by the account's own root
 * key proves it, regardless of the sender.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { verifyDeviceRevocation, verifyOperatorRevocation } from '../../core/puffo/certificates.ts';
import { certEntrySchema } from '../../core/puffo/wire.ts';

export interface OwnDevice {
  readonly deviceId: string;
  /** base64url. */
  readonly rootPublicKey: string;
  /** base64url, or `null` if the account is a person's. */
  readonly operatorRootPublicKey: string | null;
}

/** True if the certificate retires this agent, signed by its operator. */
function retires(crypto: CryptoEngine, own: OwnDevice, cert: unknown): boolean {
  const held = verifyOperatorRevocation(crypto, cert);
  if (!held.ok) return false;
  const { operator_root_public_key: operator, agent_root_public_key: agent } = held.value;
  return operator === own.operatorRootPublicKey && agent === own.rootPublicKey;
}

export function revokesDevice(crypto: CryptoEngine, own: OwnDevice, entry: unknown): boolean {
  const parsed = certEntrySchema.safeParse(entry);
  if (!parsed.success) return false;
  if (parsed.data.kind === 'operator_revocation') return retires(crypto, own, parsed.data.cert);
  if (parsed.data.kind !== 'device_revocation') return false;
  const held = verifyDeviceRevocation(crypto, parsed.data.cert);
  if (!held.ok) return false;
  return held.value.root_public_key === own.rootPublicKey && held.value.device_id === own.deviceId;
}

export const revokedError = (slug: string): AppError =>
  fail('unauthenticated', 'server.deviceRevoked', { slug }, { help: 'server.enrolNewDevice' });
