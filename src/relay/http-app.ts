/**
 * HTTP: checks the headers, reads the body under its caps, authenticates the signer, calls the route and
 * sends its response. Every error becomes JSON `{error, message}`; no client input makes it throw.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { z } from 'zod';
import { errorText } from '../contract/errors.ts';
import { inputText } from '../contract/issue-text.ts';
import { type Err, ok, type Result } from '../contract/result.ts';
import { parseGuardedJson } from '../core/lib/guarded-json.ts';
import { StoreError } from '../core/lib/store-error.ts';
import { say } from '../language/say.ts';
import { hasBody, isJsonType } from '../platform/http-guards.ts';
import { type BodyBudget, type BodyLease, type BodyProblem, readBody } from '../platform/read-body.ts';
import type { RelayClients } from './allowed-clients.ts';
import { authenticateRequest, type Claimed, type RequestAuthDeps, readClaim } from './authenticate.ts';
import type { Caller, RelayContext, RelayRequest, RelayRoute, RouteOutcome } from './context.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Refusal, refusalBody, refuseRequest } from './refusal.ts';
import type { RequestRates } from './request-rates.ts';
import { routes } from './routes.ts';

export interface HttpDeps {
  readonly context: RelayContext;
  readonly auth: RequestAuthDeps;
  readonly rates: RequestRates;
  readonly bodies: BodyBudget;
  readonly clients: RelayClients;
}

const blobHeaders = { 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' };
const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

export function createHttpApp(deps: HttpDeps): Hono<{ Bindings: HttpBindings }> {
  // The trie matches whole segments, so that `end:batch` is literal text.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new TrieRouter() });
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const { incoming } = c.env;
      const query = new URL(incoming.url ?? '/', 'http://relay').searchParams;
      const outcome = await serve(deps, route, incoming, c.req.param(), query);
      return respond(outcome, c.env);
    });
  }
  app.notFound((c) => respond(refuseRequest('NOT_FOUND', say('relay.addressUnknown')), c.env));
  app.onError((error, c) => respond(storeFailure(deps, error), c.env));
  return app;
}

function storeFailure(deps: HttpDeps, error: unknown): RouteOutcome {
  if (error instanceof StoreError) {
    deps.context.log.error('relay.store_failed', { code: error.code, message: error.message });
    return refuseRequest(
      'UNAVAILABLE',
      say(error.code === 'disk_full' ? 'relay.diskFull' : 'relay.storeFailed'),
    );
  }
  deps.context.log.error('relay.failed', {
    message: errorText(error),
    stack: error instanceof Error ? error.stack : undefined,
  });
  return refuseRequest('INTERNAL', say('relay.relayFailed'));
}

async function serve(
  deps: HttpDeps,
  route: RelayRoute,
  incoming: IncomingMessage,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Promise<RouteOutcome> {
  const address = deps.clients.addressOf(incoming);
  const head = checkHead(deps, route, incoming, address);
  if (!head.ok) return counted(deps, route, address, null, head);
  const lease = deps.bodies.open(address);
  try {
    const outcome = await admitted(deps, route, { incoming, params, query, claimed: head.value, lease });
    return counted(deps, route, address, head.value, outcome);
  } finally {
    lease.release();
  }
}

/** Counts a failure against the address, and against the identity whose signature was invalid. */
function counted(
  deps: HttpDeps,
  route: RelayRoute,
  address: string,
  claimed: Claimed | null,
  outcome: RouteOutcome,
): RouteOutcome {
  const { failures } = deps.rates;
  const unauthorized = !outcome.ok && outcome.error.status === 401;
  if (claimed && unauthorized) failures.take(failureKey(address, claimed));
  const suspicious = route.scarce === true || (!outcome.ok && (route.signer === 'open' || unauthorized));
  return suspicious && !failures.take(address) ? tooMany(failures) : outcome;
}

const failureKey = (address: string, { claim }: Claimed): string => `${address} ${claim.signerId}`;

const tooMany = (limit: RateLimit) =>
  refuseRequest('RATE_LIMITED', say('relay.tooManyRequests'), {
    retry_after: limit.retryAfterSeconds,
  });

/**
 * Every check of the headers alone, before any byte of the body is read. `null` for an allowed unsigned
 * request.
 */
function checkHead(
  deps: HttpDeps,
  route: RelayRoute,
  incoming: IncomingMessage,
  address: string,
): Result<Claimed | null, Refusal> {
  const { headers } = incoming;
  const { requests, failures, unsignedReads } = deps.rates;
  const foreign = deps.clients.refuse(headers);
  if (foreign) return refuseRequest(foreign.status === 421 ? 'MISDIRECTED' : 'FORBIDDEN', foreign.message);
  if ((route.signer === 'open' || route.scarce) && !failures.allows(address)) return tooMany(failures);
  if (route.signer === 'open') {
    if (route.method !== 'GET' && hasBody(headers) && !isJsonType(headers['content-type'])) {
      return refuseRequest('UNSUPPORTED_MEDIA_TYPE', say('relay.jsonTypeNeeded'));
    }
    return ok(null);
  }
  if (route.signer === 'optional' && headers['x-puffo-slug'] === undefined) {
    return unsignedReads.take(address) ? ok(null) : tooMany(unsignedReads);
  }
  const claimed = readClaim(deps.auth, incoming, route.signer === 'device' ? 'device' : 'subkey');
  if (!claimed.ok) return claimed;
  if (!failures.allows(failureKey(address, claimed.value))) return tooMany(failures);
  return requests.allows(claimed.value.claim.slug) ? claimed : tooMany(requests);
}

interface Admission {
  readonly incoming: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly claimed: Claimed | null;
  readonly lease: BodyLease;
}

async function admitted(
  deps: HttpDeps,
  route: RelayRoute,
  { incoming, params, query, claimed, lease }: Admission,
): Promise<RouteOutcome> {
  const { context, clients, rates } = deps;
  const body = await bodyOf(context, route, incoming, lease);
  if (!body.ok) return body;
  const caller = claimed && authenticateRequest(deps.auth, claimed, incoming, body.value);
  if (caller && !caller.ok) return caller;
  if (caller) clients.trust(incoming.socket);
  if (caller && !rates.requests.take(caller.value.slug)) return tooMany(rates.requests);
  const request = requestOf(context, params, query, body.value);
  try {
    return await dispatch(context, route, request, caller?.value ?? null);
  } catch (error) {
    return storeFailure(deps, error);
  }
}

async function bodyOf(
  context: RelayContext,
  route: RelayRoute,
  incoming: IncomingMessage,
  lease: BodyLease,
): Promise<Result<Uint8Array, Refusal>> {
  if (route.method === 'GET') return ok(new Uint8Array());
  const { limits, clock } = context;
  const caps =
    route.rawBytes === 'blob'
      ? { bytes: limits.blobBytes, ms: limits.blobMs }
      : {
          bytes:
            route.signer === 'open' ? Math.min(limits.openBodyBytes, limits.bodyBytes) : limits.bodyBytes,
          ms: limits.bodyMs,
        };
  const body = await readBody(incoming, caps, clock, lease);
  return body.ok ? ok(body.value) : bodyRefusals[body.problem](caps.bytes);
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 / 102.4) / 10} MiB`;

const bodyRefusals: Readonly<Record<BodyProblem, (cap: number) => Err<Refusal>>> = {
  too_large: (cap) => refuseRequest('PAYLOAD_TOO_LARGE', say('relay.bodyTooLarge', { cap: sizeOf(cap) })),
  too_slow: () => refuseRequest('REQUEST_TIMEOUT', say('relay.bodyTooSlow')),
  busy: () => refuseRequest('RATE_LIMITED', say('relay.tooManyUploads'), { retry_after: 2 }),
  gone: () => refuseRequest('InvalidInput', say('relay.bodyEndedEarly')),
};

function requestOf(
  context: RelayContext,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
  body: Uint8Array,
): RelayRequest {
  let parsed: ReturnType<typeof parseGuardedJson> | null = null;
  return {
    params,
    query,
    body,
    json: <T>(schema: z.ZodType<T>): Result<T, Refusal> => {
      parsed ??= parseGuardedJson(body, context.limits.jsonDepth);
      if (!parsed.ok) return refuseRequest('InvalidInput', parsed.why);
      const checked = schema.safeParse(parsed.value);
      if (checked.success) return ok(checked.data);
      return refuseRequest('InvalidInput', inputText(checked.error.issues));
    },
  };
}

function dispatch(
  context: RelayContext,
  route: RelayRoute,
  request: RelayRequest,
  caller: Caller | null,
): Promise<RouteOutcome> | RouteOutcome {
  if (route.signer === 'open') return route.handle(context, request);
  if (route.signer === 'optional') return route.handle(context, request, caller);
  return caller
    ? route.handle(context, request, caller)
    : refuseRequest('UNAUTHORIZED', say('relay.requestUnsigned'));
}

/**
 * Writes to the socket directly: a `Response` would become a stream first, which costs more than the rest of
 * a small request.
 */
function respond(outcome: RouteOutcome, { incoming, outgoing }: HttpBindings): Response {
  if (outcome.ok) {
    const { status, body } = outcome.value;
    if (body instanceof Uint8Array) send(outgoing, status, blobHeaders, body);
    else send(outgoing, status, json, typeof body === 'string' ? body : JSON.stringify(body));
    return RESPONSE_ALREADY_SENT;
  }
  const { status, code } = outcome.error;
  const headers: Record<string, string> = { ...json };
  if (code === 'RATE_LIMITED') headers['retry-after'] = String(outcome.error.details?.retry_after ?? 10);
  // An unread body must not keep the connection open.
  if (!incoming.complete) headers.connection = 'close';
  send(outgoing, status, headers, JSON.stringify(refusalBody(outcome.error)));
  return RESPONSE_ALREADY_SENT;
}

function send(
  outgoing: Pick<ServerResponse, 'writeHead' | 'end'>,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  if (status === 204) {
    outgoing.writeHead(status, { 'cache-control': 'no-store' });
    outgoing.end();
    return;
  }
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}
