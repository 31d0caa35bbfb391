/** Keys, identities and fixed random bytes of the recorded wire cases, read from their own file. */
import { fromBase64Url, toBase64Url } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine, KeyPair, Random } from '../../src/core/ports.ts';
import { foldRegistry, type VerifiedIdentity } from '../../src/core/puffo/registry.ts';
import { must } from './case.ts';

export type Json = Readonly<Record<string, unknown>>;
export type WireFile = Json;

export function bytes(text: unknown): Uint8Array {
  const out = typeof text === 'string' ? fromBase64Url(text) : null;
  if (!out) throw new Error(`not base64url: ${String(text)}`);
  return out;
}

export const hexOf = (data: Uint8Array): string => Buffer.from(data).toString('hex');
export const unhex = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'hex'));
export const text = (data: Uint8Array): string => Buffer.from(data).toString('utf8');

interface KeyRow {
  readonly alg: string;
  readonly secret: string;
  readonly public: string;
}

const keyRows = (file: WireFile): Readonly<Record<string, KeyRow>> =>
  (file.keys ?? {}) as Readonly<Record<string, KeyRow>>;

/** A key by its name; a remark may follow the name. */
export function keyNamed(file: WireFile, name: string): KeyPair {
  const row = keyRows(file)[name] ?? keyRows(file)[name.split(/\s/)[0] ?? ''];
  if (!row) throw new Error(`the file has no key ${name}`);
  return { secret: bytes(row.secret), public: bytes(row.public) };
}

export function keyByPublic(file: WireFile, publicKey: string): KeyPair {
  const row = Object.values(keyRows(file)).find((each) => each.public === publicKey);
  if (!row) throw new Error(`the file has no secret for ${publicKey}`);
  return { secret: bytes(row.secret), public: bytes(row.public) };
}

export interface CertRow {
  readonly cert: Json;
  readonly signing_input_utf8: string;
  readonly signing_input_sha256_hex?: string;
  readonly signer_public_key: string;
  readonly signature: string;
}

export const certRows = (file: WireFile): Readonly<Record<string, CertRow>> =>
  (file.certs ?? {}) as Readonly<Record<string, CertRow>>;

/**
 * The identity of a slug, folded from the certificates in the file by the product's registry. Skips the
 * file's revocations: they only show the format, and name devices that the other cases use.
 */
export function identityOf(engine: CryptoEngine, file: WireFile, slug: string): VerifiedIdentity {
  const certs = Object.values(certRows(file))
    .map((row) => row.cert)
    .filter((cert) => cert.type !== 'device_revocation');
  const binding = certs.find((cert) => cert.type === 'slug_binding' && cert.slug === slug);
  const root = binding?.root_public_key;
  const devices = certs.filter((cert) => cert.type === 'device_cert' && cert.root_public_key === root);
  const ids = new Set(devices.map((cert) => cert.device_id));
  const own = certs.filter((cert) =>
    cert.type === 'subkey_cert' ? ids.has(cert.device_id) : cert.root_public_key === root,
  );
  const entries = own.map((cert, i) => ({ seq: i + 1, kind: String(cert.type), slug, cert }));
  return must(foldRegistry(engine, slug, entries, { pinnedRoot: null }), `the identity of ${slug}`);
}

/** The engine without randomness: returns the given bytes in order of the requests, by length. */
export function scripted(
  engine: CryptoEngine,
  chance: readonly Uint8Array[],
  ephemeral?: KeyPair,
): CryptoEngine {
  const left = [...chance];
  return {
    ...engine,
    randomBytes(length) {
      const at = left.findIndex((each) => each.length === length);
      const next = left[at];
      if (!next) throw new Error(`the case does not say which ${length} random bytes to use`);
      left.splice(at, 1);
      return next;
    },
    x25519KeyPair: (secret) => (secret || !ephemeral ? engine.x25519KeyPair(secret) : ephemeral),
  };
}

export const fixedRandom = (nonce: Uint8Array): Random => ({
  bytes: () => nonce,
  uuid: () => '00000000-0000-4000-8000-000000000000',
  fraction: () => 0,
});

/** The same base64url text with a changed first byte. */
export const changed = (encoded: string): string => {
  const data = bytes(encoded).slice();
  data[0] = (data[0] ?? 0) ^ 1;
  return toBase64Url(data);
};
