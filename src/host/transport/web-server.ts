/**
 * Serves the renderer on a random loopback port, for machines without a display. The page's files are public
 * and contain no data. The WebSocket answers nothing before a first frame with a session secret or the token
 * of a one-time link.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { maxFrameBytes } from '../../contract/frames.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { pageHeaders } from '../../contract/page-headers.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { isServedHost, loopbackHosts } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { createLoopbackServer, type UpgradeListener } from '../../platform/loopback-server.ts';
import { readPageFile } from './page-files.ts';
import { servePageSocket } from './page-socket.ts';
import { createWebSessions, type WebSession } from './web-sessions.ts';

const maxBrowserSockets = 50;
/** Limit on connections without a first frame. */
const maxStrangers = 10;
/** A page loads its files over several connections at once. */
const maxConnections = 256;

export interface PageAccess {
  /** A link that opens the page once, or `null` while the page is locked. */
  newLink(): string | null;
  /** Locks the page in all browsers; returns the number of sessions. */
  lock(): number;
  /** Returns false if the page was not locked. */
  unlock(): boolean;
  /** Sessions of browsers, oldest first. */
  sessions(): readonly WebSession[];
  /** Ends every session and closes its connections; returns their number. */
  signOutAll(): number;
}

export interface WebServer extends PageAccess {
  readonly port: number;
  close(): Promise<void>;
}

interface WebOptions {
  readonly api: HostApi;
  readonly rendererDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this passphrase opens a locked page. */
  readonly checkPassphrase: (passphrase: string) => Promise<Result<void>>;
}

function answer(res: ServerResponse, status: number, text: string, more: Record<string, string> = {}): void {
  res.writeHead(status, { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8', ...more });
  res.end(`${text}\n`);
}

async function onRequest(
  hosts: ReadonlySet<string>,
  options: WebOptions,
  req: IncomingMessage,
  res: ServerResponse,
) {
  if (!isServedHost(req.headers.host, hosts)) return answer(res, 421, 'This address is not served here.');
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return answer(res, 405, 'Only GET.', { allow: 'GET, HEAD' });
  const url = URL.parse(req.url ?? '/', 'http://kennel.invalid');
  if (!url) return answer(res, 400, 'That is not a path.');
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

/** A WebSocket is for the page of this address only; an absent origin is no page (T2). */
function upgradeVerdict(hosts: ReadonlySet<string>, { headers, url }: IncomingMessage): string | null {
  if (!isServedHost(headers.host, hosts)) return '421 Misdirected Request';
  if (headers.origin !== `http://${headers.host}`) return '403 Forbidden';
  return url === '/ws' ? null : '404 Not Found';
}

async function listen(server: Server): Promise<Result<number>> {
  const listening = await listenOn(server, { host: '127.0.0.1', port: 0 });
  return listening.ok
    ? ok(listening.port)
    : err(fail('io_error', 'host.servePageFailed', { why: messageOf(listening.error) }));
}

export async function openWebServer(options: WebOptions): Promise<Result<WebServer>> {
  let hosts: ReadonlySet<string> | null = null;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  const answerRequest: RequestListener = (req, res) => {
    if (!hosts) return answer(res, 503, 'Not yet.');
    onRequest(hosts, options, req, res).catch((error: unknown) => {
      options.log.error('page_failed', { error });
      res.destroy();
    });
  };
  const sessions = createWebSessions(options.clock);
  const strangers = new Set<WebSocket>();
  const onUpgrade: UpgradeListener = (req, socket, head) => {
    const verdict = hosts ? upgradeVerdict(hosts, req) : '503 Service Unavailable';
    if (verdict) return refuseUpgrade(socket, verdict);
    if (sockets.clients.size - strangers.size >= maxBrowserSockets)
      return refuseUpgrade(socket, '503 Service Unavailable');
    // The oldest silent connection makes way, so silent ones never lock out a browser.
    if (strangers.size >= maxStrangers) strangers.values().next().value?.terminate();
    sockets.handleUpgrade(req, socket, head, (ws) => {
      strangers.add(ws);
      ws.on('close', () => strangers.delete(ws));
      servePageSocket(ws, sessions, options, () => strangers.delete(ws));
    });
  };
  const server = createLoopbackServer({ maxConnections }, answerRequest, onUpgrade);
  const port = await listen(server);
  if (!port.ok) return port;
  hosts = loopbackHosts(port.value);
  return ok({
    port: port.value,
    // In the fragment, which browsers do not send.
    newLink: () =>
      sessions.isLocked() ? null : `http://127.0.0.1:${port.value}/#link=${sessions.newLink()}`,
    lock: sessions.lock,
    unlock: sessions.unlock,
    signOutAll: sessions.endAll,
    sessions: sessions.list,
    close: () =>
      new Promise((resolve) => {
        for (const ws of sockets.clients) ws.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
