import { describe, expect, it } from 'vitest';
import { createPuppet, ghostDevice } from '../../../test/fakes/puppet.ts';
import type { Result } from '../../contract/result.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { toBase64Url } from '../lib/bytes.ts';
import {
  createAttestation,
  createDeviceCert,
  createDeviceRevocation,
  createIdentityCert,
  createOperatorRevocation,
} from './certificates.ts';
import { createSession } from './identity.ts';
import { activeDevices, findSubkey, foldRegistry, type VerifiedIdentity } from './registry.ts';
import type { RegistryEntry } from './registry-store.ts';
import { signObject } from './signatures.ts';

const engine = createNobleEngine();
const now = 1_778_790_000_000;
const slug = 'alice-0001';
const alice = createPuppet(engine, slug);
const root = engine.ed25519KeyPair(alice.identity.secrets.root);
const rootKey = toBase64Url(root.public);

const entry = (kind: string, cert: unknown, seq = 50): RegistryEntry => ({ seq, kind, slug, cert });
const fold = (entries: readonly RegistryEntry[], pinnedRoot: string | null = null) =>
  foldRegistry(engine, slug, entries, { pinnedRoot });

function folded(entries: readonly RegistryEntry[]): VerifiedIdentity {
  const result = fold(entries);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const revocation = (effectiveFrom: number) =>
  entry(
    'device_revocation',
    createDeviceRevocation(engine, root, { deviceId: alice.device.deviceId, effectiveFrom, issuedAt: now }),
  );

const without = (kind: string) => alice.entries.filter((each) => each.kind !== kind);
const reasonOf = (result: Result<unknown>) => (result.ok ? 'opened' : result.error.where);
const subkeyId = alice.session.subkeyId;

describe('foldRegistry', () => {
  it('returns the identity with its device and subkey, in any order of entries', () => {
    const identity = folded([...alice.entries].reverse());
    expect(identity).toMatchObject({ slug, rootPublicKey: rootKey, identityType: 'human', refused: [] });
    expect(identity.devices.map((device) => device.deviceId)).toEqual([alice.device.deviceId]);
    expect(identity.subkeys.map((subkey) => subkey.subkeyId)).toEqual([subkeyId]);
    expect(fold(alice.entries, rootKey).ok).toBe(true);
  });

  it('T7: ignores devices of an agent from the time its declared operator revoked it', () => {
    const operator = engine.ed25519KeyPair();
    const stranger = engine.ed25519KeyPair();
    const agent = createPuppet(engine, slug, { operatorRootPublicKey: toBase64Url(operator.public) });
    const agentRoot = toBase64Url(engine.ed25519KeyPair(agent.identity.secrets.root).public);
    const ended = (by: typeof operator, agentRootPublicKey: string, effectiveFrom: number) =>
      entry(
        'operator_revocation',
        createOperatorRevocation(engine, by, { agentRootPublicKey, effectiveFrom, issuedAt: now }),
      );
    const subkey = agent.session.subkeyId;
    const foreign = folded([
      ...agent.entries,
      ended(stranger, agentRoot, now),
      ended(operator, rootKey, now),
    ]);
    expect(foreign.refused.map(({ kind }) => kind)).toEqual(['operator_revocation', 'operator_revocation']);
    expect(findSubkey(foreign, subkey, now + 1).ok).toBe(true);
    const retired = folded([
      ended(operator, agentRoot, now + 1_000),
      ...agent.entries,
      ended(operator, agentRoot, now + 5_000),
    ]);
    expect(findSubkey(retired, subkey, now + 999).ok).toBe(true);
    expect(reasonOf(findSubkey(retired, subkey, now + 1_000))).toBe('revoked_device');
    expect(activeDevices(retired, now + 1_000)).toEqual([]);
  });

  it('refuses a root other than the pinned one, and two roots (T7)', () => {
    const other = createPuppet(engine, slug, { firstSeq: 60 });
    expect(fold(other.entries, rootKey)).toMatchObject({
      ok: false,
      error: { code: 'untrusted', where: 'root_changed' },
    });
    expect(reasonOf(fold([...alice.entries, ...other.entries]))).toBe('root_changed');
    expect(reasonOf(fold([...alice.entries, ...other.entries], rootKey))).toBe('root_changed');
  });

  it('refuses ghost devices, foreign revocations and forged subkeys, and keeps the rest (T7)', () => {
    const stranger = engine.ed25519KeyPair();
    const foreign = createDeviceRevocation(engine, stranger, {
      deviceId: alice.device.deviceId,
      effectiveFrom: 0,
      issuedAt: 0,
    });
    const forged = createSession(engine, { deviceSigning: stranger.secret }, alice.device.deviceId, now).cert;
    const identity = folded([
      ...alice.entries,
      ghostDevice(engine, slug, 51),
      entry('device_revocation', foreign, 52),
      entry('subkey_cert', forged, 53),
      entry('subkey_cert', { device_id: 'dev_nobody' }, 54),
      entry('device_cert', { type: 'device_cert' }, 55),
      entry('brand_new_kind', {}, 56),
    ]);
    expect(identity.refused).toEqual([
      { seq: 52, kind: 'device_revocation', reason: 'root_mismatch' },
      { seq: 51, kind: 'device_cert', reason: 'root_mismatch' },
      { seq: 55, kind: 'device_cert', reason: 'malformed' },
      { seq: 53, kind: 'subkey_cert', reason: 'bad_signature' },
      { seq: 54, kind: 'subkey_cert', reason: 'unknown_device' },
    ]);
    expect(activeDevices(identity, now)).toHaveLength(1);
    expect(identity.subkeys).toHaveLength(1);
  });

  it('requires an identity and a matching slug binding', () => {
    expect(reasonOf(fold(without('identity_cert')))).toBe('no_identity');
    expect(reasonOf(fold(without('slug_binding')))).toBe('no_slug_binding');
    const bob = createPuppet(engine, 'bob-0002');
    const stolen = alice.entries.map((each) =>
      each.kind === 'slug_binding' ? { ...each, cert: bob.entries[1]?.cert } : each,
    );
    expect(reasonOf(fold(stolen))).toBe('no_slug_binding');
    expect(reasonOf(foldRegistry(engine, 'bob-0002', alice.entries, { pinnedRoot: null }))).toBe(
      'no_identity',
    );
  });

  it('refuses a device id that does not match its key, and a low-order encryption key (T30)', () => {
    const { signature: _, ...body }: Record<string, unknown> = {
      ...(alice.entries[2]?.cert as Record<string, unknown>),
      device_id: `dev_${'A'.repeat(43)}`,
    };
    const signed = signObject(engine, body, root.secret);
    const renamed = { ...body, signature: signed.ok ? signed.value : '' };
    const keys = { signingPublicKey: engine.ed25519KeyPair().public, kemPublicKey: new Uint8Array(32) };
    const weak = createDeviceCert(engine, root, keys, now);
    const identity = folded([
      ...without('device_cert'),
      entry('device_cert', renamed, 60),
      entry('device_cert', weak, 61),
    ]);
    expect(identity.devices).toEqual([]);
    expect(identity.refused.slice(0, 2).map((each) => each.reason)).toEqual([
      'device_id_mismatch',
      'weak_kem_key',
    ]);
  });

  it('refuses a subkey id that does not match its key', () => {
    const { signature: _, ...body }: Record<string, unknown> = {
      ...alice.session.cert,
      subkey_id: 'sk_chosen',
    };
    const signed = signObject(engine, body, alice.identity.secrets.deviceSigning);
    const renamed = { ...body, signature: signed.ok ? signed.value : '' };
    const identity = folded([...without('subkey_cert'), entry('subkey_cert', renamed)]);
    expect([identity.subkeys, identity.refused[0]?.reason]).toEqual([[], 'subkey_id_mismatch']);
  });

  it('reads the encryption key of legacy device certificates', () => {
    const kem = toBase64Url(engine.x25519KeyPair().public);
    const device = engine.ed25519KeyPair();
    const { signature: _, ...modern } = createDeviceCert(
      engine,
      root,
      { signingPublicKey: device.public, kemPublicKey: new Uint8Array(32).fill(9) },
      now,
    );
    const body = { ...modern, keys: { signing: modern.keys.signing }, kem_public_key: kem };
    const signed = signObject(engine, body, root.secret);
    const cert = { ...body, signature: signed.ok ? signed.value : '' };
    expect(
      folded([...alice.entries, entry('device_cert', cert)]).devices.map((each) => each.kemPublicKey),
    ).toContain(kem);
  });

  it('accepts an operator only if its root key attested the agent', () => {
    const operator = engine.ed25519KeyPair();
    const operatorKey = toBase64Url(operator.public);
    const agent = createPuppet(engine, slug, { type: 'agent', operatorRootPublicKey: operatorKey });
    const agentRoot = toBase64Url(engine.ed25519KeyPair(agent.identity.secrets.root).public);
    const attested = (by: typeof operator, of: string) =>
      folded([...agent.entries, entry('operator_attestation', createAttestation(engine, by, of, now))]);
    expect(folded(agent.entries).attestedOperatorPublicKey).toBeNull();
    expect(attested(operator, agentRoot).attestedOperatorPublicKey).toBe(operatorKey);
    expect(attested(engine.ed25519KeyPair(), agentRoot).attestedOperatorPublicKey).toBeNull();
    expect(attested(operator, rootKey).attestedOperatorPublicKey).toBeNull();
  });

  it('refuses an identity certificate with an invalid signature', () => {
    const other = engine.ed25519KeyPair();
    const cert = createIdentityCert(engine, other, { type: 'human', operatorRootPublicKey: null });
    const forged = { ...cert, identity_type: 'agent' };
    expect(folded([...alice.entries, entry('identity_cert', forged)]).refused[0]?.reason).toBe(
      'bad_signature',
    );
  });
});

describe('findSubkey', () => {
  const identity = folded(alice.entries);

  it('finds a subkey until it expires', () => {
    const end = alice.session.expiresAt;
    expect(findSubkey(identity, subkeyId, end - 1)).toMatchObject({ ok: true, value: { subkeyId } });
    expect(reasonOf(findSubkey(identity, subkeyId, end))).toBe('expired_subkey');
    expect(reasonOf(findSubkey(identity, 'sk_other', now))).toBe('unknown_subkey');
  });

  it('refuses a subkey older than its device, and messages signed before the subkey (T7)', () => {
    const day = 24 * 3_600_000;
    const made = (issuedAt: number) =>
      createSession(engine, alice.identity.secrets, alice.device.deviceId, issuedAt);
    const old = made(now - day - 1);
    const early = folded([...alice.entries, entry('subkey_cert', old.cert)]);
    expect(early.refused).toEqual([{ seq: 50, kind: 'subkey_cert', reason: 'early_subkey' }]);
    expect(reasonOf(findSubkey(early, old.subkeyId, now))).toBe('unknown_subkey');
    const slow = made(now - day);
    expect(folded([...alice.entries, entry('subkey_cert', slow.cert)]).refused).toEqual([]);
    const identity = folded(alice.entries);
    expect(findSubkey(identity, subkeyId, now - day).ok).toBe(true);
    expect(reasonOf(findSubkey(identity, subkeyId, now - day - 1))).toBe('early_subkey');
  });

  it('refuses a subkey from the time its device was revoked, in any order of entries', () => {
    const earlierFirst = folded([revocation(now + 1_000), ...alice.entries, revocation(now + 2_000)]);
    expect(earlierFirst.devices[0]?.revokedFrom).toBe(now + 1_000);
    const revoked = folded([revocation(now + 2_000), ...alice.entries, revocation(now + 1_000)]);
    expect(findSubkey(revoked, subkeyId, now + 999).ok).toBe(true);
    expect(reasonOf(findSubkey(revoked, subkeyId, now + 1_000))).toBe('revoked_device');
    expect(activeDevices(revoked, now + 999)).toHaveLength(1);
    expect(activeDevices(revoked, now + 1_000)).toHaveLength(0);
  });

  it('refuses a subkey after its device certificate expired', () => {
    const [device] = identity.devices;
    if (!device) throw new Error('no device');
    const ending = { ...identity, devices: [{ ...device, expiresAt: now + 5 }] };
    expect(findSubkey(ending, subkeyId, now + 4).ok).toBe(true);
    expect(reasonOf(findSubkey(ending, subkeyId, now + 5))).toBe('expired_device');
    expect(reasonOf(findSubkey({ ...identity, devices: [] }, subkeyId, now))).toBe('unknown_device');
  });
});
