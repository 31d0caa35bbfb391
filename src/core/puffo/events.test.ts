import { describe, expect, it } from 'vitest';
import { createPuppet } from '../../../test/fakes/puppet.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { signEvent, verifyEvent } from './events.ts';
import { foldRegistry } from './registry.ts';
import { signObject } from './signatures.ts';

const engine = createNobleEngine();
const now = 1_778_790_000_000;
const alice = createPuppet(engine, 'alice-0001');
const folded = foldRegistry(engine, 'alice-0001', alice.entries, { pinnedRoot: null });
if (!folded.ok) throw new Error(folded.error.message);
const identity = folded.value;

const signer = { slug: 'alice-0001', deviceId: alice.device.deviceId, session: alice.session };
const created = { kind: 'create_space', payload: { space_id: 'sp_1', name: 'Höhle', created_at: now } };
const made = signEvent(engine, created, signer, createSeededRandom(3));
if (!made.ok) throw new Error(made.error.message);
const event = made.value;

const reason = (raw: unknown, at = now) => {
  const held = verifyEvent(engine, raw, identity, at);
  return held.ok ? 'held' : held.error.where;
};

describe('Signed space events', () => {
  it('carry a nonce and verify for their signer', () => {
    expect(event.payload).toMatchObject({ ...created.payload, nonce: expect.stringMatching(/^[\w-]{43}$/) });
    expect(event.event_id).toMatch(/^ev_[0-9a-f-]{36}$/);
    expect(reason(JSON.parse(JSON.stringify(event)))).toBe('held');
  });

  it('are refused with a specific reason if a field does not match', () => {
    expect(reason({ ...event, payload: { ...event.payload, name: 'Hölle' } })).toBe('bad_signature');
    expect(reason({ ...event, extra: true })).toBe('bad_signature');
    expect(reason({ ...event, signer_slug: 'bob-0002' })).toBe('sender_mismatch');
    expect(reason({ ...event, signer_subkey_id: 'sk_other' })).toBe('unknown_subkey');
    expect(reason({ ...event, signer_device_id: 'dev_other' })).toBe('unknown_device');
    expect(reason(event, alice.session.expiresAt)).toBe('expired_subkey');
    expect(reason({ ...event, kind: 7 })).toBe('malformed');
  });

  it('are refused for another device, even with a valid signature', () => {
    const { signature: _, ...body } = { ...event, signer_device_id: 'dev_other' };
    const signed = signObject(engine, body, alice.session.secret);
    expect(reason({ ...body, signature: signed.ok ? signed.value : '' })).toBe('unknown_device');
  });

  it('are not signed if the text has no canonical form', () => {
    const broken = { kind: 'create_space', payload: { name: '\ud800' } };
    expect(signEvent(engine, broken, signer, createSeededRandom(3)).ok).toBe(false);
  });
});
