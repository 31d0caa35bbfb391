/**
 * A client of the 0.8 bridge, written from the protocol specification alone (spec §1, §4). It shares no code
 * with the product, so that both cannot have the same mistake.
 */
import { randomBytes } from 'node:crypto';
import { attestation, type Json, type Keys, newKeys, signature, slugBinding, url } from './peer-keys.ts';

export interface Person extends Keys {
  readonly slug: string;
  readonly certs: { readonly identity_cert: Json; readonly device_cert: Json; readonly slug_binding: Json };
}

/** A human, or an agent of `operator`. */
export function newcomer(slug: string, operator: Person | null): Person {
  const keys = newKeys(operator?.root.public ?? null);
  return {
    ...keys,
    slug,
    certs: {
      identity_cert: keys.identityCert,
      device_cert: keys.deviceCert,
      slug_binding: slugBinding(keys.root, slug),
    },
  };
}

export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface BridgePeer {
  /** Request signed by the device; `body` is sent as JSON. */
  ask(method: string, path: string, body?: unknown): Promise<PeerAnswer>;
  pair(): Promise<PeerAnswer>;
  provision(agent: Person, profile: string): Promise<PeerAnswer>;
}

/** Acts like a page of `origin`. */
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
          operator_attestation: attestation(person.root, agent.root.public),
          root_secret_key: url(agent.root.seed),
          device_signing_secret_key: url(agent.device.seed),
          kem_secret_key: url(agent.kem.seed),
        },
      }),
  };
}
