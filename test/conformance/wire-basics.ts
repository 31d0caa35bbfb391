/** Encodings, identifiers, canonical JSON, binary layouts and HPKE of the `puffo-wire` suite. */
import { fromBase64Url, toBase64Url, utf8 } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { attachmentAad, messageOuterAad, rootKeyAad, wrapAad } from '../../src/core/puffo/aad.ts';
import { canonicalJson, signingInput } from '../../src/core/puffo/canonical-json.ts';
import { hpkeOpen, hpkeSeal } from '../../src/core/puffo/hpke.ts';
import { deviceIdOf, rootFingerprint, subkeyIdOf } from '../../src/core/puffo/ids.ts';
import {
  type CaseResult,
  expectRefused,
  expectSame,
  expectTrue,
  must,
  type Suite,
  testCase,
} from './case.ts';
import { bytes, hexOf, type Json, keyNamed, text, unhex, type WireFile } from './wire-world.ts';

interface CanonicalRow {
  readonly input_json: string;
  readonly canonical_hex?: string;
  readonly canonical_utf8: string;
}

interface OuterRow {
  readonly in: Json;
  readonly out_hex: string;
}

const keys =
  (engine: CryptoEngine) =>
  (value: unknown): readonly CaseResult[] =>
    Object.entries(value as Record<string, { alg: string; secret: string; public: string }>).map(
      ([name, row]) =>
        testCase(name, () => {
          const make = row.alg === 'x25519' ? engine.x25519KeyPair : engine.ed25519KeyPair;
          expectTrue(row.alg === 'x25519' || row.alg === 'ed25519', `unknown algorithm ${row.alg}`);
          expectSame(toBase64Url(make(bytes(row.secret)).public), row.public, 'public key');
        }),
    );

const ids =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    Object.entries(value as Record<string, unknown>).flatMap(([name, row]) => {
      if (typeof row !== 'object' || row === null) return [];
      const { device_id: deviceId, subkey_id: subkeyId } = row as Record<string, unknown>;
      return [
        testCase(`${name} device`, () =>
          expectSame(deviceIdOf(engine, keyNamed(file, `${name}-device`).public), deviceId, 'device id'),
        ),
        testCase(`${name} subkey`, () =>
          expectSame(subkeyIdOf(engine, keyNamed(file, `${name}-subkey`).public), subkeyId, 'subkey id'),
        ),
      ];
    });

const base64url = (value: unknown): readonly CaseResult[] =>
  (value as { raw_hex: string; encoded: string }[]).map((row) =>
    testCase(row.raw_hex || 'nothing', () => {
      expectSame(toBase64Url(unhex(row.raw_hex)), row.encoded, 'encoded');
      expectSame(hexOf(bytes(row.encoded)), row.raw_hex, 'decoded');
      const padded = row.encoded.padEnd(Math.ceil(row.encoded.length / 4) * 4, '=');
      expectSame(hexOf(bytes(padded)), row.raw_hex, 'decoded with padding');
      expectSame(fromBase64Url(`${row.encoded}!`), null, 'decoded with a foreign character');
    }),
  );

const canonical = (value: unknown): readonly CaseResult[] =>
  (value as CanonicalRow[]).map((row) =>
    testCase(row.input_json, () => {
      const out = must(canonicalJson(JSON.parse(row.input_json)), 'canonical form');
      expectSame(text(out), row.canonical_utf8, 'canonical text');
      if (row.canonical_hex !== undefined) expectSame(hexOf(out), row.canonical_hex, 'canonical bytes');
    }),
  );

/** Implementations differ on these inputs, so Kennel signs none of them. */
const divergences = (value: unknown): readonly CaseResult[] =>
  (value as { cases: { input_json: string }[] }).cases.map((row) =>
    testCase(row.input_json, () => expectRefused(canonicalJson(JSON.parse(row.input_json)), row.input_json)),
  );

const forSigning = (value: unknown): readonly CaseResult[] =>
  (value as CanonicalRow[]).map((row) =>
    testCase(row.input_json, () => {
      const out = must(signingInput(JSON.parse(row.input_json)), 'signing input');
      expectSame(text(out), row.canonical_utf8, 'signing input');
    }),
  );

const outer = (name: string, row: OuterRow): CaseResult =>
  testCase(name, () => {
    const route = {
      envelopeId: String(row.in.envelope_id),
      kind: String(row.in.envelope_kind),
      senderSlug: String(row.in.sender_slug),
      sentAt: row.in.sent_at_ms as number,
      spaceId: row.in.space_id as string | undefined,
      channelId: row.in.channel_id as string | undefined,
      recipientSlug: row.in.recipient_slug as string | undefined,
    };
    expectSame(hexOf(must(messageOuterAad(route), 'AAD')), row.out_hex, 'AAD');
  });

const goodChannel = {
  envelopeId: 'msg_1',
  kind: 'channel',
  senderSlug: 'a',
  sentAt: 1,
  spaceId: 's',
  channelId: 'c',
};
const goodDm = { envelopeId: 'msg_1', kind: 'dm', senderSlug: 'a', sentAt: 1, recipientSlug: 'b' };
const tooLong = 'a'.repeat(65_536);

/** Maps each sentence of the `errors` list, matched by a keyword, to the calls that must be refused. */
const aadErrors: readonly (readonly [RegExp, readonly { readonly ok: boolean }[]])[] = [
  [
    /without space_id/,
    [
      messageOuterAad({ ...goodChannel, spaceId: null }),
      messageOuterAad({ ...goodChannel, channelId: null }),
    ],
  ],
  [/without recipient_slug/, [messageOuterAad({ ...goodDm, recipientSlug: null })]],
  [
    /empty/,
    [
      ...['envelopeId', 'senderSlug', 'spaceId', 'channelId'].map((name) =>
        messageOuterAad({ ...goodChannel, [name]: '' }),
      ),
      messageOuterAad({ ...goodDm, recipientSlug: '' }),
      wrapAad('', 'dev_1'),
      wrapAad('msg_1', ''),
      attachmentAad('', 'x'),
      attachmentAad('text/plain', ''),
    ],
  ],
  [
    /longer than 65535/,
    [
      messageOuterAad({ ...goodChannel, senderSlug: tooLong }),
      messageOuterAad({ ...goodDm, recipientSlug: tooLong }),
      messageOuterAad({ ...goodDm, senderSlug: '漢'.repeat(21_846) }),
    ],
  ],
  [
    /sent_at/,
    [
      messageOuterAad({ ...goodChannel, sentAt: -1 }),
      messageOuterAad({ ...goodChannel, sentAt: 2n ** 63n }),
      messageOuterAad({ ...goodChannel, sentAt: 1.5 }),
    ],
  ],
  [/unknown/, [messageOuterAad({ ...goodChannel, kind: 'group' })]],
];

const aadError = (sentence: string): CaseResult =>
  testCase(sentence, () => {
    const known = aadErrors.find(([pattern]) => pattern.test(sentence));
    if (!known) throw new Error('this error is not known');
    for (const call of known[1]) expectRefused(call, sentence);
  });

const attachmentNames = (value: unknown): readonly CaseResult[] =>
  (value as { filename: string; mime_type: string; out_hex: string }[]).map((row) =>
    testCase(`attachment ${row.filename}`, () =>
      expectSame(hexOf(must(attachmentAad(row.mime_type, row.filename), 'AAD')), row.out_hex, 'AAD'),
    ),
  );

function aadOf(engine: CryptoEngine, name: string, value: unknown, section: Json): readonly CaseResult[] {
  if (name.startsWith('outer')) return [outer(name, value as OuterRow)];
  if (name === 'attachment') return attachmentNames(value);
  if (name === 'errors') return (value as string[]).map(aadError);
  const row = value as Record<string, string> & { readonly in?: Record<string, string> };
  const check = (make: () => Uint8Array) => [
    testCase(name, () => expectSame(hexOf(make()), row.out_hex, 'layout')),
  ];
  const fingerprint = () => {
    const root = (section.root_public_key_fingerprint as Record<string, string>).root_public_key;
    return rootFingerprint(engine, bytes(root));
  };
  if (name === 'wrap') {
    return check(() => must(wrapAad(String(row.in?.envelope_id), String(row.in?.device_id)), 'AAD'));
  }
  if (name === 'root_public_key_fingerprint') return check(fingerprint);
  if (name === 'root_key_envelope') {
    const nonce = bytes(row.enrollment_nonce);
    return check(() => must(rootKeyAad(nonce, bytes(row.recipient_kem_public_key), fingerprint()), 'AAD'));
  }
  return [{ name, why: 'unknown layout' }];
}

const aad =
  (engine: CryptoEngine) =>
  (value: unknown): readonly CaseResult[] =>
    Object.entries(value as Json).flatMap(([name, row]) => aadOf(engine, name, row, value as Json));

const hpke =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    (value as Record<string, string>[]).map((row, i) =>
      testCase(`${i + 1} ${row.info_utf8 || 'no info'}`, () => {
        const recipient = keyNamed(file, String(row.recipient));
        const ephemeral = keyNamed(file, String(row.ephemeral));
        const info = utf8(String(row.info_utf8));
        const plaintext = unhex(row.plaintext_hex);
        const sealed = hpkeSeal(engine, recipient.public, info, unhex(row.aad_hex), plaintext, ephemeral);
        if (!sealed) throw new Error('the recipient was refused');
        expectSame(toBase64Url(sealed.enc), row.enc, 'enc');
        expectSame(toBase64Url(sealed.ciphertext), row.ciphertext, 'ciphertext');
        const given = { enc: bytes(row.enc), ciphertext: bytes(row.ciphertext) };
        const opened = hpkeOpen(engine, recipient, given, info, unhex(row.aad_hex));
        expectSame(opened && hexOf(opened), row.plaintext_hex, 'opened');
        const elsewhere = hpkeOpen(engine, recipient, given, utf8('elsewhere'), unhex(row.aad_hex));
        expectSame(elsewhere, null, 'opened under another info');
      }),
    );

export const basics = (engine: CryptoEngine): Suite => ({
  keys: keys(engine),
  ids: ids(engine),
  base64url,
  canonical_json: canonical,
  canonical_json_divergences_from_rfc8785: divergences,
  canonical_for_signing: forSigning,
  aad: aad(engine),
  hpke: hpke(engine),
});
