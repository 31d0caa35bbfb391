/**
 * The fast engine: libsodium through sodium-native, in plain memory (its guarded allocator is not available
 * inside Electron). HMAC is built on its SHA-256, because the calls for small inputs cost more than the hash
 * itself.
 */
import type sodiumModule from 'sodium-native';
import { equalBytes } from '../../core/lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../../core/ports.ts';
import { composedOpenStream, composedSealStream, type StreamParts } from './composed-stream.ts';
import { Recent } from './key-cache.ts';
import { requireAead, requireLength } from './lengths.ts';

type Sodium = typeof sodiumModule;

/** HMAC-SHA256 (RFC 2104) with one scratch buffer, which is safe because the code is synchronous. */
function hmacWith(sodium: Sodium): (key: Uint8Array, data: Uint8Array) => Uint8Array {
  let inner = new Uint8Array(64 + 1024);
  const outer = new Uint8Array(96);
  const digest = outer.subarray(64);
  const hashed = new Uint8Array(32);
  return (key, data) => {
    if (inner.length < 64 + data.length) inner = new Uint8Array(64 + data.length);
    let short = key;
    if (key.length > 64) {
      sodium.crypto_hash_sha256(hashed, key);
      short = hashed;
    }
    inner.fill(0x36, 0, 64);
    outer.fill(0x5c, 0, 64);
    for (let i = 0; i < short.length; i += 1) {
      const byte = short[i] ?? 0;
      inner[i] = byte ^ 0x36;
      outer[i] = byte ^ 0x5c;
    }
    inner.set(data, 64);
    const out = new Uint8Array(32);
    sodium.crypto_hash_sha256(digest, inner.subarray(0, 64 + data.length));
    sodium.crypto_hash_sha256(out, outer);
    return out;
  };
}

/** libsodium signs with seed ‖ public key; the expanded key is cached by the seed's buffer. */
function signerWith(sodium: Sodium): (message: Uint8Array, seed: Uint8Array) => Uint8Array {
  const expanded = new WeakMap<Uint8Array, Uint8Array>();
  const expand = (seed: Uint8Array): Uint8Array => {
    const known = expanded.get(seed);
    // The content of the buffer may have changed since.
    if (known && equalBytes(known.subarray(0, 32), seed)) return known;
    const secretKey = new Uint8Array(64);
    sodium.crypto_sign_seed_keypair(new Uint8Array(32), secretKey, seed);
    expanded.set(seed, secretKey);
    return secretKey;
  };
  return (message, seed) => {
    requireLength(seed, 32, 'Ed25519 seed');
    const signature = new Uint8Array(64);
    sodium.crypto_sign_detached(signature, message, expand(seed));
    return signature;
  };
}

/**
 * libsodium already refuses small-order and non-canonical keys; this also refuses keys with a torsion part.
 */
function verifierWith(sodium: Sodium): CryptoEngine['ed25519Verify'] {
  const valid = new Recent<boolean>(10_000);
  return (signature, message, publicKey) => {
    if (signature.length !== 64 || publicKey.length !== 32) return false;
    return (
      sodium.crypto_sign_verify_detached(signature, message, publicKey) &&
      valid.get(publicKey, () => sodium.crypto_core_ed25519_is_valid_point(publicKey))
    );
  };
}

function streamParts(sodium: Sodium, key: Uint8Array, nonce: Uint8Array): StreamParts {
  return {
    xor: (input, block, output) =>
      sodium.crypto_stream_chacha20_ietf_xor_ic(output, input, nonce, block, key),
    mac(oneTimeKey) {
      const state = new Uint8Array(sodium.crypto_onetimeauth_STATEBYTES);
      sodium.crypto_onetimeauth_init(state, oneTimeKey);
      return {
        update: (data) => {
          if (data.length > 0) sodium.crypto_onetimeauth_update(state, data);
        },
        tag() {
          const tag = new Uint8Array(16);
          sodium.crypto_onetimeauth_final(state, tag);
          return tag;
        },
      };
    },
  };
}

function curve(sodium: Sodium): Pick<CryptoEngine, 'ed25519KeyPair' | 'x25519KeyPair' | 'x25519'> {
  const random = (): Uint8Array => {
    const out = new Uint8Array(32);
    sodium.randombytes_buf(out);
    return out;
  };
  return {
    ed25519KeyPair(seed): KeyPair {
      const secret = seed ?? random();
      requireLength(secret, 32, 'Ed25519 seed');
      const publicKey = new Uint8Array(32);
      sodium.crypto_sign_seed_keypair(publicKey, new Uint8Array(64), secret);
      return { secret, public: publicKey };
    },
    x25519KeyPair(given): KeyPair {
      const secret = given ?? random();
      requireLength(secret, 32, 'X25519 secret');
      const publicKey = new Uint8Array(32);
      sodium.crypto_scalarmult_base(publicKey, secret);
      return { secret, public: publicKey };
    },
    x25519(secret, publicKey) {
      requireLength(secret, 32, 'X25519 secret');
      requireLength(publicKey, 32, 'X25519 public key');
      const out = new Uint8Array(32);
      try {
        sodium.crypto_scalarmult(out, secret, publicKey);
        return out;
      } catch {
        return null;
      }
    },
  };
}

function aead(
  sodium: Sodium,
): Pick<CryptoEngine, 'aeadSeal' | 'aeadOpen' | 'aeadSealStream' | 'aeadOpenStream'> {
  return {
    aeadSeal(key, nonce, aad, plaintext) {
      requireAead(key, nonce);
      const out = new Uint8Array(plaintext.length + 16);
      sodium.crypto_aead_chacha20poly1305_ietf_encrypt(out, plaintext, aad, null, nonce, key);
      return out;
    },
    aeadOpen(key, nonce, aad, sealed) {
      requireAead(key, nonce);
      if (sealed.length < 16) return null;
      const out = new Uint8Array(sealed.length - 16);
      try {
        sodium.crypto_aead_chacha20poly1305_ietf_decrypt(out, null, sealed, aad, nonce, key);
        return out;
      } catch {
        return null;
      }
    },
    aeadSealStream(key, nonce, aad) {
      requireAead(key, nonce);
      return composedSealStream(streamParts(sodium, key, nonce), aad);
    },
    aeadOpenStream(key, nonce, aad) {
      requireAead(key, nonce);
      return composedOpenStream(streamParts(sodium, key, nonce), aad);
    },
  };
}

export function createSodiumEngine(sodium: Sodium): CryptoEngine {
  return {
    name: 'sodium',
    randomBytes(length) {
      const out = new Uint8Array(length);
      sodium.randombytes_buf(out);
      return out;
    },
    sha256(data) {
      const out = new Uint8Array(32);
      sodium.crypto_hash_sha256(out, data);
      return out;
    },
    hmacSha256: hmacWith(sodium),
    ed25519Sign: signerWith(sodium),
    ed25519Verify: verifierWith(sodium),
    ...curve(sodium),
    ...aead(sodium),
  };
}
