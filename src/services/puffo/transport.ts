/**
 * One HTTP exchange with a Puffo server: the request target is sent exactly as it was signed, the response is
 * read under a deadline and a cap, and nothing is repeated or redirected here. All accounts share the
 * connections.
 */
import http from 'node:http';
import https from 'node:https';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { maxBodyBytes } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import { noAnswer, type RequestError } from './request-error.ts';

export interface ServerExchange {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with query below the server URL, e.g. `/certs/sync?slugs=a`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** ms from the moment a connection is free to the last byte of the response; default 15 s. */
  readonly deadlineMs?: number;
  /** Maximum bytes of the response; default 10 MiB. */
  readonly maxBytes?: number;
  /** Reports bytes of the body handed to the network so far; each report restarts the deadline. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

export interface ServerAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The server's clock, ms since the epoch, or `null` if the response has no date. */
  readonly serverTime: number | null;
  readonly retryAfterMs: number | null;
}

export interface Transport {
  readonly serverUrl: string;
  /** The ws: or wss: URL of `target` below the server URL. */
  socketUrl(target: string): string;
  send(exchange: ServerExchange): Promise<Result<ServerAnswer, RequestError>>;
  close(): void;
}

const defaultDeadlineMs = 15_000;
/** ms that a request may wait for one of the shared connections. */
const queueDeadlineMs = 60_000;
const bodyPiece = 128 * 1024;

function retryAfterOf(value: string | undefined): number | null {
  if (value === undefined || !/^\d{1,6}$/.test(value)) return null;
  return Number(value) * 1_000;
}

/** A request other than GET states its content length even if it is 0. */
const withLength = (exchange: ServerExchange): Record<string, string> =>
  exchange.method === 'GET'
    ? { ...exchange.headers }
    : { ...exchange.headers, 'content-length': String(exchange.body?.length ?? 0) };

function answerOf(response: http.IncomingMessage, body: Uint8Array): ServerAnswer {
  const date = Date.parse(response.headers.date ?? '');
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    body,
    serverTime: Number.isNaN(date) ? null : date,
    retryAfterMs: retryAfterOf(response.headers['retry-after']),
  };
}

/** Collects the body; `settle` is called once, with the whole body or the error. */
function readBody(
  response: http.IncomingMessage,
  maxBytes: number,
  settle: (result: Result<ServerAnswer, RequestError>) => void,
): void {
  const tooLarge = noAnswer('too_large', say('server.answerTooLarge', { maxBytes }));
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    settle(err(tooLarge));
    return;
  }
  const pieces: Buffer[] = [];
  let size = 0;
  response.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > maxBytes) settle(err(tooLarge));
    else pieces.push(piece);
  });
  response.on('end', () => {
    if (response.complete) settle(ok(answerOf(response, Buffer.concat(pieces, size))));
  });
  response.on('close', () => settle(err(noAnswer('unavailable', say('server.answerCutOff')))));
  response.on('error', () => settle(err(noAnswer('unavailable', say('server.answerCutOff')))));
}

/** Sends the body in pieces if the caller wants progress, else at once. */
function sendBody(
  request: http.ClientRequest,
  { body, onSent }: ServerExchange,
  sent: (bytes: number) => void,
): void {
  if (body === null || onSent === undefined) {
    request.end(body ?? undefined);
    return;
  }
  const next = (at: number): void => {
    if (request.destroyed) return;
    if (at >= body.length) {
      request.end();
      return;
    }
    const to = Math.min(at + bodyPiece, body.length);
    request.write(body.subarray(at, to), () => {
      sent(to);
      next(to);
    });
  };
  next(0);
}

/** Settles at most once: on the response, an error, the deadline, or the caller's signal. */
function perform(
  request: http.ClientRequest,
  exchange: ServerExchange,
  clock: Clock,
): Promise<Result<ServerAnswer, RequestError>> {
  return new Promise((resolve) => {
    let settled = false;
    const settle = (result: Result<ServerAnswer, RequestError>): void => {
      if (settled) return;
      settled = true;
      timer.cancel();
      exchange.signal?.removeEventListener('abort', abort);
      if (!result.ok) request.destroy();
      resolve(result);
    };
    const late = () => settle(err(noAnswer('timeout', say('server.serverTimeout'))));
    const abort = () => settle(err(noAnswer('cancelled', say('server.requestCancelled'))));
    let timer = clock.after(queueDeadlineMs, late);
    exchange.signal?.addEventListener('abort', abort, { once: true });
    const again = (): void => {
      if (settled) return;
      timer.cancel();
      timer = clock.after(exchange.deadlineMs ?? defaultDeadlineMs, late);
    };
    request.on('socket', again);
    request.on('response', (response) => readBody(response, exchange.maxBytes ?? maxBodyBytes, settle));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ? ` (${error.code})` : '';
      settle(err(noAnswer('unavailable', say('server.serverUnreachableReason', { why }))));
    });
    if (exchange.signal?.aborted) abort();
    else
      sendBody(request, exchange, (bytes) => {
        if (settled) return;
        again();
        exchange.onSent?.(bytes);
      });
  });
}

/** Fails every request, because the configured address is invalid. */
function nowhere(serverUrl: string): Transport {
  const message = say('server.invalidServerAddress', { serverUrl });
  return {
    serverUrl,
    socketUrl: () => 'ws://invalid.invalid',
    send: () => Promise.resolve(err(noAnswer('invalid_input', message))),
    close: () => undefined,
  };
}

export function createTransport(serverUrl: string, clock: Clock): Transport {
  const base = URL.parse(serverUrl);
  if (!base || !['http:', 'https:'].includes(base.protocol) || base.username || base.search || base.hash) {
    return nowhere(serverUrl);
  }
  const secure = base.protocol === 'https:';
  const basePath = base.pathname.replace(/\/+$/, '');
  const options = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8, scheduling: 'lifo' as const };
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  const host = base.hostname.replace(/^\[(.*)\]$/, '$1');
  const begin = secure ? https.request : http.request;
  return {
    serverUrl: `${base.origin}${basePath}`,
    socketUrl: (target) => `${secure ? 'wss' : 'ws'}://${base.host}${basePath}${target}`,
    send: (exchange) => {
      const request = begin({
        agent,
        host,
        ...(base.port ? { port: Number(base.port) } : {}),
        method: exchange.method,
        path: basePath + exchange.target,
        headers: withLength(exchange),
        maxHeaderSize: 32 * 1024,
      });
      return perform(request, exchange, clock);
    },
    close: () => agent.destroy(),
  };
}
