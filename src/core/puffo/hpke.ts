/**
 * HPKE (RFC 9180) in base mode, single shot, for the protocol's only suite: DHKEM(X25519, HKDF-SHA256),
 * HKDF-SHA256, ChaCha20-Poly1305. Both sides refuse low-order keys, and so all-zero shared secrets (§7.1.4).
 */
import { concat, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../ports.ts';

const version = utf8('HPKE-v1');
const kemSuite = Uint8Array.of(0x4b, 0x45, 0x4d, 0, 0x20);
const hpkeSuite = Uint8Array.of(0x48, 0x50, 0x4b, 0x45, 0, 0x20, 0, 1, 0, 3);
const none = new Uint8Array(0);

/** Constant prefixes of the labelled derivations, joined once. */
const extractPrefix = (suite: Uint8Array, label: string) => concat(version, suite, utf8(label));
const expandPrefix = (suite: Uint8Array, label: string, length: number) =>
  concat(Uint8Array.of(length >> 8, length & 255), version, suite, utf8(label));

const eaePrk = extractPrefix(kemSuite, 'eae_prk');
const sharedSecretLabel = expandPrefix(kemSuite, 'shared_secret', 32);
const secretLabel = extractPrefix(hpkeSuite, 'secret');
const keyLabel = expandPrefix(hpkeSuite, 'key', 32);
const baseNonceLabel = expandPrefix(hpkeSuite, 'base_nonce', 12);
const counterOne = Uint8Array.of(1);
/** HKDF-Extract without a salt uses a salt of hash length, all zero. */
const noSalt = new Uint8Array(32);

/** Part of the key schedule that depends on `info` alone: the full inputs of its last two derivations. */
interface Context {
  readonly key: Uint8Array;
  readonly baseNonce: Uint8Array;
}

/** Cached per engine; the protocol has only two infos. */
const contexts = new WeakMap<CryptoEngine, Map<string, Context>>();

function contextFor(engine: CryptoEngine, info: Uint8Array): Context {
  const known = contexts.get(engine) ?? new Map<string, Context>();
  contexts.set(engine, known);
  const name = String.fromCharCode(...info);
  const cached = known.get(name);
  if (cached) return cached;
  const pskIdHash = engine.hmacSha256(noSalt, extractPrefix(hpkeSuite, 'psk_id_hash'));
  const infoHash = engine.hmacSha256(noSalt, concat(extractPrefix(hpkeSuite, 'info_hash'), info));
  const modeAndHashes = concat(Uint8Array.of(0), pskIdHash, infoHash, counterOne);
  const context = { key: concat(keyLabel, modeAndHashes), baseNonce: concat(baseNonceLabel, modeAndHashes) };
  if (known.size < 8) known.set(name, context);
  return context;
}

interface Schedule {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/**
 * Every expansion is at most 32 bytes, so each is one HMAC over label, context and the counter 1 (RFC 5869
 * §2.3).
 */
function schedule(
  engine: CryptoEngine,
  dh: Uint8Array,
  enc: Uint8Array,
  recipientKey: Uint8Array,
  info: Uint8Array,
): Schedule {
  const context = contextFor(engine, info);
  const prk = engine.hmacSha256(noSalt, concat(eaePrk, dh));
  const shared = engine.hmacSha256(prk, concat(sharedSecretLabel, enc, recipientKey, counterOne));
  const secret = engine.hmacSha256(shared, secretLabel);
  return {
    key: engine.hmacSha256(secret, context.key),
    nonce: engine.hmacSha256(secret, context.baseNonce).subarray(0, 12),
  };
}

export interface HpkeSealed {
  /** 32 bytes. */
  readonly enc: Uint8Array;
  /** Plaintext length + 16 bytes. */
  readonly ciphertext: Uint8Array;
}

/**
 * `null` if the recipient's key is of low order. The engine creates a fresh ephemeral key unless a test
 * passes one.
 */
export function hpkeSeal(
  engine: CryptoEngine,
  recipientKey: Uint8Array,
  info: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  ephemeral: KeyPair = engine.x25519KeyPair(),
): HpkeSealed | null {
  const dh = engine.x25519(ephemeral.secret, recipientKey);
  if (!dh) return null;
  const { key, nonce } = schedule(engine, dh, ephemeral.public, recipientKey, info);
  return { enc: ephemeral.public, ciphertext: engine.aeadSeal(key, nonce, aad, plaintext) };
}

/**
 * `null` if `enc` is of low order or the tag is invalid. `recipient` is the whole key pair, because its
 * public key is hashed, too.
 */
export function hpkeOpen(
  engine: CryptoEngine,
  recipient: KeyPair,
  sealed: HpkeSealed,
  info: Uint8Array = none,
  aad: Uint8Array = none,
): Uint8Array | null {
  if (sealed.enc.length !== 32) return null;
  const dh = engine.x25519(recipient.secret, sealed.enc);
  if (!dh) return null;
  const { key, nonce } = schedule(engine, dh, sealed.enc, recipient.public, info);
  return engine.aeadOpen(key, nonce, aad, sealed.ciphertext);
}
