/** Sealing as the protocol specifies it (spec §1.5 to §1.7): HPKE of RFC 9180, envelopes and files. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  diffieHellman,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { type Pair, pair, publicKey, raw, url } from './peer-keys.ts';

const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();
const ascii = (text: string): Buffer => Buffer.from(text, 'ascii');
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const nothing = Buffer.alloc(0);

const kemSuite = Buffer.concat([ascii('KEM'), u16(0x20)]);
const hpkeSuite = Buffer.concat([ascii('HPKE'), u16(0x20), u16(1), u16(3)]);

const extract = (suite: Buffer, salt: Uint8Array, label: string, input: Uint8Array): Buffer =>
  hmac(salt, ascii('HPKE-v1'), suite, ascii(label), input);

/** `length` is at most 32 bytes: one block of HKDF-Expand. */
function expand(suite: Buffer, key: Uint8Array, label: string, info: Uint8Array, length: number): Buffer {
  const block = hmac(key, u16(length), ascii('HPKE-v1'), suite, ascii(label), info, Buffer.from([1]));
  return block.subarray(0, length);
}

function aeadOf(dh: Buffer, enc: Buffer, recipient: Buffer, info: string): { key: Buffer; nonce: Buffer } {
  const prk = extract(kemSuite, nothing, 'eae_prk', dh);
  const shared = expand(kemSuite, prk, 'shared_secret', Buffer.concat([enc, recipient]), 32);
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(hpkeSuite, nothing, 'psk_id_hash', nothing),
    extract(hpkeSuite, nothing, 'info_hash', ascii(info)),
  ]);
  const secret = extract(hpkeSuite, shared, 'secret', nothing);
  return {
    key: expand(hpkeSuite, secret, 'key', context, 32),
    nonce: expand(hpkeSuite, secret, 'base_nonce', context, 12),
  };
}

const cipher = 'chacha20-poly1305';
const tag = { authTagLength: 16 } as const;

export function aeadSeal(key: Buffer, nonce: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const made = createCipheriv(cipher, key, nonce, tag);
  made.setAAD(aad, { plaintextLength: plain.length });
  return Buffer.concat([made.update(plain), made.final(), made.getAuthTag()]);
}

/** Throws if authentication fails. */
export function aeadOpen(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const made = createDecipheriv(cipher, key, nonce, tag);
  made.setAAD(aad, { plaintextLength: sealed.length - 16 });
  made.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([made.update(sealed.subarray(0, -16)), made.final()]);
}

const dhOf = (secret: KeyObject, other: string): Buffer =>
  diffieHellman({ privateKey: secret, publicKey: publicKey('x25519', other) });

const messageInfo = 'puffo/msg-hpke/v1';
const wrapAad = (envelopeId: string, deviceId: string): Buffer =>
  Buffer.from(`puffo/message-envelope-wrap/v1${envelopeId}${deviceId}`);

export interface Wrapped {
  readonly device_id: string;
  readonly hpke_enc: string;
  readonly wrapped_content_key: string;
}

export function wrap(
  contentKey: Buffer,
  envelopeId: string,
  device: { readonly id: string; readonly kem: string },
): Wrapped {
  const own = pair('x25519');
  const enc = raw(own.public);
  const { key, nonce } = aeadOf(dhOf(own.secret, device.kem), enc, raw(device.kem), messageInfo);
  const sealed = aeadSeal(key, nonce, wrapAad(envelopeId, device.id), contentKey);
  return { device_id: device.id, hpke_enc: url(enc), wrapped_content_key: url(sealed) };
}

export function unwrap(entry: Wrapped, envelopeId: string, kem: Pair): Buffer {
  const dh = dhOf(kem.secret, entry.hpke_enc);
  const { key, nonce } = aeadOf(dh, raw(entry.hpke_enc), raw(kem.public), messageInfo);
  return aeadOpen(key, nonce, wrapAad(envelopeId, entry.device_id), raw(entry.wrapped_content_key));
}

export interface Outer {
  readonly envelope_id: string;
  readonly envelope_kind: 'channel' | 'dm';
  readonly sender_slug: string;
  readonly sent_at: number;
  readonly space_id: string | null;
  readonly channel_id: string | null;
  readonly recipient_slug: string | null;
}

const withLength = (text: string): Buffer => Buffer.concat([u16(Buffer.byteLength(text)), Buffer.from(text)]);

export function outerAad(outer: Outer): Buffer {
  const at = Buffer.alloc(8);
  at.writeBigInt64BE(BigInt(outer.sent_at));
  const channel = outer.envelope_kind === 'channel';
  return Buffer.concat([
    ascii('puffo/message-envelope-outer/v1'),
    Buffer.from(outer.envelope_id),
    Buffer.from([channel ? 1 : 2]),
    withLength(outer.sender_slug),
    at,
    channel ? Buffer.from(`${outer.space_id}${outer.channel_id}`) : withLength(outer.recipient_slug ?? ''),
  ]);
}

const fileAad = (mimeType: string, filename: string): Buffer =>
  Buffer.from(`puffo/attachment/v1\0${mimeType}\0${filename}`);

export interface FileMeta {
  readonly [member: string]: string | number;
  readonly blob_id: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: number;
  readonly key: string;
  readonly nonce: string;
}

export function sealFile(
  filename: string,
  mimeType: string,
  bytes: Buffer,
): { readonly blob: Buffer; meta(blobId: string): FileMeta } {
  const [key, nonce] = [randomBytes(32), randomBytes(12)];
  const rest = { filename, mime_type: mimeType, size: bytes.length, key: url(key), nonce: url(nonce) };
  return {
    blob: aeadSeal(key, nonce, fileAad(mimeType, filename), bytes),
    meta: (blobId) => ({ blob_id: blobId, ...rest }),
  };
}

export const openFile = (meta: FileMeta, blob: Buffer): Buffer =>
  aeadOpen(raw(meta.key), raw(meta.nonce), fileAad(meta.mime_type, meta.filename), blob);
