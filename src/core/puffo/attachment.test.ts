import { describe, expect, it } from 'vitest';
import type { Result } from '../../contract/result.ts';
import { selectCryptoEngine } from '../../services/crypto/select-engine.ts';
import { fromBase64Url, toBase64Url, utf8 } from '../lib/bytes.ts';
import { blobAad } from './aad.ts';
import { type AttachmentMeta, openAttachment, sealAttachment } from './attachment.ts';
import { openRootKey, sealRootKey } from './root-key-envelope.ts';

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const { engine } = selected.value;

const name = { filename: 'report 写真.pdf', mimeType: 'application/pdf' };
const reasonOf = (result: Result<unknown>) => (result.ok ? 'opened' : result.error.where);

function sealed(bytes: Uint8Array): { meta: AttachmentMeta; blob: Uint8Array } {
  const out = sealAttachment(engine, name, bytes);
  if (!out.ok) throw new Error(out.error.message);
  const { key, nonce, blob } = out.value;
  const meta = {
    blob_id: 'b1',
    filename: name.filename,
    mime_type: name.mimeType,
    size: bytes.length,
    key,
    nonce,
  };
  return { meta, blob };
}

describe('Attachments', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('of %i bytes survive seal and open', (length) => {
    const bytes = engine.randomBytes(length);
    const { meta, blob } = sealed(bytes);
    expect(blob).toHaveLength(length + 16);
    const opened = openAttachment(engine, meta, blob);
    expect(opened.ok && Buffer.from(opened.value).equals(bytes)).toBe(true);
  });

  it('are refused if a byte, the name or the type was changed', () => {
    const { meta, blob } = sealed(utf8('hello'));
    for (let at = 0; at < blob.length; at += 1) {
      const changed = blob.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x80;
      expect(reasonOf(openAttachment(engine, meta, changed))).toBe('bad_tag');
    }
    expect(reasonOf(openAttachment(engine, { ...meta, filename: 'x' }, blob))).toBe('bad_tag');
    expect(reasonOf(openAttachment(engine, { ...meta, mime_type: 'text/plain' }, blob))).toBe('bad_tag');
    expect(reasonOf(openAttachment(engine, meta, blob.subarray(0, 15)))).toBe('malformed');
    expect(reasonOf(openAttachment(engine, { ...meta, key: 'AAAA' }, blob))).toBe('malformed');
    expect(reasonOf(sealAttachment(engine, { ...name, filename: '' }, blob))).toBe('empty_field');
  });

  it('of the web client are read with its field names, either binding, and a hash check', () => {
    const bytes = utf8('from the web');
    const { meta, blob } = sealed(bytes);
    const { key, nonce, ...rest } = meta;
    const web = { ...rest, type: 'file_reference', content_key: key, aead_nonce: nonce };
    const sha256 = toBase64Url(engine.sha256(bytes));
    expect(openAttachment(engine, { ...web, sha256 }, blob)).toEqual({ ok: true, value: bytes });
    expect(reasonOf(openAttachment(engine, { ...web, sha256: toBase64Url(engine.sha256(blob)) }, blob))).toBe(
      'content_hash_mismatch',
    );
    const rawKey = fromBase64Url(key ?? '') ?? new Uint8Array(32);
    const rawNonce = fromBase64Url(nonce ?? '') ?? new Uint8Array(12);
    const underBlobAad = engine.aeadSeal(rawKey, rawNonce, blobAad, bytes);
    expect(openAttachment(engine, web, underBlobAad)).toEqual({ ok: true, value: bytes });
    expect(reasonOf(openAttachment(engine, meta, underBlobAad))).toBe('bad_tag');
  });

  it('never share a key or nonce', () => {
    const made = Array.from({ length: 200 }, () => sealed(utf8('same')).meta);
    expect(new Set(made.map((meta) => meta.key)).size).toBe(200);
    expect(new Set(made.map((meta) => meta.nonce)).size).toBe(200);
  });
});

describe('Root-key envelopes', () => {
  const root = engine.ed25519KeyPair();
  const device = engine.x25519KeyPair();
  const nonce = engine.randomBytes(32);
  const made = sealRootKey(engine, root, { nonce, recipientKemPublicKey: device.public });
  if (!made.ok) throw new Error(made.error.message);
  const envelope = made.value;

  it('open only for their device and enrolment', () => {
    expect(openRootKey(engine, envelope, device, nonce)).toEqual({ ok: true, value: root });
    expect(reasonOf(openRootKey(engine, envelope, engine.x25519KeyPair(), nonce))).toBe('not_for_me');
    expect(reasonOf(openRootKey(engine, envelope, device, engine.randomBytes(32)))).toBe('not_for_me');
    expect(
      reasonOf(openRootKey(engine, { ...envelope, hpke_ciphertext: 'A'.repeat(107) }, device, nonce)),
    ).toBe('bad_wrap');
    const print = toBase64Url(engine.randomBytes(32));
    expect(
      reasonOf(openRootKey(engine, { ...envelope, root_public_key_fingerprint: print }, device, nonce)),
    ).toBe('bad_wrap');
    expect(reasonOf(openRootKey(engine, {}, device, nonce))).toBe('malformed');
  });

  it('are refused if the root does not match the fingerprint', () => {
    const other = { ...root, secret: engine.ed25519KeyPair().secret };
    const lie = sealRootKey(engine, other, { nonce, recipientKemPublicKey: device.public });
    expect(lie.ok && reasonOf(openRootKey(engine, lie.value, device, nonce))).toBe('fingerprint_mismatch');
  });
});
