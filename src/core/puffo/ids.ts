/** Identifiers of the protocol (spec §1.2): derived from a key if one is named, otherwise random. */
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import { concat, toBase64Url, toHex, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';

const fingerprintLabel = utf8('puffo/root-public-key-fingerprint/v1\0ed25519\0');

/** `dev_` + base64url(SHA-256(device Ed25519 public key)). */
export const deviceIdOf = (engine: CryptoEngine, publicKey: Uint8Array): DeviceId =>
  `dev_${toBase64Url(engine.sha256(publicKey))}`;

/** `sk_` + base64url(SHA-256(subkey Ed25519 public key)). */
export const subkeyIdOf = (engine: CryptoEngine, publicKey: Uint8Array): SubkeyId =>
  `sk_${toBase64Url(engine.sha256(publicKey))}`;

/** 32 bytes; people compare it, and root-key envelopes are bound to it. */
export const rootFingerprint = (engine: CryptoEngine, rootPublicKey: Uint8Array): Uint8Array =>
  engine.sha256(concat(fingerprintLabel, rootPublicKey));

export const newEnvelopeId = (random: Random): MessageId => `msg_${random.uuid()}`;
export const newEventId = (random: Random): EventId => `ev_${random.uuid()}`;
export const newSpaceId = (random: Random): SpaceId => `sp_${random.uuid()}`;
export const newChannelId = (random: Random): ChannelId => `ch_${random.uuid()}`;
export const newRunId = (random: Random): string => `run_${toHex(random.bytes(16))}`;

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const isEnvelopeId = (id: string): boolean => id.startsWith('msg_') && uuidV4.test(id.slice(4));

/**
 * Messages that the host itself creates for an agent (spec §6.5): servers do not know them, and none may send
 * one.
 */
export const localEnvelopePrefix = 'intro-prompt-';

export const isLocalEnvelopeId = (id: string): boolean => id.startsWith(localEnvelopePrefix);

/**
 * Ids from a server, each parsed once at the boundary; later code uses these types. After the prefix the
 * protocol has a UUID or a hash; 1 to 128 characters of base64url are accepted, for newer servers. No id
 * contains key separators (`|`, `:`, `/`), dots or line breaks.
 */
export type MessageId = `msg_${string}`;
export type EventId = `ev_${string}`;
export type SubkeyId = `sk_${string}`;
export type DeviceId = `dev_${string}`;

const tail = /^[A-Za-z0-9_-]{1,128}$/;
const idOf =
  <Prefix extends string>(prefix: Prefix) =>
  (text: unknown): text is `${Prefix}${string}` =>
    typeof text === 'string' && text.startsWith(prefix) && tail.test(text.slice(prefix.length));

export const isMessageId = idOf('msg_');
export const isEventId = idOf('ev_');
export const isSubkeyId = idOf('sk_');
export const isDeviceId = idOf('dev_');
