/** The routes of a paired device. */
import type { Clock, CryptoEngine } from '../../core/ports.ts';
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
import {
  type BridgeHome,
  type BridgeRequest,
  type BridgeResponse,
  jsonResponse,
  type ParseJson,
  refusal,
  textResponse,
} from './bridge-types.ts';
import type { Pairing } from './pairing-file.ts';
import { provision } from './provision.ts';
import { type BridgeRoute, findBridgeAgent, findOwned, type RouteContext } from './route-context.ts';
import { listWorkspaceFiles, readFile } from './workspace-files.ts';

export interface BridgeRoutesDeps {
  readonly home: BridgeHome;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly parseJson: ParseJson;
}

/** Answers an authenticated request. */
export type BridgeRoutes = (
  request: BridgeRequest,
  pairing: Pairing,
) => BridgeResponse | Promise<BridgeResponse>;

/** A paired device sees the agents of its own person only. */
const visible = ({ home, pairing }: RouteContext) =>
  home.list().filter((agent) => !agent.requests.includes('delete') && owns(home, agent, pairing));

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

export const createBridgeRoutes =
  (deps: BridgeRoutesDeps): BridgeRoutes =>
  (request, pairing) => {
    const { method, target } = request;
    const [path = '', query = ''] = target.split(/\?(.*)/s);
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
    return route({ ...deps, request, pairing, id: decoded(id), query: new URLSearchParams(query) });
  };
