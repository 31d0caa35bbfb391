/** Keys, canonical text and certificates of the protocol (spec §1.1 to §1.4), on `node:crypto` alone. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';

export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };
export type Json = { readonly [name: string]: Value };

export interface Pair {
  readonly seed: Buffer;
  readonly secret: KeyObject;
  readonly public: string;
}

export const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
export const raw = (text: string): Buffer => Buffer.from(text, 'base64url');
export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

type Curve = 'x25519' | 'ed25519';
/** Last byte of the object identifier in RFC 8410. */
const curveByte = { x25519: '6e', ed25519: '70' } as const;

export function pair(curve: Curve): Pair {
  const seed = randomBytes(32);
  const der = Buffer.concat([Buffer.from(`302e020100300506032b65${curveByte[curve]}04220420`, 'hex'), seed]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return { seed, secret, public: url(spki.subarray(-32)) };
}

export function publicKey(curve: Curve, key: string): KeyObject {
  const der = Buffer.concat([Buffer.from(`302a300506032b65${curveByte[curve]}032100`, 'hex'), raw(key)]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** Certificate field names and texts are ASCII, so sorting by code unit is the canonical order. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

export const signature = (by: Pair, text: string | Uint8Array): string =>
  url(sign(null, Buffer.from(text as string), by.secret));
export const certified = (body: Json, by: Pair, member: string): Json => ({
  ...body,
  [member]: signature(by, canonical(body)),
});
/** Verifies the signature over the object without its own signature member. */
export function holds(object: Json, member: string, key: string): boolean {
  const { [member]: claimed, ...rest } = object;
  if (typeof claimed !== 'string') return false;
  return verify(null, Buffer.from(canonical(rest)), publicKey('ed25519', key), raw(claimed));
}

export const deviceIdOf = (signingKey: string): string => `dev_${url(sha256(raw(signingKey)))}`;

export interface Keys {
  readonly deviceId: string;
  readonly root: Pair;
  readonly device: Pair;
  readonly kem: Pair;
  readonly identityCert: Json;
  readonly deviceCert: Json;
}

/** Keys of a human, or of an agent that declares `operatorRoot`. */
export function newKeys(operatorRoot: string | null): Keys {
  const [root, device, kem] = [pair('ed25519'), pair('ed25519'), pair('x25519')];
  const deviceId = deviceIdOf(device.public);
  const common = { version: 1, root_public_key: root.public };
  const identity = {
    ...common,
    type: 'identity_cert',
    identity_type: operatorRoot === null ? 'human' : 'agent',
    declared_operator_public_key: operatorRoot,
  };
  const deviceBody = {
    ...common,
    type: 'device_cert',
    device_id: deviceId,
    keys: {
      signing: { algorithm: 'ed25519', public_key: device.public },
      encryption: { algorithm: 'x25519', public_key: kem.public },
    },
    issued_at: Date.now(),
    expires_at: null,
  };
  return {
    deviceId,
    root,
    device,
    kem,
    identityCert: certified(identity, root, 'self_signature'),
    deviceCert: certified(deviceBody, root, 'signature'),
  };
}

export function slugBinding(root: Pair, slug: string): Json {
  const body = { version: 1, type: 'slug_binding', root_public_key: root.public, slug };
  return certified({ ...body, issued_at: Date.now() }, root, 'self_signature');
}

export const attestation = (operatorRoot: Pair, agentRoot: string): Json =>
  certified(
    {
      type: 'operator_attestation',
      version: 1,
      operator_root_public_key: operatorRoot.public,
      agent_root_public_key: agentRoot,
      issued_at: Date.now(),
      nonce: url(randomBytes(32)),
    },
    operatorRoot,
    'signature',
  );
