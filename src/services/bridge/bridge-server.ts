/**
 * The listener of the bridge: on this machine only, with caps on everything that an unauthenticated client
 * could make large or slow (T4, T24).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { loopbackNames } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../platform/loopback-server.ts';
import { BodyBudget, readBody } from '../../platform/read-body.ts';
import type { BridgeApp } from './bridge-app.ts';
import { type BridgeResponse, refusal } from './bridge-types.ts';

export interface BridgeServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly app: BridgeApp;
  readonly log: Log;
  readonly clock: Clock;
  /** ms for the head of a request; a third of the limit for the whole. 10,000 when absent. */
  readonly headMs?: number;
}

export interface BridgeServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const bodyMs = 30_000;
/** Bodies arrive before their signature can be checked, so all of them together have one cap. */
const maxHeldBytes = 24 * 1024 * 1024;
/** ms after which a body that still arrives may be cut in favour of another. */
const slowMs = 5_000;

export async function openBridgeServer(options: BridgeServerOptions): Promise<Result<BridgeServer>> {
  const { host, port, log } = options;
  if (!loopbackNames.includes(host)) return err(notLoopback(host));
  const headMs = options.headMs ?? 10_000;
  const limits = { headMs, requestMs: 3 * headMs, keepAliveMs: 60_000 };
  const held = { bytes: maxHeldBytes, bytesPerAddress: maxHeldBytes, slowMs };
  const bodies = new BodyBudget(held, options.clock);
  const server = createLoopbackServer(limits, (request, response) => {
    serve({ ...options, bodies }, request, response).catch((error: unknown) => {
      log.error('bridge_failed', { error });
      if (response.headersSent) response.destroy();
      else answer(response, refusal(500, 'internal error'), request);
    });
  });
  const listening = await listenOn(server, { host, port });
  if (!listening.ok) return err(busy(port, listening.error.message));
  return ok({
    url: `http://${host}:${listening.port}`,
    port: listening.port,
    close: () => closeHttpServer(server),
  });
}

const headersOf = (request: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );

type Serving = Pick<BridgeServerOptions, 'app' | 'clock'> & { readonly bodies: BodyBudget };

async function serve(
  { app, clock, bodies }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = (request.method ?? 'GET').toUpperCase();
  const target = request.url ?? '/';
  const lease = bodies.open('loopback');
  try {
    const answered = await app({ method, target, headers: headersOf(request) }, async (maxBytes) => {
      const body = await readBody(request, { bytes: maxBytes, ms: bodyMs }, clock, lease);
      return body.ok ? body.value : null;
    });
    answer(response, answered, request);
  } finally {
    lease.release();
  }
}

function answer(
  response: ServerResponse,
  { status, headers, body }: BridgeResponse,
  request: IncomingMessage,
): void {
  const isJson = 'json' in body;
  const content = isJson ? JSON.stringify(body.json) : body.text;
  const type = isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, {
    ...headers,
    ...(status === 204 ? {} : { 'Content-Type': type }),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    // Does not wait for the unread rest of the request.
    ...(request.complete ? {} : { Connection: 'close' }),
  });
  response.end(status === 204 ? undefined : content);
}

const notLoopback = (host: string) =>
  fail(
    'invalid_input',
    'programs.bridgeLocalOnly',
    { host },
    { help: 'programs.keepBindHost', where: 'bridge.bind_host' },
  );
const busy = (port: number, why: string) =>
  fail('io_error', 'programs.bridgeListenFailed', { port, why }, { help: 'programs.changeBridgePort' });
