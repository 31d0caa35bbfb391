/**
 * The reference engine in plain JavaScript: always available, slow, and the standard for the others. Its
 * Ed25519 verification is cofactorless and byte-exact, so that all engines agree on every input.
 */

import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { equalBytes } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { composedOpenStream, composedSealStream, type StreamParts } from './composed-stream.ts';
import { requireAead, requireLength } from './lengths.ts';
import { Point, primeOrderPoint } from './prime-order.ts';

function leToBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(bytes[i] ?? 0);
  return value;
}

function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const point = primeOrderPoint(publicKey);
  if (!point) return false;
  const r = signature.subarray(0, 32);
  const s = leToBigInt(signature.subarray(32));
  const order = Point.Fn.ORDER;
  if (s >= order) return false;
  const hash = sha512.create().update(r).update(publicKey).update(message).digest();
  const k = leToBigInt(hash) % order;
  // S·B − k·A must equal R byte for byte. R of small order is refused although a freely chosen k could
  // satisfy this.
  const expected = Point.BASE.multiplyUnsafe(s).subtract(point.multiplyUnsafe(k));
  return !expected.isSmallOrder() && equalBytes(expected.toBytes(), r);
}

function parts(key: Uint8Array, nonce: Uint8Array): StreamParts {
  return {
    xor: (input, block, output) => void chacha20(key, nonce, input, output, block),
    mac(oneTimeKey) {
      const state = poly1305.create(oneTimeKey);
      return { update: (data) => void state.update(data), tag: () => state.digest() };
    },
  };
}

function sharedSecret(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  requireLength(secret, 32, 'X25519 secret');
  requireLength(publicKey, 32, 'X25519 public key');
  try {
    return x25519.getSharedSecret(secret, publicKey);
  } catch {
    return null;
  }
}

function open(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  requireAead(key, nonce);
  if (sealed.length < 16) return null;
  try {
    return chacha20poly1305(key, nonce, aad).decrypt(sealed);
  } catch {
    return null;
  }
}

export function createNobleEngine(): CryptoEngine {
  return {
    name: 'noble',
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sha256: (data) => sha256(data),
    hmacSha256: (key, data) => hmac(sha256, key, data),
    ed25519KeyPair(seed) {
      const secret = seed ?? crypto.getRandomValues(new Uint8Array(32));
      requireLength(secret, 32, 'Ed25519 seed');
      return { secret, public: ed25519.getPublicKey(secret) };
    },
    ed25519Sign: (message, seed) => ed25519.sign(message, seed),
    ed25519Verify: verify,
    x25519KeyPair(given) {
      const secret = given ?? crypto.getRandomValues(new Uint8Array(32));
      requireLength(secret, 32, 'X25519 secret');
      return { secret, public: x25519.getPublicKey(secret) };
    },
    x25519: sharedSecret,
    aeadSeal(key, nonce, aad, plaintext) {
      requireAead(key, nonce);
      return chacha20poly1305(key, nonce, aad).encrypt(plaintext);
    },
    aeadOpen: open,
    aeadSealStream(key, nonce, aad) {
      requireAead(key, nonce);
      return composedSealStream(parts(key, nonce), aad);
    },
    aeadOpenStream(key, nonce, aad) {
      requireAead(key, nonce);
      return composedOpenStream(parts(key, nonce), aad);
    },
  };
}
