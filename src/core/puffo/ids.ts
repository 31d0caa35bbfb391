/** Every identifier of the protocol (spec §1.2): derived from keys where a key is named, random elsewhere. */
import { concat, toBase64Url, toHex, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';

const fingerprintLabel = utf8('puffo/root-public-key-fingerprint/v1\0ed25519\0');

/** `dev_` + base64url(SHA-256(device Ed25519 public key)). */
export const deviceIdOf = (engine: CryptoEngine, publicKey: Uint8Array): string =>
  `dev_${toBase64Url(engine.sha256(publicKey))}`;

/** `sk_` + base64url(SHA-256(subkey Ed25519 public key)). */
export const subkeyIdOf = (engine: CryptoEngine, publicKey: Uint8Array): string =>
  `sk_${toBase64Url(engine.sha256(publicKey))}`;

/** 32 bytes, comparable between people and bound into root-key envelopes. */
export const rootFingerprint = (engine: CryptoEngine, rootPublicKey: Uint8Array): Uint8Array =>
  engine.sha256(concat(fingerprintLabel, rootPublicKey));

export const newEnvelopeId = (random: Random): string => `msg_${random.uuid()}`;
export const newEventId = (random: Random): string => `ev_${random.uuid()}`;
export const newSpaceId = (random: Random): string => `sp_${random.uuid()}`;
export const newChannelId = (random: Random): string => `ch_${random.uuid()}`;
export const newRunId = (random: Random): string => `run_${toHex(random.bytes(16))}`;

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const isEnvelopeId = (id: string): boolean => id.startsWith('msg_') && uuidV4.test(id.slice(4));

/** Messages that the host itself makes for an agent (spec §6.5): no server knows them, and none may send one. */
export const localEnvelopePrefix = 'intro-prompt-';

export const isLocalEnvelopeId = (id: string): boolean => id.startsWith(localEnvelopePrefix);

/** A name of somebody that may become a file's or stand in a command: one component, no leading dot. Servers may send any text. */
export const isSlug = (text: string): boolean => /^[a-zA-Z0-9_][\w.@-]{0,199}$/.test(text);
