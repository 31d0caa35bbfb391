/**
 * Decides if this device was revoked by its own account: only a certificate signed by the account's own root
 * key proves it, regardless of the sender.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { verifyDeviceRevocation, verifyOperatorRevocation } from '../../core/puffo/certificates.ts';
import type { Identity } from '../../core/puffo/identity.ts';
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

const revokedError = (slug: string): AppError =>
  fail('unauthenticated', 'server.deviceRevoked', { slug }, { help: 'server.enrolNewDevice' });

export interface RevocationMemoryDeps {
  readonly identity: Identity;
  /** base64url. */
  readonly rootPublicKey: string;
  readonly store: Pick<AccountStore, 'getValue' | 'setValue'>;
  readonly crypto: CryptoEngine;
}

const revokedKey = 'revoked_device';

/** Remembers that this device was revoked, because the server reports it only once. */
export class RevocationMemory {
  readonly #deps: RevocationMemoryDeps;
  #revoked: AppError | null = null;

  constructor(deps: RevocationMemoryDeps) {
    this.#deps = deps;
  }

  /** Takes a certificate that the server announced; the account may be another one. */
  announced(entry: unknown): void {
    const { identity, rootPublicKey, store, crypto } = this.#deps;
    const operatorRootPublicKey = identity.identityCert?.declared_operator_public_key ?? null;
    const own = { deviceId: identity.deviceId, rootPublicKey, operatorRootPublicKey };
    if (!revokesDevice(crypto, own, entry)) return;
    this.#revoked = revokedError(identity.slug);
    despiteStore(() => store.setValue(revokedKey, identity.deviceId), undefined);
  }

  /** The revocation, if it explains the refusal; otherwise the refusal itself. */
  explain(refusal: AppError): AppError {
    const { identity, store } = this.#deps;
    if (this.#revoked === null && refusal.code === 'unauthenticated') {
      const known = despiteStore(() => store.getValue(revokedKey), null);
      if (known === identity.deviceId) this.#revoked = revokedError(identity.slug);
    }
    return this.#revoked ?? refusal;
  }
}
