/**
 * Code and phrase that two people compare when a new device joins (spec §2.3). Both derive from one hash over
 * the request's nonce and keys, so a server that substitutes its own keys shows a different code and phrase.
 */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { concat, fromBase64Url, toBase64Url, toHex, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, KeyPair } from '../ports.ts';
import { createDeviceCert, verifyDeviceCert, verifyIdentityCert, verifySlugBinding } from './certificates.ts';
import { rootFingerprint } from './ids.ts';
import { refuseWire } from './refusal.ts';
import { openRootKey, sealRootKey } from './root-key-envelope.ts';
import type { DeviceCert, IdentityCert, RootKeyEnvelope, SlugBinding } from './wire.ts';

const label = utf8('kennel/device-enrolment/v1\0');
/** Without letters and digits that people confuse. */
const codeAlphabet = '23456789abcdefghijkmnpqrstuvwxyz';
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aiou';
const wordCount = 6;

/** All base64url of 32 bytes. */
export interface EnrolmentRequest {
  readonly nonce: string;
  readonly signingPublicKey: string;
  readonly kemPublicKey: string;
}

/** `null` if one of the three is not 32 bytes. */
export function enrolmentFingerprint(engine: CryptoEngine, request: EnrolmentRequest): Uint8Array | null {
  const parts = [request.nonce, request.signingPublicKey, request.kemPublicKey].map(fromBase64Url);
  const bytes = parts.filter((part) => part?.length === 32) as Uint8Array[];
  return bytes.length === 3 ? engine.sha256(concat(label, ...bytes)) : null;
}

/** `xxxx-xxxx-xxxx`: 60 bits of the fingerprint for a person to type. */
export function enrolmentCode(fingerprint: Uint8Array): string {
  const letters = Array.from(fingerprint.subarray(0, 12), (byte) => codeAlphabet[byte & 31]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/** Ignores case, blanks and missing hyphens, because people type codes. `null` if invalid. */
export function readEnrolmentCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== 12 || [...letters].some((letter) => !codeAlphabet.includes(letter))) return null;
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/**
 * Six pronounceable words for 96 further bits of the fingerprint: each is consonant, vowel, consonant, vowel,
 * consonant.
 */
export function enrolmentWords(fingerprint: Uint8Array): string {
  const word = (at: number): string => {
    const bits = ((fingerprint[at] ?? 0) << 8) | (fingerprint[at + 1] ?? 0);
    const consonant = (shift: number) => consonants[(bits >> shift) & 15] ?? '';
    const vowel = (shift: number) => vowels[(bits >> shift) & 3] ?? '';
    return consonant(12) + vowel(10) + consonant(6) + vowel(4) + consonant(0);
  };
  return Array.from({ length: wordCount }, (_, index) => word(12 + index * 2)).join(' ');
}

/** Fingerprint of a root (spec §1.2) as hexadecimal digits in groups of four. */
export function spokenFingerprint(engine: CryptoEngine, rootPublicKey: Uint8Array): string {
  return (toHex(rootFingerprint(engine, rootPublicKey)).match(/.{4}/g) ?? []).join(' ');
}

export interface Admission {
  readonly deviceCert: DeviceCert;
  readonly rootKeyEnvelope: RootKeyEnvelope;
}

/** Runs on the device that already has the root; `now` in ms. Errors: `bad_key`, `weak_kem_key`. */
export function admitDevice(
  engine: CryptoEngine,
  root: KeyPair,
  request: EnrolmentRequest,
  now: number,
): Result<Admission> {
  const nonce = fromBase64Url(request.nonce);
  const signing = fromBase64Url(request.signingPublicKey);
  const kem = fromBase64Url(request.kemPublicKey);
  if (nonce?.length !== 32 || signing?.length !== 32 || kem?.length !== 32) {
    return refuseWire('bad_key', say('server.invalidNewDeviceKeys'));
  }
  const sealed = sealRootKey(engine, root, { nonce, recipientKemPublicKey: kem });
  if (!sealed.ok) return sealed;
  const deviceCert = createDeviceCert(engine, root, { signingPublicKey: signing, kemPublicKey: kem }, now);
  return ok({ deviceCert, rootKeyEnvelope: sealed.value });
}

export interface NewDevice {
  readonly nonce: Uint8Array;
  readonly signing: KeyPair;
  readonly kem: KeyPair;
}

/** Admission as the server delivers it, unverified. */
export interface RawAdmission {
  readonly device_cert?: unknown;
  readonly root_key_envelope?: unknown;
  readonly slug_binding?: unknown;
  readonly identity_cert?: unknown;
}

export interface Admitted {
  readonly root: KeyPair;
  readonly identityCert: IdentityCert;
  readonly slugBinding: SlugBinding;
  readonly deviceCert: DeviceCert;
}

/**
 * Runs on the new device: the envelope opens for it, every certificate is valid, and all belong to the root
 * inside. Errors: those of `openRootKey` and of the certificates, `root_mismatch`, `bad_key`.
 */
export function takeAdmission(engine: CryptoEngine, raw: RawAdmission, device: NewDevice): Result<Admitted> {
  const root = openRootKey(engine, raw.root_key_envelope, device.kem, device.nonce);
  if (!root.ok) return root;
  const identityCert = verifyIdentityCert(engine, raw.identity_cert);
  if (!identityCert.ok) return identityCert;
  const slugBinding = verifySlugBinding(engine, raw.slug_binding);
  if (!slugBinding.ok) return slugBinding;
  const deviceCert = verifyDeviceCert(engine, raw.device_cert);
  if (!deviceCert.ok) return deviceCert;
  const rootPublicKey = toBase64Url(root.value.public);
  const certs = [identityCert.value, slugBinding.value, deviceCert.value];
  if (certs.some((cert) => cert.root_public_key !== rootPublicKey)) {
    return refuseWire('root_mismatch', say('server.deviceRootMismatch'));
  }
  const { keys } = deviceCert.value;
  const own =
    keys.signing.public_key === toBase64Url(device.signing.public) &&
    keys.encryption?.public_key === toBase64Url(device.kem.public);
  if (!own) return refuseWire('bad_key', say('server.certificateDeviceMismatch'));
  return ok({
    root: root.value,
    identityCert: identityCert.value,
    slugBinding: slugBinding.value,
    deviceCert: deviceCert.value,
  });
}
