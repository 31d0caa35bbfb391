/**
 * node:crypto (OpenSSL, or BoringSSL inside Electron). Keys are imported and exported as JWK, never as DER,
 * which is far slower for X25519. Electron lacks ChaCha20-Poly1305 here, so noble's replaces it; noble's also
 * handles small messages, for which a call into OpenSSL costs more than the cipher.
 */
import * as nodeCrypto from 'node:crypto';
import { equalBytes, fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { AeadOpenStream, AeadSealStream, CryptoEngine, KeyPair } from '../../core/ports.ts';
import { Recent } from './key-cache.ts';
import { requireAead, requireLength } from './lengths.ts';
import { primeOrderPoint } from './prime-order.ts';

type Curve = 'Ed25519' | 'X25519';

const cipherName = 'chacha20-poly1305';
const cipherOptions = { authTagLength: 16 } as const;
/** The types require it; only CCM reads it. */
const aadOptions = { plaintextLength: 0 } as const;
/** Bytes below which noble's cipher is faster than a call into OpenSSL 3.5. */
const nodeCipherFrom = 1_024;

const hasNodeCipher = (): boolean => nodeCrypto.getCiphers().includes(cipherName);

function raw(member: string | undefined): Uint8Array {
  const bytes = fromBase64Url(member ?? '');
  if (bytes?.length !== 32) throw new Error('node:crypto exported an unexpected key');
  return bytes;
}

/**
 * The neutral point as R: libsodium and newer OpenSSL refuse it, Electron's BoringSSL and older OpenSSL do
 * not.
 */
const neutralPoint = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));

/** Generates a pair without exporting KeyObjects, which deadlocks Node 20 in a loop. */
function generate(curve: Curve): KeyPair {
  const options = { publicKeyEncoding: { format: 'jwk' }, privateKeyEncoding: { format: 'jwk' } };
  const make = nodeCrypto.generateKeyPairSync as unknown as (
    type: string,
    options: object,
  ) => { readonly privateKey: nodeCrypto.JsonWebKey };
  const { privateKey } = make(curve.toLowerCase(), options);
  return { secret: raw(privateKey.d), public: raw(privateKey.x) };
}

/**
 * PKCS #8 headers of a raw 32-byte secret; only for import, once per secret, if the public half is unknown.
 */
const pkcs8 = {
  Ed25519: '302e020100300506032b657004220420',
  X25519: '302e020100300506032b656e04220420',
} as const;

interface Secret {
  readonly bytes: Uint8Array;
  readonly key: nodeCrypto.KeyObject;
  readonly publicKey: Uint8Array;
}

function importSecret(curve: Curve, secret: Uint8Array): Secret {
  const der = Buffer.concat([Buffer.from(pkcs8[curve], 'hex'), secret]);
  const key = nodeCrypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = nodeCrypto.createPublicKey(key).export({ format: 'jwk' });
  return { bytes: secret.slice(), key, publicKey: raw(x) };
}

/** Caches parsed secrets by their buffer; a buffer with new content is parsed again. */
function secretsOf(curve: Curve): (secret: Uint8Array) => Secret {
  const parsed = new WeakMap<Uint8Array, Secret>();
  return (secret) => {
    requireLength(secret, 32, `${curve} secret`);
    const known = parsed.get(secret);
    if (known && equalBytes(known.bytes, secret)) return known;
    const fresh = importSecret(curve, secret);
    parsed.set(secret, fresh);
    return fresh;
  };
}

function publicKeysOf(curve: Curve): (publicKey: Uint8Array) => nodeCrypto.KeyObject {
  const parsed = new Recent<nodeCrypto.KeyObject>(2_000);
  return (publicKey) =>
    parsed.get(publicKey, () =>
      nodeCrypto.createPublicKey({
        key: { kty: 'OKP', crv: curve, x: toBase64Url(publicKey) },
        format: 'jwk',
      }),
    );
}

type Curves = Pick<
  CryptoEngine,
  'ed25519KeyPair' | 'ed25519Sign' | 'ed25519Verify' | 'x25519KeyPair' | 'x25519'
>;

function curves(): Curves {
  const signing = secretsOf('Ed25519');
  const agreeing = secretsOf('X25519');
  const verifying = publicKeysOf('Ed25519');
  const peers = publicKeysOf('X25519');
  return {
    ed25519KeyPair: (seed) =>
      seed ? { secret: seed, public: signing(seed).publicKey } : generate('Ed25519'),
    ed25519Sign: (message, seed) => new Uint8Array(nodeCrypto.sign(null, message, signing(seed).key)),
    ed25519Verify(signature, message, publicKey) {
      if (signature.length !== 64 || publicKey.length !== 32) return false;
      if (!primeOrderPoint(publicKey)) return false;
      if (equalBytes(signature.subarray(0, 32), neutralPoint)) return false;
      return nodeCrypto.verify(null, message, verifying(publicKey), signature);
    },
    x25519KeyPair: (secret) => (secret ? { secret, public: agreeing(secret).publicKey } : generate('X25519')),
    x25519(secret, publicKey) {
      requireLength(publicKey, 32, 'X25519 public key');
      const privateKey = agreeing(secret).key;
      try {
        const shared = nodeCrypto.diffieHellman({ privateKey, publicKey: peers(publicKey) });
        return shared.every((byte) => byte === 0) ? null : new Uint8Array(shared);
      } catch {
        return null;
      }
    },
  };
}

function nodeSealStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadSealStream {
  requireAead(key, nonce);
  const cipher = nodeCrypto.createCipheriv(cipherName, key, nonce, cipherOptions);
  cipher.setAAD(aad, aadOptions);
  return {
    update: (piece) => cipher.update(piece),
    finish() {
      cipher.final();
      return new Uint8Array(cipher.getAuthTag());
    },
  };
}

function nodeOpenStream(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): AeadOpenStream {
  requireAead(key, nonce);
  const decipher = nodeCrypto.createDecipheriv(cipherName, key, nonce, cipherOptions);
  decipher.setAAD(aad, aadOptions);
  return {
    update: (piece) => decipher.update(piece),
    finish(tag) {
      if (tag.length !== 16) return false;
      try {
        decipher.setAuthTag(tag);
        decipher.final();
        return true;
      } catch {
        return false;
      }
    },
  };
}

function sealWhole(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const stream = nodeSealStream(key, nonce, aad);
  const out = new Uint8Array(plaintext.length + 16);
  out.set(stream.update(plaintext));
  out.set(stream.finish(), plaintext.length);
  return out;
}

function openWhole(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  sealed: Uint8Array,
): Uint8Array | null {
  const stream = nodeOpenStream(key, nonce, aad);
  const out = stream.update(sealed.subarray(0, -16));
  return stream.finish(sealed.subarray(-16)) ? new Uint8Array(out) : null;
}

/** `noble` provides what node:crypto lacks or does more slowly. */
export function createNodeEngine(noble: CryptoEngine, hasCipher: boolean = hasNodeCipher()): CryptoEngine {
  return {
    name: 'node',
    randomBytes: (length) => new Uint8Array(nodeCrypto.randomBytes(length)),
    sha256: (data) => new Uint8Array(nodeCrypto.createHash('sha256').update(data).digest()),
    hmacSha256: noble.hmacSha256,
    ...curves(),
    aeadSeal: (key, nonce, aad, plaintext) =>
      hasCipher && plaintext.length >= nodeCipherFrom
        ? sealWhole(key, nonce, aad, plaintext)
        : noble.aeadSeal(key, nonce, aad, plaintext),
    aeadOpen: (key, nonce, aad, sealed) =>
      hasCipher && sealed.length >= nodeCipherFrom
        ? openWhole(key, nonce, aad, sealed)
        : noble.aeadOpen(key, nonce, aad, sealed),
    aeadSealStream: hasCipher ? nodeSealStream : noble.aeadSealStream,
    aeadOpenStream: hasCipher ? nodeOpenStream : noble.aeadOpenStream,
  };
}
