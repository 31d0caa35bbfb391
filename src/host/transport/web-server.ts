/**
 * The renderer for machines without a display: the same page and the same frames as in the app, on a random
 * loopback port, answered only to a browser that came through a one-time link. Without a session every path,
 * existing or not, is answered alike.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { appError } from '../../contract/errors.ts';
import { maxFrameBytes } from '../../contract/frames.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { pageHeaders } from '../../contract/page-headers.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { readPageFile } from './page-files.ts';
import { createSession, slowClientBytes } from './session.ts';
import { createWebGuard, type WebGuard } from './web-guard.ts';

const maxBrowserSockets = 50;
const pingMs = 30_000;

export interface WebServer {
  readonly port: number;
  newLink(): string;
  close(): Promise<void>;
}

interface WebOptions {
  readonly api: HostApi;
  readonly rendererDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

function answer(res: ServerResponse, status: number, text: string, more: Record<string, string> = {}): void {
  res.writeHead(status, { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8', ...more });
  res.end(`${text}\n`);
}

const needLink = 'This page opens only through its one-time link. Run "kennel open" for a fresh one.';

function redeem(guard: WebGuard, token: string, res: ServerResponse): void {
  const session = guard.redeem(token);
  if (!session) answer(res, 401, needLink);
  else answer(res, 303, 'Welcome.', { location: '/', 'set-cookie': guard.setCookie(session) });
}

async function onRequest(guard: WebGuard, options: WebOptions, req: IncomingMessage, res: ServerResponse) {
  if (!guard.hostAllowed(req.headers.host)) return answer(res, 421, 'This address is not served here.');
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return answer(res, 405, 'Only GET.', { allow: 'GET, HEAD' });
  const url = URL.parse(req.url ?? '/', 'http://kennel.invalid');
  if (!url) return answer(res, 400, 'That is not a path.');
  const token = url.pathname === '/' ? url.searchParams.get('token') : null;
  if (token !== null && req.method === 'GET') return redeem(guard, token, res);
  if (!guard.hasSession(req.headers.cookie)) return answer(res, 401, needLink);
  const file = await readPageFile(options.rendererDir, url.pathname);
  if (!file) return answer(res, 404, 'There is no such page.');
  res.writeHead(200, {
    ...pageHeaders,
    'content-type': file.contentType,
    'content-length': String(file.body.length),
  });
  res.end(req.method === 'HEAD' ? undefined : file.body);
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function upgradeVerdict(guard: WebGuard, req: IncomingMessage): string | null {
  if (!guard.hostAllowed(req.headers.host)) return '421 Misdirected Request';
  if (!guard.originAllowed(req.headers.origin, req.headers.host)) return '403 Forbidden';
  if (!guard.hasSession(req.headers.cookie)) return '401 Unauthorized';
  return req.url === '/ws' ? null : '404 Not Found';
}

function serveSocket(ws: WebSocket, options: WebOptions): void {
  const session = createSession({
    api: options.api,
    principal: { kind: 'owner-ui' },
    wire: {
      send: (text) =>
        ws.send(text, () => {
          if (ws.bufferedAmount < slowClientBytes) session.onDrain();
        }),
      buffered: () => ws.bufferedAmount,
      close: (reason) => {
        options.log.warn('browser_dropped', { reason });
        ws.close(1008, reason);
      },
    },
  });
  let alive = true;
  const beat = (): void => {
    if (!alive) {
      ws.terminate();
      return;
    }
    alive = false;
    ws.ping();
    timer = options.clock.after(pingMs, beat, { unref: true });
  };
  let timer = options.clock.after(pingMs, beat, { unref: true });
  ws.on('pong', () => {
    alive = true;
  });
  ws.on('message', (data, isBinary) => {
    if (isBinary) ws.close(1003, 'text only');
    else session.onText(String(data));
  });
  ws.on('close', () => {
    timer.cancel();
    session.end();
  });
  ws.on('error', () => ws.terminate());
}

function listen(server: Server): Promise<Result<number>> {
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(err(appError('io_error', `The page could not be served on loopback: ${error.message}.`))),
    );
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      resolve(ok(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export async function openWebServer(options: WebOptions): Promise<Result<WebServer>> {
  let guard: WebGuard | null = null;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (req, res) => {
    if (!guard) return answer(res, 503, 'Not yet.');
    onRequest(guard, options, req, res).catch((error: unknown) => {
      options.log.error('page_failed', { error });
      res.destroy();
    });
  });
  server.on('upgrade', (req, socket, head) => {
    const verdict = guard ? upgradeVerdict(guard, req) : '503 Service Unavailable';
    if (verdict) return refuseUpgrade(socket, verdict);
    if (sockets.clients.size >= maxBrowserSockets) return refuseUpgrade(socket, '503 Service Unavailable');
    sockets.handleUpgrade(req, socket, head, (ws) => serveSocket(ws, options));
  });
  const port = await listen(server);
  if (!port.ok) return port;
  const opened = createWebGuard(port.value, options.clock);
  guard = opened;
  return ok({
    port: port.value,
    newLink: opened.newLink,
    close: () =>
      new Promise((resolve) => {
        for (const ws of sockets.clients) ws.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
