/**
 * Binary layouts of the additional data that binds a ciphertext to its context (spec §1.5). Some layouts have
 * no delimiters, so empty fields are refused to avoid ambiguity.
 */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { concat, utf8 } from '../lib/bytes.ts';
import { refuseWire } from './refusal.ts';

const outerLabel = utf8('puffo/message-envelope-outer/v1');
const wrapLabel = utf8('puffo/message-envelope-wrap/v1');
const rootKeyLabel = utf8('puffo/root-key-envelope/v1');
const attachmentLabel = utf8('puffo/attachment/v1\0');
const separator = Uint8Array.of(0);

/** No client writes it so far; readers try it for `file_reference` attachments (spec §3.4). */
export const blobAad = utf8('puffo/blob/v1');

export const messageHpkeInfo = utf8('puffo/msg-hpke/v1');
export const rootKeyHpkeInfo = utf8('puffo/rke-hpke/v1');

export interface OuterRoute {
  readonly envelopeId: string;
  readonly kind: string;
  readonly senderSlug: string;
  /** ms since the epoch; a bigint if the full signed 64-bit range matters. */
  readonly sentAt: number | bigint;
  readonly spaceId?: string | null | undefined;
  readonly channelId?: string | null | undefined;
  readonly recipientSlug?: string | null | undefined;
}

/** u16 big-endian length, then the bytes. */
function lengthPrefixed(name: string, value: string): Result<Uint8Array> {
  if (value === '') return refuseWire('empty_field', say('server.fieldEmpty', { name }));
  const bytes = utf8(value);
  if (bytes.length > 65_535) return refuseWire('field_too_long', say('server.fieldTooLarge', { name }));
  return ok(concat(Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes));
}

function signed64(sentAt: number | bigint): Result<Uint8Array> {
  const whole = typeof sentAt === 'bigint' || Number.isSafeInteger(sentAt);
  const value = whole ? BigInt(sentAt) : -1n;
  if (value < 0n || value > 2n ** 63n - 1n) {
    return refuseWire('time_out_of_range', say('server.invalidSentAt'));
  }
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigInt64(0, value);
  return ok(out);
}

function routeBytes(route: OuterRoute): Result<Uint8Array> {
  if (route.kind === 'dm') {
    const { recipientSlug } = route;
    if (recipientSlug == null) return refuseWire('missing_route', say('server.recipientMissing'));
    return lengthPrefixed('recipient_slug', recipientSlug);
  }
  const { spaceId, channelId } = route;
  if (spaceId == null || channelId == null) {
    return refuseWire('missing_route', say('server.channelRouteMissing'));
  }
  if (spaceId === '' || channelId === '') return refuseWire('empty_field', say('server.routeFieldsEmpty'));
  return ok(concat(utf8(spaceId), utf8(channelId)));
}

/** Binds the content ciphertext to id, kind, sender, time and route. */
export function messageOuterAad(route: OuterRoute): Result<Uint8Array> {
  if (route.kind !== 'channel' && route.kind !== 'dm') {
    return refuseWire('unknown_kind', say('server.unknownRouteKind', { kind: route.kind }));
  }
  if (route.envelopeId === '') return refuseWire('empty_field', say('server.envelopeIdEmpty'));
  const sender = lengthPrefixed('sender_slug', route.senderSlug);
  if (!sender.ok) return sender;
  const time = signed64(route.sentAt);
  if (!time.ok) return time;
  const target = routeBytes(route);
  if (!target.ok) return target;
  const kind = Uint8Array.of(route.kind === 'channel' ? 1 : 2);
  return ok(concat(outerLabel, utf8(route.envelopeId), kind, sender.value, time.value, target.value));
}

/** Binds a wrapped content key to its envelope and device. */
export function wrapAad(envelopeId: string, deviceId: string): Result<Uint8Array> {
  if (envelopeId === '' || deviceId === '') return refuseWire('empty_field', say('server.wrapFieldsEmpty'));
  return ok(concat(wrapLabel, utf8(envelopeId), utf8(deviceId)));
}

/** All three parts have 32 bytes. */
export function rootKeyAad(
  nonce: Uint8Array,
  recipientKemKey: Uint8Array,
  fingerprint: Uint8Array,
): Result<Uint8Array> {
  if ([nonce, recipientKemKey, fingerprint].some((part) => part.length !== 32)) {
    return refuseWire('malformed', say('server.invalidRootKeyFields'));
  }
  return ok(concat(rootKeyLabel, nonce, recipientKemKey, fingerprint));
}

/** Name and type are authenticated with the bytes; blob id and size are not. */
export function attachmentAad(mimeType: string, filename: string): Result<Uint8Array> {
  if (mimeType === '' || filename === '') return refuseWire('empty_field', say('server.fileFieldsEmpty'));
  return ok(concat(attachmentLabel, utf8(mimeType), separator, utf8(filename)));
}
