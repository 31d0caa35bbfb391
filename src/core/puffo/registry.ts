/**
 * Folds the certificates that a server lists for one slug into a verified identity (spec §1.4, §2.2). The
 * server is not trusted: every entry must be valid by itself and belong to the one root; a second or unpinned
 * root is an error (T7).
 */
import { isRecord } from '../../contract/is-record.ts';
import { type Err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { CryptoEngine } from '../ports.ts';
import {
  kemKeyOf,
  verifyAttestation,
  verifyDeviceCert,
  verifyDeviceRevocation,
  verifyIdentityCert,
  verifyOperatorRevocation,
  verifySlugBinding,
  verifySubkeyCert,
} from './certificates.ts';
import { type RefusalReason, refuseWire } from './refusal.ts';
import type { RegistryEntry } from './registry-store.ts';
import type { IdentityCert } from './wire.ts';

/** Keys are base64url, times ms since the epoch. */
export interface VerifiedDevice {
  readonly deviceId: string;
  readonly signingPublicKey: string;
  readonly kemPublicKey: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly revokedFrom: number | null;
}

export interface VerifiedSubkey {
  readonly subkeyId: string;
  readonly deviceId: string;
  readonly publicKey: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
}

/** An invalid entry; the rest of the identity stays valid. */
export interface RefusedEntry {
  readonly seq: number;
  readonly kind: string;
  readonly reason: string;
}

export interface VerifiedIdentity {
  readonly slug: string;
  readonly rootPublicKey: string;
  readonly identityType: 'human' | 'agent';
  /** Operator that the identity claims. */
  readonly declaredOperatorPublicKey: string | null;
  /** The declared operator, once that operator's root has attested the identity. */
  readonly attestedOperatorPublicKey: string | null;
  readonly devices: readonly VerifiedDevice[];
  readonly subkeys: readonly VerifiedSubkey[];
  readonly refused: readonly RefusedEntry[];
}

export interface FoldOptions {
  /** base64url of the known root, `null` on first sight. */
  readonly pinnedRoot: string | null;
}

/** Tolerated clock error of a device, in ms. */
const clockToleranceMs = 24 * 3_600_000;

class Fold {
  readonly #engine: CryptoEngine;
  readonly #entries: readonly RegistryEntry[];
  readonly refused: RefusedEntry[] = [];

  constructor(engine: CryptoEngine, slug: string, entries: readonly RegistryEntry[]) {
    this.#engine = engine;
    this.#entries = entries.filter((entry) => entry.slug === slug).sort((a, b) => a.seq - b.seq);
  }

  /** Valid certificates of one kind; the others are recorded in `refused`. */
  held<T>(kind: string, verify: (engine: CryptoEngine, cert: unknown) => Result<T>): T[] {
    const out: T[] = [];
    for (const entry of this.#entries) {
      if (entry.kind !== kind) continue;
      const result = verify(this.#engine, entry.cert);
      if (result.ok) out.push(result.value);
      else this.refused.push({ seq: entry.seq, kind, reason: result.error.where ?? result.error.code });
    }
    return out;
  }
}

function underRoot<T extends { readonly root_public_key: string }>(
  root: string,
  verify: (engine: CryptoEngine, cert: unknown) => Result<T>,
): (engine: CryptoEngine, cert: unknown) => Result<T> {
  return (engine, cert) => {
    const held = verify(engine, cert);
    if (!held.ok || held.value.root_public_key === root) return held;
    return refuseWire('root_mismatch', say('server.certificateRootMismatch'));
  };
}

function theIdentity(fold: Fold, slug: string, pinnedRoot: string | null): Result<IdentityCert> {
  const certs = fold.held('identity_cert', verifyIdentityCert);
  const first = certs[0];
  if (!first) return refuseWire('no_identity', say('server.noValidIdentity', { name: slug }));
  const root = pinnedRoot ?? first.root_public_key;
  if (certs.some((cert) => cert.root_public_key !== root)) {
    return refuseWire('root_changed', say('server.identityKeyChanged', { slug }));
  }
  return ok(first);
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** When the declared operator retired this agent, ms; `null` if it did not. */
function foldRetirement(fold: Fold, identity: IdentityCert): number | null {
  const held = fold.held('operator_revocation', (engine, cert) => {
    const revocation = verifyOperatorRevocation(engine, cert);
    if (!revocation.ok) return revocation;
    const { operator_root_public_key: operator, agent_root_public_key: agent } = revocation.value;
    return operator === identity.declared_operator_public_key && agent === identity.root_public_key
      ? revocation
      : refuseWire('root_mismatch', say('server.revocationMismatch'));
  });
  return held.length === 0 ? null : Math.min(...held.map(({ effective_from: from }) => from));
}

function foldDevices(fold: Fold, root: string, retiredFrom: number | null): VerifiedDevice[] {
  const revokedFrom = new Map<string, number>();
  for (const revocation of fold.held('device_revocation', underRoot(root, verifyDeviceRevocation))) {
    const { device_id: id, effective_from: from } = revocation;
    revokedFrom.set(id, Math.min(from, revokedFrom.get(id) ?? from));
  }
  const devices = new Map<string, VerifiedDevice>();
  for (const cert of fold.held('device_cert', underRoot(root, verifyDeviceCert))) {
    devices.set(cert.device_id, {
      deviceId: cert.device_id,
      signingPublicKey: cert.keys.signing.public_key,
      kemPublicKey: kemKeyOf(cert) ?? '',
      issuedAt: cert.issued_at,
      expiresAt: cert.expires_at ?? null,
      revokedFrom: earlier(revokedFrom.get(cert.device_id) ?? null, retiredFrom),
    });
  }
  return [...devices.values()];
}

function foldSubkeys(fold: Fold, devices: readonly VerifiedDevice[]): VerifiedSubkey[] {
  const byDevice = new Map(devices.map((device) => [device.deviceId, device]));
  const certs = fold.held('subkey_cert', (engine, raw) => {
    const device =
      isRecord(raw) && typeof raw.device_id === 'string' ? byDevice.get(raw.device_id) : undefined;
    if (device === undefined) return refuseWire('unknown_device', say('server.unknownSubkeyDevice'));
    const cert = verifySubkeyCert(engine, raw, device.signingPublicKey);
    return cert.ok && cert.value.issued_at < device.issuedAt - clockToleranceMs
      ? refuseWire('early_subkey', say('server.subkeyOlderThanDevice'))
      : cert;
  });
  return certs.map((cert) => ({
    subkeyId: cert.subkey_id,
    deviceId: cert.device_id,
    publicKey: cert.subkey_public_key,
    issuedAt: cert.issued_at,
    expiresAt: cert.expires_at ?? null,
  }));
}

function attestedBy(fold: Fold, identity: IdentityCert): string | null {
  const declared = identity.declared_operator_public_key;
  const attestations = fold.held('operator_attestation', verifyAttestation);
  const fits = attestations.some(
    (attestation) =>
      attestation.agent_root_public_key === identity.root_public_key &&
      attestation.operator_root_public_key === declared,
  );
  return fits ? declared : null;
}

/**
 * Ignores entries of other slugs and of unknown kinds; lists invalid entries in `refused`. Errors:
 * `root_changed`, `no_identity`, `no_slug_binding` (all `untrusted`).
 */
export function foldRegistry(
  engine: CryptoEngine,
  slug: string,
  entries: readonly RegistryEntry[],
  options: FoldOptions,
): Result<VerifiedIdentity> {
  const fold = new Fold(engine, slug, entries);
  const identity = theIdentity(fold, slug, options.pinnedRoot);
  if (!identity.ok) return identity;
  const root = identity.value.root_public_key;
  const bindings = fold.held('slug_binding', underRoot(root, verifySlugBinding));
  if (!bindings.some((binding) => binding.slug === slug)) {
    return refuseWire('no_slug_binding', say('server.nameNotConfirmed', { slug }));
  }
  const devices = foldDevices(fold, root, foldRetirement(fold, identity.value));
  return ok({
    slug,
    rootPublicKey: root,
    identityType: identity.value.identity_type,
    declaredOperatorPublicKey: identity.value.declared_operator_public_key,
    attestedOperatorPublicKey: attestedBy(fold, identity.value),
    devices,
    subkeys: foldSubkeys(fold, devices),
    refused: fold.refused,
  });
}

/**
 * Why a device is invalid at `at` (ms since the epoch); `null` if it is valid. It is invalid from the exact
 * instant of either bound.
 */
export function deviceFault(device: VerifiedDevice, at: number): RefusalReason | null {
  if (device.revokedFrom !== null && at >= device.revokedFrom) return 'revoked_device';
  if (device.expiresAt !== null && at >= device.expiresAt) return 'expired_device';
  return null;
}

export const activeDevices = (identity: VerifiedIdentity, at: number): readonly VerifiedDevice[] =>
  identity.devices.filter((device) => deviceFault(device, at) === null);

const faultTexts = {
  revoked_device: 'was signed on a device that had been revoked',
  expired_device: 'was signed on a device whose certificate had ended',
} as const;

/**
 * The subkey, if its chain is valid at `at`. The lower bound has a tolerance, so that a device whose clock
 * was set back is not locked out. Errors: `unknown_subkey`, `expired_subkey`, `early_subkey`,
 * `unknown_device`, `revoked_device`, `expired_device`.
 */
export function findSubkey(identity: VerifiedIdentity, subkeyId: string, at: number): Result<VerifiedSubkey> {
  const no = (reason: RefusalReason, what: string): Err =>
    refuseWire(reason, say('server.subkeyRefused', { slug: identity.slug, what }));
  const subkey = identity.subkeys.find((candidate) => candidate.subkeyId === subkeyId);
  if (!subkey) return no('unknown_subkey', 'was signed with a key that is not listed');
  const device = identity.devices.find((candidate) => candidate.deviceId === subkey.deviceId);
  if (!device) return no('unknown_device', 'was signed on a device that is not listed');
  const fault = deviceFault(device, at);
  if (fault === 'revoked_device' || fault === 'expired_device') return no(fault, faultTexts[fault]);
  if (subkey.expiresAt !== null && at >= subkey.expiresAt) {
    return no('expired_subkey', 'was signed with a key that had expired');
  }
  if (at < subkey.issuedAt - clockToleranceMs) {
    return no('early_subkey', 'says that it was signed before its key was made');
  }
  return ok(subkey);
}
