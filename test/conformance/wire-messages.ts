/** Sealed and plain messages, tampering, attachments and root-key envelopes of the `puffo-wire` suite. */
import { toBase64Url, utf8 } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { attachmentAad, messageOuterAad, wrapAad } from '../../src/core/puffo/aad.ts';
import { type AttachmentMeta, openAttachment, sealAttachment } from '../../src/core/puffo/attachment.ts';
import { canonicalJson } from '../../src/core/puffo/canonical-json.ts';
import { envelopeRoute, openMessage, sealMessage } from '../../src/core/puffo/envelope.ts';
import type { MessageDraft } from '../../src/core/puffo/payload.ts';
import { createPlaintextEnvelope, openPlaintextEnvelope } from '../../src/core/puffo/plaintext-envelope.ts';
import type { VerifiedIdentity } from '../../src/core/puffo/registry.ts';
import { openRootKey, sealRootKey } from '../../src/core/puffo/root-key-envelope.ts';
import { signObject } from '../../src/core/puffo/signatures.ts';
import type { MessageEnvelope, MessagePayload } from '../../src/core/puffo/wire.ts';
import { type CaseResult, expectRefused, expectSame, must, type Suite, testCase } from './case.ts';
import {
  bytes,
  changed,
  hexOf,
  identityOf,
  type Json,
  keyByPublic,
  keyNamed,
  scripted,
  text,
  unhex,
  type WireFile,
} from './wire-world.ts';

interface MessageRow {
  readonly inputs: Readonly<Record<string, string>>;
  readonly payload: MessagePayload;
  readonly payload_canonical_utf8: string;
  readonly payload_signature: string;
  readonly inner_plaintext_utf8: string;
  readonly outer_aad_hex: string;
  readonly wrap_aad_hex: Readonly<Record<string, string>>;
  readonly envelope: MessageEnvelope;
  readonly open_with: readonly { readonly device_id: string; readonly kem: string }[];
}

const draftOf = (payload: MessagePayload): MessageDraft => ({
  kind: payload.envelope_kind,
  senderSlug: payload.sender_slug,
  spaceId: payload.space_id,
  channelId: payload.channel_id,
  recipientSlug: payload.recipient_slug,
  sentAt: payload.sent_at,
  threadRootId: payload.thread_root_id ?? null,
  replyToId: payload.reply_to_id ?? null,
  contentType: payload.content_type,
  content: payload.content,
  visible: payload.is_visible_to_human,
});

function sealAgain(engine: CryptoEngine, file: WireFile, row: MessageRow): MessageEnvelope {
  const { inputs, payload, envelope } = row;
  const chance = [inputs.message_nonce, inputs.content_key, inputs.content_nonce].map(bytes);
  const fixed = scripted(engine, chance, keyNamed(file, String(inputs.hpke_ephemeral)));
  const { secret } = keyNamed(file, String(inputs.sender_subkey));
  const recipients = envelope.recipients.map(({ device_id: deviceId }) => {
    const kem = row.open_with.find((each) => each.device_id === deviceId)?.kem ?? '';
    return { deviceId, kemPublicKey: toBase64Url(keyNamed(file, kem).public) };
  });
  const session = { subkeyId: payload.sender_subkey_id, secret, expiresAt: 0, cert: null };
  const input = { ...draftOf(payload), envelopeId: envelope.envelope_id, session, recipients };
  return must(sealMessage(fixed, input), 'sealing').envelope;
}

function checkLayouts(row: MessageRow): void {
  const route = must(envelopeRoute(row.envelope), 'route');
  expectSame(hexOf(must(messageOuterAad(route), 'outer AAD')), row.outer_aad_hex, 'outer AAD');
  for (const [device, expected] of Object.entries(row.wrap_aad_hex)) {
    expectSame(hexOf(must(wrapAad(row.envelope.envelope_id, device), 'wrap AAD')), expected, 'wrap AAD');
  }
}

const openCase = (engine: CryptoEngine, file: WireFile, row: MessageRow, envelope: unknown, as: number) => {
  const reader = row.open_with[as];
  if (!reader) throw new Error('nobody is named to open it');
  const me = { deviceId: reader.device_id, kemSecret: keyNamed(file, reader.kem).secret };
  return openMessage(engine, envelope, me, identityOf(engine, file, row.payload.sender_slug));
};

const messages =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    Object.entries(value as Record<string, MessageRow>).flatMap(([name, row]) => [
      testCase(`${name} payload`, () => {
        const canonical = text(must(canonicalJson(row.payload), 'canonical payload'));
        expectSame(canonical, row.payload_canonical_utf8, 'canonical payload');
        const { secret } = keyNamed(file, String(row.inputs.sender_subkey));
        expectSame(
          must(signObject(engine, row.payload, secret), 'signature'),
          row.payload_signature,
          'signature',
        );
      }),
      testCase(`${name} layouts`, () => checkLayouts(row)),
      testCase(`${name} sealed by us`, () =>
        expectSame(sealAgain(engine, file, row), row.envelope, 'envelope'),
      ),
      ...row.open_with.map((reader, i) =>
        testCase(`${name} opened with ${reader.kem}`, () => {
          const opened = must(openCase(engine, file, row, row.envelope, i), 'opening');
          expectSame(opened.payload, row.payload, 'payload');
        }),
      ),
    ]);

const withRecipients = (envelope: MessageEnvelope, rename: (id: string) => string): MessageEnvelope => ({
  ...envelope,
  recipients: envelope.recipients.map((each) => ({ ...each, device_id: rename(each.device_id) })),
});

type Attempt = (engine: CryptoEngine, file: WireFile, row: MessageRow) => { readonly ok: boolean };

/** The identity with its device's key in place of its subkey. */
function withAnotherSubkey(engine: CryptoEngine, file: WireFile, slug: string): VerifiedIdentity {
  const sender = identityOf(engine, file, slug);
  const other = sender.devices[0]?.signingPublicKey ?? '';
  return { ...sender, subkeys: sender.subkeys.map((each) => ({ ...each, publicKey: other })) };
}

/**
 * Maps each sentence of the list, matched by keywords, to a change. `null` if the change does not apply to
 * the message.
 */
const tampering: readonly (readonly [RegExp, (row: MessageRow) => Attempt | null])[] = [
  [
    /another (device|kem)|wrong (device|kem|key)|not a recipient|no entry/,
    (row) => (engine, file) => {
      const me = { deviceId: row.open_with[0]?.device_id ?? '', kemSecret: engine.x25519KeyPair().secret };
      return openMessage(engine, row.envelope, me, identityOf(engine, file, row.payload.sender_slug));
    },
  ],
  [
    /another subkey/,
    () => (engine, file, row) => {
      const reader = row.open_with[0];
      const me = { deviceId: reader?.device_id ?? '', kemSecret: keyNamed(file, reader?.kem ?? '').secret };
      return openMessage(engine, row.envelope, me, withAnotherSubkey(engine, file, row.payload.sender_slug));
    },
  ],
  [
    /device_id of the entry/,
    (row) => (engine, file) => {
      const [first, second] = row.open_with.map((each) => each.device_id);
      const swapped = withRecipients(row.envelope, (id) => (id === first ? String(second) : String(first)));
      return openCase(engine, file, row, swapped, 0);
    },
  ],
  [/wrapped_content_key/, entryChange('wrapped_content_key')],
  [/hpke_enc/, entryChange('hpke_enc')],
  [/signature/, insideChange((inner) => ({ ...inner, signature: changed(inner.signature) }))],
  [/payload/, insideChange((inner) => ({ ...inner, payload: { ...inner.payload, content: 'changed' } }))],
  [
    /sender_subkey_id/,
    insideChange((inner) => ({ ...inner, payload: { ...inner.payload, sender_subkey_id: 'sk_other' } })),
  ],
  [/sender_slug/, changeOf('sender_slug', () => 'alice-a62c')],
  [/space_id/, changeOf('space_id', (id) => `${id}x`)],
  [/channel_id/, changeOf('channel_id', (id) => `${id}x`)],
  [/recipient_slug/, changeOf('recipient_slug', (slug) => `${slug}x`)],
  [/envelope_id/, changeOf('envelope_id', () => 'msg_00000000-0000-4000-8000-000000000000')],
  [/sent_at/, changeOf('sent_at', (at) => Number(at) + 1)],
  [
    /(nonce|ciphertext).*(length|short|long|bytes|truncat|cut)/,
    (row) => (engine, file) => {
      const { content_nonce: nonce, content_ciphertext: ciphertext } = row.envelope;
      const cut = { content_nonce: nonce.slice(0, -4), content_ciphertext: ciphertext.slice(0, -4) };
      const attempts = Object.entries(cut).map(([member, value]) =>
        openCase(engine, file, row, { ...row.envelope, [member]: value }, 0),
      );
      return { ok: attempts.some((attempt) => attempt.ok) };
    },
  ],
  [/nonce/, changeOf('content_nonce', (nonce) => changed(String(nonce)))],
  [/ciphertext|content|\btag\b/, changeOf('content_ciphertext', (content) => changed(String(content)))],
  [
    /recipients?/,
    (row) => (engine, file) => openCase(engine, file, row, { ...row.envelope, recipients: [] }, 0),
  ],
  [/kind/, changeOf('envelope_kind', (kind) => (kind === 'dm' ? 'channel' : 'dm'))],
];

/** Changes one member of every recipient's entry. */
function entryChange(member: 'hpke_enc' | 'wrapped_content_key') {
  return (row: MessageRow): Attempt => {
    const recipients = row.envelope.recipients.map((each) => ({ ...each, [member]: changed(each[member]) }));
    return (engine, file) => openCase(engine, file, row, { ...row.envelope, recipients }, 0);
  };
}

interface Inner {
  readonly payload: MessagePayload;
  readonly signature: string;
}

/** Seals other content under the recorded content key, as any earlier recipient of that key could. */
function insideChange(to: (inner: Inner) => Inner) {
  return (row: MessageRow): Attempt =>
    (engine, file) => {
      const aad = must(messageOuterAad(must(envelopeRoute(row.envelope), 'route')), 'outer AAD');
      const inner = to({ payload: row.payload, signature: row.payload_signature });
      const key = bytes(row.inputs.content_key);
      const nonce = bytes(row.inputs.content_nonce);
      const ciphertext = engine.aeadSeal(key, nonce, aad, utf8(JSON.stringify(inner)));
      const envelope = { ...row.envelope, content_ciphertext: toBase64Url(ciphertext) };
      return openCase(engine, file, row, envelope, 0);
    };
}

function changeOf(member: keyof MessageEnvelope & string, to: (old: unknown) => unknown) {
  return (row: MessageRow): Attempt | null => {
    if (row.envelope[member] === null || row.envelope[member] === undefined) return null;
    const envelope = { ...row.envelope, [member]: to(row.envelope[member]) };
    return (engine, file) => openCase(engine, file, row, envelope, 0);
  };
}

const tamper =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    (value as { change: string; result: string }[]).map(({ change, result }) =>
      testCase(change, () => {
        const known = tampering.find(([pattern]) => pattern.test(change));
        if (!known) throw new Error('this change is not known');
        if (!result.startsWith('rejected')) throw new Error(`unknown result ${result}`);
        const rows = Object.values((file.messages ?? {}) as Record<string, MessageRow>);
        const attempts = rows.map((row) => ({ row, attempt: known[1](row) })).filter((each) => each.attempt);
        if (attempts.length === 0) throw new Error('no message of the file can be changed this way');
        for (const { row, attempt } of attempts) {
          must(openCase(engine, file, row, row.envelope, 0), 'the unchanged message');
          if (attempt) expectRefused(attempt(engine, file, row), change);
        }
      }),
    );

interface AttachmentRow {
  readonly meta: AttachmentMeta;
  readonly plaintext_utf8?: string;
  readonly plaintext_hex?: string;
  readonly aad_hex: string;
  readonly ciphertext_hex: string;
}

const attachments =
  (engine: CryptoEngine) =>
  (value: unknown): readonly CaseResult[] =>
    (value as AttachmentRow[]).map((row) =>
      testCase(row.meta.filename, () => {
        const { meta } = row;
        const plaintext =
          row.plaintext_hex === undefined ? utf8(row.plaintext_utf8 ?? '') : unhex(row.plaintext_hex);
        const blob = unhex(row.ciphertext_hex);
        const name = { filename: meta.filename, mimeType: meta.mime_type ?? '' };
        expectSame(hexOf(must(attachmentAad(name.mimeType, name.filename), 'AAD')), row.aad_hex, 'AAD');
        const fixed = scripted(engine, [bytes(meta.key), bytes(meta.nonce)]);
        const sealed = must(sealAttachment(fixed, name, plaintext), 'sealing');
        expectSame(hexOf(sealed.blob), row.ciphertext_hex, 'blob');
        expectSame(hexOf(must(openAttachment(engine, meta, blob), 'opening')), hexOf(plaintext), 'plaintext');
        expectRefused(openAttachment(engine, { ...meta, filename: 'other' }, blob), 'another name');
      }),
    );

interface RootKeyRow {
  readonly ephemeral: string;
  readonly envelope: Readonly<Record<string, string>>;
  readonly opens_to_secret_of: string;
}

const rootKey =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] => {
    const rows = Array.isArray(value) ? (value as RootKeyRow[]) : [value as RootKeyRow];
    return rows.flatMap((row) => {
      const root = () => keyNamed(file, row.opens_to_secret_of);
      const device = () => keyByPublic(file, String(row.envelope.recipient_kem_public_key));
      const nonce = () => bytes(row.envelope.enrollment_nonce);
      return [
        testCase(`${row.opens_to_secret_of} opened`, () => {
          const opened = must(openRootKey(engine, row.envelope, device(), nonce()), 'opening');
          expectSame(hexOf(opened.secret), hexOf(root().secret), 'seed');
          const forged = { ...row.envelope, hpke_ciphertext: changed(String(row.envelope.hpke_ciphertext)) };
          expectRefused(openRootKey(engine, forged, device(), nonce()), 'a changed ciphertext');
        }),
        testCase(`${row.opens_to_secret_of} sealed by us`, () => {
          const fixed = scripted(engine, [], keyNamed(file, row.ephemeral));
          const enrolment = { nonce: nonce(), recipientKemPublicKey: device().public };
          expectSame(must(sealRootKey(fixed, root(), enrolment), 'sealing'), row.envelope, 'envelope');
        }),
      ];
    });
  };

const plaintext =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] => {
    const section = value as Json;
    const rows = Object.entries(section).filter(([, row]) => typeof row === 'object' && row !== null);
    return rows.map(([name, raw]) =>
      testCase(name, () => {
        const envelope = raw as {
          envelope_id: string;
          signed_payload: { payload: MessagePayload; signature: string };
        };
        const { payload } = envelope.signed_payload;
        const sender = identityOf(engine, file, payload.sender_slug);
        const opened = must(openPlaintextEnvelope(engine, raw, sender), 'opening');
        expectSame([opened.payload, opened.encrypted], [payload, false], 'payload');
        const subkey =
          sender.subkeys.find((each) => each.subkeyId === payload.sender_subkey_id)?.publicKey ?? '';
        const { secret } = keyByPublic(file, subkey);
        const session = { subkeyId: payload.sender_subkey_id, secret, expiresAt: 0, cert: null };
        const fixed = scripted(engine, [bytes(payload.message_nonce)]);
        const input = { ...draftOf(payload), envelopeId: envelope.envelope_id, session };
        expectSame(must(createPlaintextEnvelope(fixed, input), 'signing'), raw, 'made by us');
        const forged = {
          payload: { ...payload, content: 'other' },
          signature: envelope.signed_payload.signature,
        };
        expectRefused(
          openPlaintextEnvelope(engine, { ...envelope, signed_payload: forged }, sender),
          'other content',
        );
      }),
    );
  };

export const messageSections = (engine: CryptoEngine): Suite => ({
  messages: messages(engine),
  message_tamper: tamper(engine),
  attachments: attachments(engine),
  root_key_envelope: rootKey(engine),
  plaintext_envelope_later_versions: plaintext(engine),
});
