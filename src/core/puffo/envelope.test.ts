import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPuppet } from '../../../test/fakes/puppet.ts';
import type { Result } from '../../contract/result.ts';
import { selectCryptoEngine } from '../../services/crypto/select-engine.ts';
import { fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import { addRecipients, envelopeRoute, openMessage, type SealInput, sealMessage } from './envelope.ts';
import { createSession } from './identity.ts';
import { createPlaintextEnvelope, openPlaintextEnvelope } from './plaintext-envelope.ts';
import { foldRegistry, type VerifiedIdentity } from './registry.ts';
import { signObject } from './signatures.ts';
import type { MessageEnvelope } from './wire.ts';

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const { engine } = selected.value;

const now = 1_778_790_000_000;
const alice = createPuppet(engine, 'alice-0001');
const bob = createPuppet(engine, 'bob-0002');
const me = { deviceId: bob.device.deviceId, kemSecret: bob.identity.secrets.kem };

function identityOf(puppet: typeof alice): VerifiedIdentity {
  const folded = foldRegistry(engine, puppet.identity.slug, puppet.entries, { pinnedRoot: null });
  if (!folded.ok) throw new Error(folded.error.message);
  return folded.value;
}

const aliceIdentity = identityOf(alice);

const draft: SealInput = {
  envelopeId: 'msg_00000000-0000-4000-8000-000000000001',
  kind: 'channel',
  senderSlug: 'alice-0001',
  spaceId: 'sp_1',
  channelId: 'ch_1',
  recipientSlug: null,
  sentAt: now,
  threadRootId: null,
  replyToId: null,
  contentType: 'text/plain',
  content: 'hello',
  visible: true,
  session: alice.session,
  recipients: [alice.device, bob.device],
};

const dm = { kind: 'dm', spaceId: null, channelId: null, recipientSlug: 'bob-0002' } as const;

function seal(change: Partial<SealInput> = {}): MessageEnvelope {
  const sealed = sealMessage(engine, { ...draft, ...change });
  if (!sealed.ok) throw new Error(sealed.error.message);
  return JSON.parse(JSON.stringify(sealed.value.envelope)) as MessageEnvelope;
}

const open = (envelope: unknown, sender = aliceIdentity, as = me) =>
  openMessage(engine, envelope, as, sender);
const reasonOf = (result: Result<unknown>) => (result.ok ? 'opened' : result.error.where);

/** Seals a forged payload, as a malicious member with a valid subkey could. */
function sealForged(
  inner: (payload: Record<string, unknown>) => Record<string, unknown>,
  outer: Partial<MessageEnvelope> = {},
) {
  let forged: MessageEnvelope | null = null;
  const meddling: typeof engine = {
    ...engine,
    aeadSeal(key, nonce, aad, plaintext) {
      const parsed: unknown = plaintext.length > 32 ? JSON.parse(Buffer.from(plaintext).toString()) : null;
      if (!parsed) return engine.aeadSeal(key, nonce, aad, plaintext);
      const payload = inner((parsed as { payload: Record<string, unknown> }).payload);
      const signed = signObject(engine, payload, alice.session.secret);
      const text = JSON.stringify({ payload, signature: signed.ok ? signed.value : '' });
      return engine.aeadSeal(key, nonce, aad, new TextEncoder().encode(text));
    },
  };
  const sealed = sealMessage(meddling, draft);
  if (sealed.ok) forged = { ...sealed.value.envelope, ...outer };
  return forged;
}

describe('Sealed messages', () => {
  it('survive seal and open on every device, with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.boolean(), (content, direct) => {
        const envelope = seal({ content, ...(direct ? dm : {}) });
        const opened = open(envelope);
        expect(opened).toMatchObject({ ok: true, value: { encrypted: true, payload: { content } } });
        const echo = open(envelope, aliceIdentity, {
          deviceId: alice.device.deviceId,
          kemSecret: alice.identity.secrets.kem,
        });
        expect(echo.ok).toBe(true);
      }),
      { numRuns: 60, verbose: 1 },
    );
  });

  it('of a script say so beside the payload, which keeps its fifteen fields', () => {
    const opened = open(seal({ scripted: true }));
    expect(opened).toMatchObject({ ok: true, value: { scripted: true } });
    expect(opened.ok && Object.keys(opened.value.payload)).toHaveLength(15);
    expect(open(seal())).toMatchObject({ ok: true, value: { scripted: false } });
  });

  it('name their conversation beside the payload, and only a well-formed name is taken (T6)', () => {
    const named = open(seal({ ...dm, conversationId: 'cv_0123456789abcdef' }));
    expect(named).toMatchObject({ ok: true, value: { conversationId: 'cv_0123456789abcdef' } });
    expect(named.ok && Object.keys(named.value.payload)).toHaveLength(15);
    expect(open(seal({ ...dm, conversationId: '../x|y~z' }))).toMatchObject({
      value: { conversationId: null },
    });
    expect(open(seal(dm))).toMatchObject({ ok: true, value: { conversationId: null } });
  });

  it('carry all fifteen fields inside and explicit nulls outside', () => {
    const opened = open(seal(dm));
    expect(opened.ok && Object.keys(opened.value.payload)).toHaveLength(15);
    expect(seal(dm)).toMatchObject({ space_id: null, channel_id: null, recipient_slug: 'bob-0002' });
    expect(opened).toMatchObject({
      value: { payload: { space_id: null, thread_root_id: null, reply_to_id: null } },
    });
  });

  it('are refused if any byte of any field was changed (T6)', () => {
    const envelope = seal();
    const strings = [
      'envelope_id',
      'sender_slug',
      'space_id',
      'channel_id',
      'content_nonce',
      'content_ciphertext',
    ] as const;
    const where = fc.oneof(
      fc.tuple(fc.constantFrom(...strings), fc.nat()),
      fc.tuple(fc.constantFrom('hpke_enc', 'wrapped_content_key'), fc.nat()),
    );
    fc.assert(
      fc.property(where, fc.integer({ min: 1, max: 255 }), ([field, at], mask) => {
        const copy = structuredClone(envelope);
        const [mine] = copy.recipients.filter((each) => each.device_id === me.deviceId);
        const holder = (field in copy ? copy : mine) as Record<string, unknown>;
        const text = String(holder[field]);
        const encoded = !['envelope_id', 'sender_slug', 'space_id', 'channel_id'].includes(field);
        const bytes = encoded ? fromBase64Url(text) : new TextEncoder().encode(text);
        if (!bytes) throw new Error('not base64url');
        const place = at % bytes.length;
        // Text fields stay ASCII, so that the change affects the text and not the encoding.
        const flip = encoded ? mask : mask & 31 || 1;
        bytes[place] = (bytes[place] ?? 0) ^ flip;
        // X25519 ignores the highest bit of a public key; HPKE binds the bytes all the same.
        holder[field] = encoded ? toBase64Url(bytes) : new TextDecoder().decode(bytes);
        expect(open(copy).ok).toBe(false);
      }),
      { numRuns: 400, verbose: 1 },
    );
  });

  it('are refused with a specific reason', () => {
    const good = seal();
    const strip = (name: keyof MessageEnvelope) => ({ ...good, [name]: undefined });
    expect(reasonOf(open(good))).toBe('opened');
    expect(reasonOf(open(null))).toBe('malformed');
    expect(reasonOf(open(strip('recipients')))).toBe('malformed');
    expect(reasonOf(open({ ...good, content_nonce: toBase64Url(new Uint8Array(13)) }))).toBe('bad_nonce');
    expect(reasonOf(open({ ...good, recipients: good.recipients.slice(0, 1) }))).toBe('not_for_me');
    expect(reasonOf(open({ ...good, sent_at: good.sent_at + 1 }))).toBe('bad_tag');
    expect(reasonOf(open({ ...good, envelope_kind: 'dm', recipient_slug: 'bob-0002' }))).toBe('bad_tag');
    expect(reasonOf(open({ ...good, envelope_id: 'msg_other' }))).toBe('bad_wrap');
    expect(reasonOf(open(good, identityOf(bob)))).toBe('sender_mismatch');
    expect(reasonOf(open({ ...good, recipient_slug: 'carol-0003' }))).toBe('route_mismatch');
  });

  it('are refused if the inner route, time or sender differs from the outer one', () => {
    const inside = (change: Record<string, unknown>) =>
      reasonOf(open(sealForged((payload) => ({ ...payload, ...change }))));
    expect(inside({})).toBe('opened');
    expect(inside({ space_id: 'sp_2' })).toBe('route_mismatch');
    expect(inside({ channel_id: 'ch_2' })).toBe('route_mismatch');
    expect(inside({ sent_at: now + 1 })).toBe('route_mismatch');
    expect(inside({ envelope_kind: 'dm', space_id: null, channel_id: null, recipient_slug: 'b' })).toBe(
      'route_mismatch',
    );
    expect(inside({ sender_slug: 'bob-0002' })).toBe('sender_mismatch');
    expect(inside({ recipient_slug: 'b' })).toBe('malformed');
    expect(inside({ channel_id: null })).toBe('malformed');
    expect(inside({ content: 0.5 })).toBe('not_canonical');
    expect(inside({ sender_subkey_id: 'sk_other' })).toBe('unknown_subkey');
  });

  it('are verified as sent, with missing or unknown fields', () => {
    const older = sealForged(({ is_visible_to_human: _, ...payload }) => ({ ...payload, future_member: 1 }));
    expect(open(older)).toMatchObject({
      ok: true,
      value: { payload: { is_visible_to_human: true, future_member: 1 } },
    });
  });

  it('are verified with the subkey that signed, at the time of sending', () => {
    const later = createSession(engine, alice.identity.secrets, alice.device.deviceId, now);
    const entries = [...alice.entries, { seq: 9, kind: 'subkey_cert', slug: 'alice-0001', cert: later.cert }];
    const both = foldRegistry(engine, 'alice-0001', entries, { pinnedRoot: null });
    if (!both.ok) throw new Error(both.error.message);
    const claimed = { ...alice.session, subkeyId: later.subkeyId };
    expect(reasonOf(open(seal({ session: later }), both.value))).toBe('opened');
    expect(reasonOf(open(seal({ session: claimed }), both.value))).toBe('bad_signature');
    expect(reasonOf(open(seal({ session: later })))).toBe('unknown_subkey');
    expect(reasonOf(open(seal({ sentAt: alice.session.expiresAt })))).toBe('expired_subkey');
    expect(reasonOf(open(seal({ sentAt: alice.session.expiresAt - 1 })))).toBe('opened');
    const revoked = {
      ...aliceIdentity,
      devices: aliceIdentity.devices.map((each) => ({ ...each, revokedFrom: now })),
    };
    expect(reasonOf(open(seal(), revoked))).toBe('revoked_device');
    expect(reasonOf(open(seal({ sentAt: now - 1 }), revoked))).toBe('opened');
  });

  it('can be wrapped for more devices without other changes', () => {
    const carol = createPuppet(engine, 'carol-0003');
    const sealed = sealMessage(engine, draft);
    if (!sealed.ok) throw new Error(sealed.error.message);
    const more = addRecipients(engine, sealed.value.envelope, sealed.value.contentKey, [carol.device]);
    if (!more.ok) throw new Error(more.error.message);
    expect({ ...more.value, recipients: [] }).toEqual({ ...sealed.value.envelope, recipients: [] });
    expect(more.value.recipients.map((each) => each.device_id)).toEqual([carol.device.deviceId]);
    const hers = { deviceId: carol.device.deviceId, kemSecret: carol.identity.secrets.kem };
    expect(reasonOf(open(more.value, aliceIdentity, hers))).toBe('opened');
  });

  it('are not created if they could not be opened', () => {
    const made = (change: Partial<SealInput>) => reasonOf(sealMessage(engine, { ...draft, ...change }));
    const weak = { deviceId: 'dev_weak', kemPublicKey: toBase64Url(new Uint8Array(32)) };
    expect(made({ recipients: [] })).toBe('no_recipients');
    expect(made({ recipients: [bob.device, weak] })).toBe('weak_kem_key');
    expect(made({ content: { ratio: 0.5 } })).toBe('not_canonical');
    expect(made({ content: '\ud800' })).toBe('not_canonical');
    expect(made({ channelId: null })).toBe('missing_route');
    expect(made({ ...dm, recipientSlug: '' })).toBe('empty_field');
    expect(seal({ recipients: [bob.device, bob.device] }).recipients).toHaveLength(1);
  });
});

describe('Plaintext messages', () => {
  const plain = (change: Partial<SealInput> = {}) => {
    const made = createPlaintextEnvelope(engine, { ...draft, ...change });
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  };
  const read = (raw: unknown) => openPlaintextEnvelope(engine, raw, aliceIdentity);

  it('are verified like sealed messages and marked as not encrypted', () => {
    const envelope = plain();
    expect(read(envelope)).toMatchObject({
      ok: true,
      value: { encrypted: false, payload: { content: 'hello' } },
    });
    const { payload, signature } = envelope.signed_payload;
    const forged = { ...envelope, signed_payload: { payload: { ...payload, content: 'hullo' }, signature } };
    expect(reasonOf(read(forged))).toBe('bad_signature');
    expect(reasonOf(read({ ...envelope, signed_payload: { payload } }))).toBe('malformed');
    expect(reasonOf(read(plain({ sentAt: alice.session.expiresAt })))).toBe('expired_subkey');
  });

  it('show their route before they are opened, like sealed messages', () => {
    const expected = {
      envelopeId: draft.envelopeId,
      senderSlug: 'alice-0001',
      channelId: 'ch_1',
      sentAt: now,
    };
    expect(envelopeRoute(plain())).toMatchObject({ ok: true, value: { ...expected, encrypted: false } });
    expect(envelopeRoute(seal())).toMatchObject({ ok: true, value: { ...expected, encrypted: true } });
    expect(reasonOf(envelopeRoute({ type: 'message_envelope' }))).toBe('malformed');
    expect(reasonOf(envelopeRoute('text'))).toBe('malformed');
  });
});
