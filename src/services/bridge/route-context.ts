/** The context of one request by a paired device, and the refusals that routes share. */
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isAgentId } from '../../core/agents/agent-config.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { owns } from './agent-views.ts';
import {
  type BridgeAgent,
  type BridgeHome,
  type BridgeRequest,
  type BridgeResponse,
  jsonResponse,
  type ParseJson,
  refusal,
} from './bridge-types.ts';
import type { Pairing } from './pairing-file.ts';

export interface RouteContext {
  readonly home: BridgeHome;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly parseJson: ParseJson;
  readonly request: BridgeRequest;
  readonly pairing: Pairing;
  /** The agent id in the path; empty if the route has none. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export type BridgeRoute = (context: RouteContext) => BridgeResponse | Promise<BridgeResponse>;

/** The agent that the path names, or the response that ends the request. */
export function findBridgeAgent({ home, id }: RouteContext): Result<BridgeAgent, BridgeResponse> {
  if (!isAgentId(id)) return err(refusal(400, 'invalid agent id'));
  const agent = home.get(id);
  if (!agent || agent.requests.includes('delete')) return err(refusal(404, 'agent not found'));
  return ok(agent);
}

/** `deed` completes "only the agent's operator can …". */
export function findOwned(context: RouteContext, deed: string): Result<BridgeAgent, BridgeResponse> {
  const agent = findBridgeAgent(context);
  if (!agent.ok || owns(context.home, agent.value, context.pairing)) return agent;
  return err(refusal(403, `only the agent's operator can ${deed}`));
}

const statusOf: Partial<Record<AppError['code'], number>> = {
  invalid_input: 400,
  unsupported: 400,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
};

/** A failure of this host includes the hint, because the reader sits at this computer. */
export function bridgeFailed({ code, message, hint }: AppError): BridgeResponse {
  const status = statusOf[code];
  return status === undefined
    ? refusal(500, [message, hint].filter(Boolean).join(' '))
    : refusal(status, message);
}

/** The note is for the user of the client. */
export const bridgeDone = (
  id: string,
  note: string,
  more: Readonly<Record<string, unknown>> = {},
): BridgeResponse => jsonResponse(200, { agent_id: id, ok: true, note, ...more });
