/** A client of the local bridge that acts like a web page: a human with a device that signs its requests. */
import { toBase64Url, utf8 } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine, Random } from '../../src/core/ports.ts';
import { createAttestation, createSlugBinding } from '../../src/core/puffo/certificates.ts';
import { signRequest } from '../../src/core/puffo/http-signing.ts';
import { createIdentity, type NewIdentity } from '../../src/core/puffo/identity.ts';
import type { SlugBinding } from '../../src/core/puffo/wire.ts';
import type { Ask } from '../conformance/bridge-world.ts';

export interface BridgePerson {
  readonly slug: string;
  readonly identity: NewIdentity;
  readonly binding: SlugBinding;
}

export interface BridgeClient {
  readonly person: BridgePerson;
  /** Request signed by the device; `body` is sent as JSON. */
  signed(method: string, path: string, body?: unknown): Ask;
  pair(more?: Readonly<Record<string, unknown>>): Ask;
  /** Request that imports a new agent of this person. */
  provision(slug: string, change?: (body: ProvisionBody) => ProvisionBody): Ask;
}

export type ProvisionBody = Readonly<Record<string, unknown>> & {
  readonly identity_bundle: Readonly<Record<string, unknown>>;
};

export interface ClientDeps {
  readonly crypto: CryptoEngine;
  readonly random: Random;
  now(): number;
}

export function newPerson(crypto: CryptoEngine, slug: string, now: number): BridgePerson {
  const identity = createIdentity(crypto, { type: 'human', operatorRootPublicKey: null, now });
  const root = crypto.ed25519KeyPair(identity.secrets.root);
  return { slug, identity, binding: createSlugBinding(crypto, root, slug, now) };
}

function bundleFor({ crypto, now }: ClientDeps, { identity }: BridgePerson, slug: string) {
  const operatorRootPublicKey = identity.rootPublicKey;
  const agent = createIdentity(crypto, { type: 'agent', operatorRootPublicKey, now: now() });
  const operatorRoot = crypto.ed25519KeyPair(identity.secrets.root);
  const agentRoot = crypto.ed25519KeyPair(agent.secrets.root);
  return {
    deviceId: agent.deviceId,
    bundle: {
      identity_cert: agent.identityCert,
      device_cert: agent.deviceCert,
      slug_binding: createSlugBinding(crypto, agentRoot, slug, now()),
      operator_attestation: createAttestation(crypto, operatorRoot, agent.rootPublicKey, now()),
      root_secret_key: toBase64Url(agent.secrets.root),
      device_signing_secret_key: toBase64Url(agent.secrets.deviceSigning),
      kem_secret_key: toBase64Url(agent.secrets.kem),
    },
  };
}

/** `serverUrl`: the server that provisioned agents connect to. */
export function bridgeClient(
  deps: ClientDeps,
  person: BridgePerson,
  serverUrl = 'http://127.0.0.1:9',
): BridgeClient {
  const { slug, identity, binding } = person;
  const signer = { slug, signerId: identity.deviceId, secret: identity.secrets.deviceSigning };
  const signed: BridgeClient['signed'] = (method, path, body) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const request = { method, target: path, body: text === '' ? null : utf8(text) };
    const headers = signRequest(deps.crypto, request, signer, deps.now(), deps.random);
    const type = text === '' ? {} : { 'content-type': 'application/json' };
    return { method, path, headers: { Host: 'localhost', ...headers, ...type }, body: text };
  };
  return {
    person,
    signed,
    pair: (more = {}) =>
      signed('POST', '/v1/pair', {
        identity_cert: identity.identityCert,
        device_cert: identity.deviceCert,
        slug_binding: binding,
        ...more,
      }),
    provision(agentSlug, change = (body) => body) {
      const { bundle, deviceId } = bundleFor(deps, person, agentSlug);
      const body: ProvisionBody = {
        display_name: 'Helper',
        role: 'coder: writes code',
        profile: '# Agent Profile\n',
        puffo_core: { server_url: serverUrl, slug: agentSlug, device_id: deviceId, space_id: 'sp_1' },
        runtime: { kind: 'chat-local', provider: 'anthropic', api_key: 'sk-ant-of-helper' },
        identity_bundle: bundle,
      };
      return signed('POST', '/v1/agents', change(body));
    },
  };
}
