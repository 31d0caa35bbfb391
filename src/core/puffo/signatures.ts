/** Signs and verifies JSON objects: Ed25519 over the canonical bytes, base64url in the object. */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import { type JsonRecord, signingInput } from './canonical-json.ts';
import { refuseWire } from './refusal.ts';

/** base64url of the signature over `object` without its signature members. */
export function signObject(engine: CryptoEngine, object: JsonRecord, seed: Uint8Array): Result<string> {
  const input = signingInput(object);
  return input.ok ? ok(toBase64Url(engine.ed25519Sign(input.value, seed))) : input;
}

/** Errors: `bad_signature`, `bad_key` or `not_canonical`. `publicKey` is base64url. */
export function verifyObject(
  engine: CryptoEngine,
  object: JsonRecord,
  signature: unknown,
  publicKey: string,
): Result<void> {
  const input = signingInput(object);
  if (!input.ok) return input;
  return verifyBytes(engine, input.value, signature, publicKey);
}

export function verifyBytes(
  engine: CryptoEngine,
  message: Uint8Array,
  signature: unknown,
  publicKey: string,
): Result<void> {
  const key = fromBase64Url(publicKey);
  if (key?.length !== 32) return refuseWire('bad_key', say('server.invalidPublicKey'));
  const bytes = typeof signature === 'string' ? fromBase64Url(signature) : null;
  if (bytes?.length !== 64 || !engine.ed25519Verify(bytes, message, key)) {
    return refuseWire('bad_signature', say('server.invalidSignature'));
  }
  return ok(undefined);
}
