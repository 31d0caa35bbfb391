/**
 * Wraps secrets with a master key. It promises that a wrapped value opens only under its label and only with
 * the key that wrapped it, and that no key can be read from the box.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { concat, fromBase64Url, toBase64Url, toHex, utf8 } from '../../core/lib/bytes.ts';
import type { CryptoEngine, SecretBox, VaultKind } from '../../core/ports.ts';

export const masterKeyBytes = 32;
const nonceBytes = 12;
const wrappedPattern = /^k1[.]([0-9a-f]{16})[.]([A-Za-z0-9_-]+)$/;

export const isWrapped = (text: string): boolean => wrappedPattern.test(text);

/** Identifies a key without revealing anything about it. */
export const masterKeyId = (crypto: CryptoEngine, master: Uint8Array): string =>
  toHex(crypto.sha256(concat(utf8('kennel/master-key-id/v1\0'), master)).subarray(0, 8));

const labelAad = (label: string): Uint8Array => utf8(`kennel/secret/v1\0${label}`);

/** `k1.<key id>.<base64url of nonce ‖ ciphertext ‖ tag>` */
export function wrapWith(
  crypto: CryptoEngine,
  master: Uint8Array,
  label: string,
  secret: Uint8Array,
): string {
  const nonce = crypto.randomBytes(nonceBytes);
  const sealed = crypto.aeadSeal(master, nonce, labelAad(label), secret);
  return `k1.${masterKeyId(crypto, master)}.${toBase64Url(concat(nonce, sealed))}`;
}

const refused = (label: string): Result<never> =>
  err(fail('corrupt', 'secrets.storedSecretDamaged', {}, { where: label }));

export function unwrapWith(
  crypto: CryptoEngine,
  keyById: (id: string) => Uint8Array | null,
  label: string,
  wrapped: string,
): Result<Uint8Array> {
  const [, id, body] = wrappedPattern.exec(wrapped) ?? [];
  const master = id === undefined ? null : keyById(id);
  const bytes = body === undefined ? null : fromBase64Url(body);
  if (!master || !bytes || bytes.length <= nonceBytes) return refused(label);
  const secret = crypto.aeadOpen(
    master,
    bytes.subarray(0, nonceBytes),
    labelAad(label),
    bytes.subarray(nonceBytes),
  );
  return secret ? ok(secret) : refused(label);
}

export interface BoxKeys {
  readonly current: Uint8Array;
  /** Earlier keys: they still unwrap, and never wrap again. */
  readonly retired: readonly Uint8Array[];
}

export function createSecretBox(
  crypto: CryptoEngine,
  kind: VaultKind,
  backend: string,
  keys: BoxKeys,
): SecretBox {
  const byId = new Map([keys.current, ...keys.retired].map((key) => [masterKeyId(crypto, key), key]));
  return {
    kind,
    backend,
    wrap: (label, secret) => wrapWith(crypto, keys.current, label, secret),
    unwrap: (label, wrapped) => unwrapWith(crypto, (id) => byId.get(id) ?? null, label, wrapped),
  };
}
