/**
 * Transfers the root seed to a new device of the same person (spec §1.4, §1.5): sealed to the device's
 * encryption key, and bound to this enrolment and to the fingerprint of the root.
 */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { concat, equalBytes, fromBase64Url, toBase64Url } from '../lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../ports.ts';
import { rootKeyAad, rootKeyHpkeInfo } from './aad.ts';
import { hpkeOpen, hpkeSeal } from './hpke.ts';
import { rootFingerprint } from './ids.ts';
import { refuseWire } from './refusal.ts';
import { type RootKeyEnvelope, rootKeyEnvelopeSchema } from './wire.ts';

const encBytes = 32;
const sealedSeedBytes = 48;

export interface Enrolment {
  /** 32 bytes, chosen by the new device. */
  readonly nonce: Uint8Array;
  readonly recipientKemPublicKey: Uint8Array;
}

/** Errors: `malformed` for lengths other than 32, `weak_kem_key`. */
export function sealRootKey(
  engine: CryptoEngine,
  root: KeyPair,
  enrolment: Enrolment,
): Result<RootKeyEnvelope> {
  const fingerprint = rootFingerprint(engine, root.public);
  const { nonce, recipientKemPublicKey } = enrolment;
  const aad = rootKeyAad(nonce, recipientKemPublicKey, fingerprint);
  if (!aad.ok) return aad;
  const sealed = hpkeSeal(engine, recipientKemPublicKey, rootKeyHpkeInfo, aad.value, root.secret);
  if (!sealed) return refuseWire('weak_kem_key', say('server.weakNewDeviceKey'));
  return ok({
    type: 'root_key_envelope',
    version: 1,
    enrollment_nonce: toBase64Url(nonce),
    recipient_kem_public_key: toBase64Url(recipientKemPublicKey),
    hpke_ciphertext: toBase64Url(concat(sealed.enc, sealed.ciphertext)),
    root_public_key_fingerprint: toBase64Url(fingerprint),
  });
}

/**
 * The root key pair, if it was sealed for this device and enrolment and matches the fingerprint. Errors:
 * `malformed`, `not_for_me`, `bad_wrap`, `fingerprint_mismatch`.
 */
export function openRootKey(
  engine: CryptoEngine,
  raw: unknown,
  device: KeyPair,
  enrolmentNonce: Uint8Array,
): Result<KeyPair> {
  const parsed = rootKeyEnvelopeSchema.safeParse(raw);
  const sealed = parsed.success ? fromBase64Url(parsed.data.hpke_ciphertext) : null;
  const fingerprint = parsed.success ? fromBase64Url(parsed.data.root_public_key_fingerprint) : null;
  if (!parsed.success || sealed?.length !== encBytes + sealedSeedBytes || fingerprint?.length !== 32) {
    return refuseWire('malformed', say('server.invalidRootKeyEnvelope'));
  }
  const recipient = fromBase64Url(parsed.data.recipient_kem_public_key);
  const nonce = fromBase64Url(parsed.data.enrollment_nonce);
  const mine =
    recipient && nonce && equalBytes(recipient, device.public) && equalBytes(nonce, enrolmentNonce);
  if (!mine) return refuseWire('not_for_me', say('server.rootKeyDeviceMismatch'));
  const aad = rootKeyAad(enrolmentNonce, device.public, fingerprint);
  if (!aad.ok) return aad;
  const parts = { enc: sealed.subarray(0, encBytes), ciphertext: sealed.subarray(encBytes) };
  const seed = hpkeOpen(engine, device, parts, rootKeyHpkeInfo, aad.value);
  if (seed?.length !== 32) return refuseWire('bad_wrap', say('server.rootKeyChanged'));
  const root = engine.ed25519KeyPair(seed);
  return equalBytes(rootFingerprint(engine, root.public), fingerprint)
    ? ok(root)
    : refuseWire('fingerprint_mismatch', say('server.rootKeyMismatch'));
}
