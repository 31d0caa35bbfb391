/**
 * A client of the 0.8 bridge made from the description of the protocol alone (spec §1, §4); it shares no code with the
 * product, so that both cannot be wrong in the same way.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };
type Json = { readonly [name: string]: Value };

interface Pair {
  readonly seed: Buffer;
  readonly secret: KeyObject;
  readonly public: string;
}

const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** PKCS #8 around a raw key (RFC 8410): 6e for X25519, 70 for Ed25519. */
function pair(curve: '6e' | '70'): Pair {
  const seed = randomBytes(32);
  const der = Buffer.concat([Buffer.from(`302e020100300506032b65${curve}04220420`, 'hex'), seed]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return { seed, secret, public: url(spki.subarray(-32)) };
}

/** Names and texts of certificates are ASCII: sorting by code unit is the canonical order. */
function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

const signature = (by: Pair, bytes: string): string => url(sign(null, Buffer.from(bytes), by.secret));
const certified = (body: Json, by: Pair, member: string): Json => ({
  ...body,
  [member]: signature(by, canonical(body)),
});

export interface Person {
  readonly slug: string;
  readonly deviceId: string;
  readonly root: Pair;
  readonly device: Pair;
  readonly kem: Pair;
  readonly certs: { readonly identity_cert: Json; readonly device_cert: Json; readonly slug_binding: Json };
}

/** A human, or an agent of `operator`. */
export function newcomer(slug: string, operator: Person | null): Person {
  const [root, device, kem] = [pair('70'), pair('70'), pair('6e')];
  const hash = createHash('sha256').update(Buffer.from(device.public, 'base64url')).digest();
  const deviceId = `dev_${url(hash)}`;
  const common = { version: 1, root_public_key: root.public };
  const issued_at = Date.now();
  const identity = {
    ...common,
    type: 'identity_cert',
    identity_type: operator ? 'agent' : 'human',
    declared_operator_public_key: operator?.root.public ?? null,
  };
  const keys = {
    signing: { algorithm: 'ed25519', public_key: device.public },
    encryption: { algorithm: 'x25519', public_key: kem.public },
  };
  const deviceBody = {
    ...common,
    type: 'device_cert',
    device_id: deviceId,
    keys,
    issued_at,
    expires_at: null,
  };
  return {
    ...{ slug, deviceId, root, device, kem },
    certs: {
      identity_cert: certified(identity, root, 'self_signature'),
      device_cert: certified(deviceBody, root, 'signature'),
      slug_binding: certified({ ...common, type: 'slug_binding', slug, issued_at }, root, 'self_signature'),
    },
  };
}

const attestation = (operator: Person, agent: Person): Json =>
  certified(
    {
      type: 'operator_attestation',
      version: 1,
      operator_root_public_key: operator.root.public,
      agent_root_public_key: agent.root.public,
      issued_at: Date.now(),
      nonce: url(randomBytes(32)),
    },
    operator.root,
    'signature',
  );

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface BridgePeer {
  /** Signed by the device; a body goes as JSON. */
  ask(method: string, path: string, body?: unknown): Promise<PeerAnswer>;
  pair(): Promise<PeerAnswer>;
  provision(agent: Person, profile: string): Promise<PeerAnswer>;
}

/** As a page of `origin` would. */
export function bridgePeer(base: string, person: Person, origin: string): BridgePeer {
  const ask: BridgePeer['ask'] = async (method, path, body) => {
    const content = body === undefined ? '' : JSON.stringify(body);
    const timestamp = String(Date.now());
    const nonce = url(randomBytes(16));
    const signed = `${method}\n${path}\n${timestamp}\n${nonce}\n${content}`;
    const headers = {
      origin,
      'x-puffo-version': 'v1',
      'x-puffo-slug': person.slug,
      'x-puffo-signer-id': person.deviceId,
      'x-puffo-timestamp': timestamp,
      'x-puffo-nonce': nonce,
      'x-puffo-signature': signature(person.device, signed),
      'content-type': 'application/json',
    };
    const sent = content === '' ? { method, headers } : { method, headers, body: content };
    const answer = await fetch(`${base}${path}`, sent);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const { status, headers: answered } = answer;
    return { status, headers: answered, json: isJson ? await answer.json() : await answer.text() };
  };
  return {
    ask,
    pair: () => ask('POST', '/v1/pair', person.certs),
    provision: (agent, profile) =>
      ask('POST', '/v1/agents', {
        profile,
        display_name: agent.slug,
        puffo_core: {
          server_url: 'http://127.0.0.1:9',
          slug: agent.slug,
          device_id: agent.deviceId,
          space_id: 'sp_11111111-1111-4111-8111-111111111111',
          operator_slug: person.slug,
        },
        runtime: { kind: 'chat-local', provider: 'anthropic', api_key: 'sk-ant-of-the-peer' },
        identity_bundle: {
          ...agent.certs,
          operator_attestation: attestation(person, agent),
          root_secret_key: url(agent.root.seed),
          device_signing_secret_key: url(agent.device.seed),
          kem_secret_key: url(agent.kem.seed),
        },
      }),
  };
}
