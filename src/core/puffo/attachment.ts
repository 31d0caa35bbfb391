/**
 * Attachments (spec §1.7, §3.4): each file has its own key, bound to name and type; the metadata with the key
 * is part of the sealed message. Large files pass through one cipher in chunks.
 */
import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { equalBytes, fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import type { AeadSealStream, CryptoEngine } from '../ports.ts';
import { attachmentAad, blobAad } from './aad.ts';
import { stripMultipart } from './multipart.ts';
import { refuseWire } from './refusal.ts';

/** Bytes per cipher call; larger chunks are slower. */
export const pieceBytes = 64 * 1024;
const tagBytes = 16;

const text = z.string().max(4_096);

/** Members of today's web client are optional; its names take precedence over older ones. */
export const attachmentMetaSchema = z.looseObject({
  /** Empty until the file is uploaded. */
  blob_id: z.string().max(200).default(''),
  filename: text.min(1),
  mime_type: text.optional(),
  size: z.number().int().min(0).optional(),
  key: text.optional(),
  nonce: text.optional(),
  type: z.string().optional(),
  content_type: text.optional(),
  size_bytes: z.number().int().min(0).optional(),
  content_key: text.optional(),
  aead_nonce: text.optional(),
  sha256: text.optional(),
});
export type AttachmentMeta = z.infer<typeof attachmentMetaSchema>;

export interface AttachmentName {
  readonly filename: string;
  readonly mimeType: string;
}

export interface AttachmentKey {
  /** base64url, for the metadata. */
  readonly key: string;
  readonly nonce: string;
}

export interface AttachmentSealer extends AttachmentKey {
  readonly stream: AeadSealStream;
}

/** Creates a fresh key and nonce, and the cipher for them; the blob is all chunks, then the 16-byte tag. */
export function startAttachment(engine: CryptoEngine, name: AttachmentName): Result<AttachmentSealer> {
  const aad = attachmentAad(name.mimeType, name.filename);
  if (!aad.ok) return aad;
  const key = engine.randomBytes(32);
  const nonce = engine.randomBytes(12);
  const stream = engine.aeadSealStream(key, nonce, aad.value);
  return ok({ key: toBase64Url(key), nonce: toBase64Url(nonce), stream });
}

export interface SealedAttachment extends AttachmentKey {
  /** Ciphertext ‖ tag. */
  readonly blob: Uint8Array;
}

/** Seals a whole file in memory. Error: `empty_field` for an empty name or type. */
export function sealAttachment(
  engine: CryptoEngine,
  name: AttachmentName,
  bytes: Uint8Array,
): Result<SealedAttachment> {
  const sealer = startAttachment(engine, name);
  if (!sealer.ok) return sealer;
  const { key, nonce, stream } = sealer.value;
  const blob = new Uint8Array(bytes.length + tagBytes);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    blob.set(stream.update(bytes.subarray(at, at + pieceBytes)), at);
  }
  blob.set(stream.finish(), bytes.length);
  return ok({ key, nonce, blob });
}

function openUnder(
  engine: CryptoEngine,
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  blob: Uint8Array,
): Uint8Array | null {
  const stream = engine.aeadOpenStream(key, nonce, aad);
  const length = blob.length - tagBytes;
  const out = new Uint8Array(length);
  for (let at = 0; at < length; at += pieceBytes) {
    out.set(stream.update(blob.subarray(at, Math.min(at + pieceBytes, length))), at);
  }
  return stream.finish(blob.subarray(length)) ? out : null;
}

function aadsToTry(meta: AttachmentMeta, mimeType: string): Result<readonly Uint8Array[]> {
  const own = attachmentAad(mimeType, meta.filename);
  if (!own.ok) return own;
  return ok(meta.type === 'file_reference' ? [blobAad, own.value] : [own.value]);
}

/**
 * Opens a downloaded blob. Returns no plaintext unless the tag, and the hash if given, is valid. Errors:
 * `malformed`, `bad_tag`, `content_hash_mismatch`.
 */
export function openAttachment(
  engine: CryptoEngine,
  meta: AttachmentMeta,
  blob: Uint8Array,
): Result<Uint8Array> {
  const key = fromBase64Url(meta.content_key ?? meta.key ?? '');
  const nonce = fromBase64Url(meta.aead_nonce ?? meta.nonce ?? '');
  if (key?.length !== 32 || nonce?.length !== 12 || blob.length < tagBytes) {
    return refuseWire('malformed', say('server.fileUnusable', { filename: meta.filename }));
  }
  const aads = aadsToTry(meta, meta.mime_type ?? meta.content_type ?? '');
  if (!aads.ok) return aads;
  for (const aad of aads.value) {
    const plaintext = openUnder(engine, key, nonce, aad, blob);
    if (plaintext) return hashHolds(engine, meta, plaintext);
  }
  return refuseWire('bad_tag', say('server.fileChanged', { filename: meta.filename }));
}

/** Like `openAttachment`, but extracts the file from the upload forms of old senders. */
export function openFile(engine: CryptoEngine, meta: AttachmentMeta, blob: Uint8Array): Result<Uint8Array> {
  const opened = openAttachment(engine, meta, blob);
  // A sender that states the hash of a file has sealed the file itself.
  return opened.ok && meta.sha256 === undefined ? ok(stripMultipart(opened.value)) : opened;
}

function hashHolds(engine: CryptoEngine, meta: AttachmentMeta, plaintext: Uint8Array): Result<Uint8Array> {
  if (meta.sha256 === undefined) return ok(plaintext);
  const expected = fromBase64Url(meta.sha256);
  return expected && equalBytes(expected, engine.sha256(plaintext))
    ? ok(plaintext)
    : refuseWire('content_hash_mismatch', say('server.fileHashMismatch', { filename: meta.filename }));
}
