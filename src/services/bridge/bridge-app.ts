/**
 * The 0.8 bridge (spec §4): turns a request into its response. The order of the checks and the texts of the
 * responses match recordings of 0.8; comments mark what is stricter. Nothing here listens: see
 * bridge-server.ts.
 */

import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { isJsonType } from '../../platform/http-guards.ts';
import {
  archive,
  patchProfile,
  patchRuntime,
  pauseAgent,
  removeAgent,
  restart,
  resume,
} from './agent-changes.ts';
import { detailView, listView, owns } from './agent-views.ts';
import { createGate, type GateOptions } from './bridge-gate.ts';
import {
  type BridgeHome,
  type BridgeRequest,
  type BridgeResponse,
  jsonResponse,
  type ParseJson,
  refusal,
  textResponse,
} from './bridge-types.ts';
import type { NonceBook } from './nonce-book.ts';
import { readPairRequest } from './pair-request.ts';
import type { Pairing, PairingFile } from './pairing-file.ts';
import type { PairingWindow } from './pairing-window.ts';
import { provision } from './provision.ts';
import {
  type BridgeRoute,
  bridgeFailed,
  findBridgeAgent,
  findOwned,
  type RouteContext,
} from './route-context.ts';
import {
  authenticateBridgeRequest,
  checkClaim,
  freshTime,
  type SignedHeaders,
  signedHeaders,
} from './signed-request.ts';
import { listWorkspaceFiles, readFile } from './workspace-files.ts';

export interface BridgeAppDeps extends GateOptions {
  readonly home: BridgeHome;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly nonces: NonceBook;
  readonly pairing: PairingFile;
  readonly window: PairingWindow;
  readonly parseJson: ParseJson;
  onPaired(now: Pairing, before: Pairing | null): void;
  onUnpaired(before: Pairing): void;
  /** Called after too many failures, which closed the window. */
  onTooManyFailures(): void;
}

/** A request before its body was read. */
export type BridgeHead = Omit<BridgeRequest, 'body'>;

/**
 * `readBody` is called only if the headers let the request through; it resolves with `null` for a body over
 * `maxBytes`.
 */
export type BridgeApp = (
  head: BridgeHead,
  readBody: (maxBytes: number) => Promise<Uint8Array | null>,
) => Promise<BridgeResponse>;

export const maxSignedBodyBytes = 8 * 1024 * 1024;
const maxOpenBodyBytes = 64 * 1024;

/** A paired device sees the agents of its own person only. */
const visible = ({ home, pairing }: RouteContext) =>
  home.list().filter((agent) => !agent.requests.includes('delete') && owns(home, agent, pairing));

/** If this computer has an operator, only the operator manages agents here (T3). */
function mayManage(home: BridgeHome, rootPublicKey: string): boolean {
  const operator = home.operatorRoot();
  return operator === null || operator === rootPublicKey;
}

const list: BridgeRoute = (context) =>
  jsonResponse(200, {
    agents: visible(context).map((agent) => listView(context.home, agent, context.pairing)),
  });

const detail: BridgeRoute = (context) => {
  const found = findBridgeAgent(context);
  return found.ok ? jsonResponse(200, detailView(context.home, found.value, context.pairing)) : found.error;
};

const runtime: BridgeRoute = (context) => {
  const found = findBridgeAgent(context);
  return found.ok ? jsonResponse(200, context.home.status(found.value.id)) : found.error;
};

const log: BridgeRoute = (context) => {
  const found = findBridgeAgent(context);
  if (!found.ok) return found.error;
  return jsonResponse(200, {
    agent_id: found.value.id,
    lines: [],
    note: 'Logs are read on the machine itself.',
  });
};

/** The prompt contains the agent's notes, so it is for the owner, like its files. */
const prompt: BridgeRoute = (context) => {
  const found = findOwned(context, 'read its prompt');
  if (!found.ok) return found.error;
  const content = context.home.prompt(found.value);
  return content === null
    ? refusal(404, 'CLAUDE.md not generated yet (agent never started)')
    : textResponse(200, content);
};

/** By path with a placeholder for the agent's id, then by method. */
const routes: Readonly<Record<string, Readonly<Record<string, BridgeRoute>>>> = {
  '/v1/agents': { GET: list, POST: provision },
  '/v1/agents/*': { GET: detail, DELETE: removeAgent },
  '/v1/agents/*/runtime': { GET: runtime, PATCH: patchRuntime },
  '/v1/agents/*/profile': { PATCH: patchProfile },
  '/v1/agents/*/restart': { POST: restart },
  '/v1/agents/*/pause': { POST: pauseAgent },
  '/v1/agents/*/resume': { POST: resume },
  '/v1/agents/*/archive': { POST: archive },
  '/v1/agents/*/log': { GET: log },
  '/v1/agents/*/files': { GET: listWorkspaceFiles },
  '/v1/agents/*/files/raw': { GET: readFile },
  '/v1/agents/*/claude-md': { GET: prompt },
};

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** A page of an allowed origin learns what 0.8 told everyone; others learn only that a bridge exists. */
function info(deps: BridgeAppDeps, { headers }: BridgeHead): BridgeResponse {
  const { home, allowedOrigins } = deps;
  const service = { service: 'puffo-agent-bridge', version: 'v1' };
  if (!allowedOrigins().includes(headers.origin ?? '')) return jsonResponse(200, service);
  const paired = pairingOf(deps);
  return jsonResponse(200, {
    ...service,
    daemon_version: home.version,
    pid: home.pid,
    agent_count: home.list().length,
    paired: paired !== null,
    paired_slug: paired?.slug ?? null,
    paired_device_id: paired?.device_id ?? null,
  });
}

function whyNot(window: PairingWindow, code: string | null): string {
  if (typeof window.state()?.device === 'string') return 'another device may pair';
  return code === null ? 'pairing code required' : 'wrong pairing code';
}

const claimsPairing = ({ slug, signer }: SignedHeaders, paired: Pairing | null): boolean =>
  paired !== null && slug === paired.slug && signer === paired.device_id;

/**
 * Clients pair again at each sign-in. The paired device needs no window for that, because it gains nothing.
 */
const isSameDevice = (paired: Pairing | null, asks: Pairing): boolean =>
  paired !== null &&
  paired.slug === asks.slug &&
  paired.device_id === asks.device_id &&
  paired.root_public_key === asks.root_public_key &&
  paired.device_signing_public_key === asks.device_signing_public_key;

function pair(deps: BridgeAppDeps, request: BridgeRequest): BridgeResponse {
  const { clock, window, nonces } = deps;
  const claim = signedHeaders(request);
  const time = freshTime(claim, clock.now());
  if (time === null || !nonces.remembers(time)) {
    return refusal(401, 'stale or missing x-puffo-timestamp');
  }
  const paired = pairingOf(deps);
  if (!window.state() && !claimsPairing(claim, paired)) return refusal(403, 'pairing window closed');
  const refused = (status: number, error: string): BridgeResponse => {
    if (window.failed()) deps.onTooManyFailures();
    return refusal(status, error);
  };
  const wish = readPairRequest(deps, request, clock.now());
  if (!wish.ok) return refused(400, wish.error);
  if (claim.nonce.length > 200) return refused(400, 'nonce too long');
  if (nonces.used(claim.signer, claim.nonce)) return refused(401, 'nonce already used');
  const { pairing, code } = wish.value;
  if (!mayManage(deps.home, pairing.root_public_key))
    return refused(403, 'only the operator of this computer may pair');
  const isAgain = isSameDevice(paired, pairing);
  const isAdmitted = window.admits(pairing.device_id, code);
  if (!isAgain && !window.state()) return refusal(403, 'pairing window closed');
  if (!isAgain && !isAdmitted) return refused(403, whyNot(window, code));
  nonces.use(claim.signer, claim.nonce, time, clock.now());
  const before = deps.pairing.read();
  const written = deps.pairing.write(pairing);
  if (!written.ok) return bridgeFailed(written.error);
  if (isAdmitted) window.close();
  if (!isAgain) deps.onPaired(pairing, before);
  const { slug, device_id, paired_at } = pairing;
  return jsonResponse(200, { paired_slug: slug, paired_device_id: device_id, paired_at });
}

function unpair(deps: BridgeAppDeps, before: Pairing): BridgeResponse {
  const removed = deps.pairing.remove();
  if (!removed.ok) return bridgeFailed(removed.error);
  deps.onUnpaired(before);
  return jsonResponse(200, { disconnected: true });
}

/** A pairing of another person, from before this computer had its operator, no longer counts. */
function pairingOf({ home, pairing }: BridgeAppDeps): Pairing | null {
  const paired = pairing.read();
  return paired !== null && mayManage(home, paired.root_public_key) ? paired : null;
}

/** Refuses by the headers alone, in the order and with the texts of the checks that follow with the body. */
function refuseHead(deps: BridgeAppDeps, head: BridgeHead): BridgeResponse | null {
  const [path = ''] = head.target.split('?');
  const { headers, method } = head;
  const length = headers['content-length'] ?? '0';
  const hasBody = headers['transfer-encoding'] !== undefined || length !== '0';
  if (hasBody && !isJsonType(headers['content-type'])) {
    return refusal(415, 'content type must be application/json');
  }
  if (method === 'GET' && path === '/v1/info') return null;
  if (method === 'POST' && path === '/v1/pair') {
    const time = freshTime(signedHeaders(head), deps.clock.now());
    if (time === null || !deps.nonces.remembers(time)) {
      return refusal(401, 'stale or missing x-puffo-timestamp');
    }
    const isOpen = deps.window.state() !== null || claimsPairing(signedHeaders(head), pairingOf(deps));
    return isOpen ? null : refusal(403, 'pairing window closed');
  }
  const claimed = checkClaim(deps, head, pairingOf(deps));
  return claimed.ok ? null : refusal(401, claimed.error);
}

async function respond(deps: BridgeAppDeps, request: BridgeRequest): Promise<BridgeResponse> {
  const { method, target, headers, body } = request;
  const { home, crypto, clock, parseJson } = deps;
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (body.length > 0 && !isJsonType(headers['content-type'])) {
    return refusal(415, 'content type must be application/json');
  }
  if (method === 'GET' && path === '/v1/info') return info(deps, request);
  if (method === 'POST' && path === '/v1/pair') return pair(deps, request);
  const known = authenticateBridgeRequest(deps, request, pairingOf(deps));
  if (!known.ok) return refusal(401, known.error);
  const pairing = known.value;
  if (method === 'DELETE' && path === '/v1/pairing') return unpair(deps, pairing);
  const id = /^\/v1\/agents\/([^/]+)/.exec(path)?.[1] ?? '';
  const pattern = id === '' ? path : path.replace(`/v1/agents/${id}`, '/v1/agents/*');
  const found = Object.hasOwn(routes, pattern) ? routes[pattern] : undefined;
  if (!found) return textResponse(404, '404: Not Found');
  const route = Object.hasOwn(found, method) ? found[method] : undefined;
  if (!route) {
    return {
      ...textResponse(405, '405: Method Not Allowed'),
      headers: { Allow: Object.keys(found).join(',') },
    };
  }
  const params = new URLSearchParams(query);
  return route({ home, crypto, clock, parseJson, request, pairing, id: decoded(id), query: params });
}

export function createBridgeApp(deps: BridgeAppDeps): BridgeApp {
  const gate = createGate(deps);
  return async (head, readBody) => {
    const stopped = gate.stop(head);
    if (stopped) return stopped;
    const refused = refuseHead(deps, head);
    if (refused) return gate.finish(head, refused);
    const isSigned = !['/v1/info', '/v1/pair'].includes(head.target.split('?')[0] ?? '');
    const body = await readBody(isSigned ? maxSignedBodyBytes : maxOpenBodyBytes);
    if (!body) return gate.finish(head, refusal(413, 'body too large'));
    return gate.finish(head, await respond(deps, { ...head, body }));
  };
}
