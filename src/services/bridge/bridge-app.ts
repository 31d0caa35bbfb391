/**
 * The 0.8 bridge (spec §4): turns a request into its response. The order of the checks and the texts of the
 * responses match recordings of 0.8; comments mark what is stricter. Nothing here listens: see
 * bridge-server.ts.
 */

import { isJsonType } from '../../platform/http-guards.ts';
import type { Gate } from './bridge-gate.ts';
import type { BridgeRoutes } from './bridge-routes.ts';
import {
  type BridgeHead,
  type BridgeRequest,
  type BridgeResponse,
  jsonResponse,
  refusal,
} from './bridge-types.ts';
import type { CurrentPairing } from './current-pairing.ts';
import { type PairRoute, staleTimestamp, windowClosed } from './pair-route.ts';
import { bridgeFailed } from './route-context.ts';
import { type BridgeSignatures, signedHeaders } from './signed-request.ts';

export interface BridgeAppDeps {
  readonly gate: Gate;
  readonly signatures: BridgeSignatures;
  readonly pairings: CurrentPairing;
  readonly pairRoute: PairRoute;
  readonly routes: BridgeRoutes;
  info(head: BridgeHead): BridgeResponse;
}

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

const isJson = (head: BridgeHead): boolean => isJsonType(head.headers['content-type']);
const announcesBody = ({ headers }: BridgeHead): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
const notJson = refusal(415, 'content type must be application/json');

export function createBridgeApp(deps: BridgeAppDeps): BridgeApp {
  const { gate, signatures, pairings, pairRoute, routes, info } = deps;

  /** Refuses by the headers alone, in the order and with the texts of the checks that follow with the body. */
  const refuseHead = (head: BridgeHead): BridgeResponse | null => {
    const [path = ''] = head.target.split('?');
    const { method } = head;
    if (announcesBody(head) && !isJson(head)) return notJson;
    if (method === 'GET' && path === '/v1/info') return null;
    if (method === 'POST' && path === '/v1/pair') {
      if (signatures.freshTime(signedHeaders(head)) === null) return staleTimestamp;
      return pairRoute.isOpen(head) ? null : windowClosed;
    }
    const claimed = signatures.checkClaim(head, pairings.read());
    return claimed.ok ? null : refusal(401, claimed.error);
  };

  const respond = async (request: BridgeRequest): Promise<BridgeResponse> => {
    const { method, target, body } = request;
    const [path = ''] = target.split('?');
    if (body.length > 0 && !isJson(request)) return notJson;
    if (method === 'GET' && path === '/v1/info') return info(request);
    if (method === 'POST' && path === '/v1/pair') return pairRoute.pair(request);
    const known = signatures.authenticate(request, pairings.read());
    if (!known.ok) return refusal(401, known.error);
    if (method !== 'DELETE' || path !== '/v1/pairing') return routes(request, known.value);
    const removed = pairings.remove(known.value);
    return removed.ok ? jsonResponse(200, { disconnected: true }) : bridgeFailed(removed.error);
  };

  return async (head, readBody) => {
    const stopped = gate.stop(head);
    if (stopped) return stopped;
    const refused = refuseHead(head);
    if (refused) return gate.finish(head, refused);
    const isSigned = !['/v1/info', '/v1/pair'].includes(head.target.split('?')[0] ?? '');
    const body = await readBody(isSigned ? maxSignedBodyBytes : maxOpenBodyBytes);
    if (!body) return gate.finish(head, refusal(413, 'body too large'));
    return gate.finish(head, await respond({ ...head, body }));
  };
}
