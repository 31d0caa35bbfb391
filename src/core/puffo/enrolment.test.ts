import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { toBase64Url } from '../lib/bytes.ts';
import { createIdentityCert, createSlugBinding } from './certificates.ts';
import {
  admitDevice,
  enrolmentCode,
  enrolmentFingerprint,
  enrolmentWords,
  readEnrolmentCode,
  spokenFingerprint,
  takeAdmission,
} from './enrolment.ts';

const engine = createNobleEngine();
const root = engine.ed25519KeyPair();

function newDevice() {
  const device = {
    nonce: engine.randomBytes(32),
    signing: engine.ed25519KeyPair(),
    kem: engine.x25519KeyPair(),
  };
  const request = {
    nonce: toBase64Url(device.nonce),
    signingPublicKey: toBase64Url(device.signing.public),
    kemPublicKey: toBase64Url(device.kem.public),
  };
  return { device, request };
}

function admission(by = root) {
  const made = newDevice();
  const admitted = admitDevice(engine, by, made.request, 1_000);
  if (!admitted.ok) throw new Error(admitted.error.message);
  const raw = {
    device_cert: admitted.value.deviceCert,
    root_key_envelope: admitted.value.rootKeyEnvelope,
    slug_binding: createSlugBinding(engine, by, 'ada-1234', 1_000),
    identity_cert: createIdentityCert(engine, by, { type: 'human', operatorRootPublicKey: null }),
  };
  return { ...made, raw };
}

describe('Device enrolment', () => {
  it('gives the device the root key and valid certificates', () => {
    const { device, raw } = admission();
    const taken = takeAdmission(engine, raw, device);
    expect(taken).toMatchObject({ ok: true, value: { slugBinding: { slug: 'ada-1234' } } });
    if (taken.ok) expect(taken.value.root.secret).toEqual(root.secret);
  });

  it('T7: refuses anything sealed or signed for another device, enrolment or root', () => {
    const mine = admission();
    const theirs = admission();
    const stranger = admission(engine.ed25519KeyPair());
    const { device, raw } = mine;
    const refused = (over: Partial<typeof raw>) => takeAdmission(engine, { ...raw, ...over }, device).ok;
    expect(refused({ root_key_envelope: theirs.raw.root_key_envelope })).toBe(false);
    expect(refused({ device_cert: theirs.raw.device_cert })).toBe(false);
    expect(refused({ identity_cert: stranger.raw.identity_cert })).toBe(false);
    expect(refused({ slug_binding: stranger.raw.slug_binding })).toBe(false);
    expect(takeAdmission(engine, raw, { ...device, nonce: theirs.device.nonce }).ok).toBe(false);
    expect(takeAdmission(engine, {}, device).ok).toBe(false);
  });

  it('T7: shows a different code and words if a key or the nonce differs', () => {
    const { request } = newDevice();
    const print = (of: typeof request) => {
      const bytes = enrolmentFingerprint(engine, of);
      return bytes && [enrolmentCode(bytes), enrolmentWords(bytes)];
    };
    const shown = print(request);
    expect(shown?.[0]).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    expect(shown?.[1]).toMatch(/^([a-z]{5} ){5}[a-z]{5}$/);
    for (const member of ['nonce', 'signingPublicKey', 'kemPublicKey'] as const) {
      const other = print({ ...request, [member]: toBase64Url(engine.randomBytes(32)) });
      expect(other?.[0]).not.toBe(shown?.[0]);
      expect(other?.[1]).not.toBe(shown?.[1]);
    }
    expect(print({ ...request, nonce: 'short' })).toBeNull();
  });

  it('accepts a code with or without dashes and in capitals, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean(), (bytes, spaced) => {
        const code = enrolmentCode(bytes);
        const typed = spaced ? ` ${code.replaceAll('-', ' ').toUpperCase()} ` : code.replaceAll('-', '');
        expect(readEnrolmentCode(typed)).toBe(code);
      }),
    );
    expect(readEnrolmentCode('0000-1111-oooo')).toBeNull();
    expect(readEnrolmentCode('2345')).toBeNull();
  });

  it('prints a root fingerprint as sixteen groups of four digits', () => {
    expect(spokenFingerprint(engine, root.public)).toMatch(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
  });
});
