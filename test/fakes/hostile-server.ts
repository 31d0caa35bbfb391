/**
 * A hostile Puffo server: correct by default so that clients can connect, then scripted route by route and
 * frame by frame.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { RegistryEntry } from '../../src/core/puffo/registry-store.ts';

export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Reply =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: http.OutgoingHttpHeaders;
    }
  /** Takes over the raw connection. */
  | ((socket: Socket) => void);

export interface HostileServer {
  readonly url: string;
  readonly requests: HostileRequest[];
  /** Connect frames received. */
  readonly connects: unknown[];
  /** Acknowledged ids in order, over HTTP or socket. */
  readonly acknowledged: string[];
  /** Response of `/messages/pending`. */
  readonly pending: unknown[];
  readonly registry: RegistryEntry[];
  /**
   * Overrides a route, named `METHOD /path` without query; `undefined` falls back to the default response.
   */
  reply(route: string, make: (request: HostileRequest) => Reply | undefined): void;
  /** Sends to every open socket. */
  send(frame: unknown): void;
  /** Number of open WebSockets. */
  open(): number;
  /** Answers the next connect frames instead of `connected`. */
  greet(make: (socket: WebSocket) => void): void;
  /** Stops reading and writing on all current connections without closing them. */
  freeze(): void;
  drop(): void;
  stop(): Promise<void>;
}

function read(request: http.IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    request.on('error', () => resolve(''));
  });
}

export async function createHostileServer(): Promise<HostileServer> {
  const requests: HostileRequest[] = [];
  const connects: unknown[] = [];
  const acknowledged: string[] = [];
  const pending: unknown[] = [];
  const registry: RegistryEntry[] = [];
  const scripts = new Map<string, (request: HostileRequest) => Reply | undefined>();
  const sockets = new Set<WebSocket>();
  const raw = new Set<Socket>();
  let greeting = (socket: WebSocket): void => socket.send('{"type":"connected","session_id":"s"}');

  const byDefault = (request: HostileRequest): Reply => {
    const url = new URL(request.target, 'http://x');
    if (url.pathname === '/certs/sync') {
      const slugs = (url.searchParams.get('slugs') ?? '').split(',');
      const since = Number(url.searchParams.get('since'));
      const entries = registry.filter((entry) => slugs.includes(entry.slug) && entry.seq > since);
      return { status: 200, json: { entries: entries.sort((a, b) => a.seq - b.seq), has_more: false } };
    }
    if (url.pathname === '/messages/pending') {
      return { status: 200, json: { messages: pending.map((envelope) => ({ envelope })) } };
    }
    if (url.pathname === '/messages/ack') {
      const body = JSON.parse(request.body) as { envelope_ids: string[] };
      acknowledged.push(...body.envelope_ids);
    }
    if (url.pathname === '/invites') return { status: 200, json: { invites: [] } };
    if (url.pathname === '/identities/profiles') return { status: 200, json: { profiles: [] } };
    if (url.pathname === '/spaces') return { status: 200, json: { spaces: [] } };
    return { status: 200, json: { ok: true } };
  };

  const server = http.createServer((request, response) => {
    void read(request).then((body) => {
      const seen = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: request.headers,
        body,
      };
      requests.push(seen);
      const script = scripts.get(`${seen.method} ${seen.target.split('?')[0]}`);
      const reply = script?.(seen) ?? byDefault(seen);
      if (typeof reply === 'function') {
        reply(request.socket);
        return;
      }
      const text = reply.text ?? JSON.stringify(reply.json ?? {});
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(text);
    });
  });
  server.on('connection', (socket) => {
    raw.add(socket);
    socket.on('close', () => raw.delete(socket));
    socket.on('error', () => undefined);
  });
  const upgrades = new WebSocketServer({ server, path: '/subscribe' });
  upgrades.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { type: string; envelope_ids?: string[] };
      if (frame.type === 'connect') {
        connects.push(frame);
        greeting(socket);
      }
      if (frame.type === 'ack') acknowledged.push(...(frame.envelope_ids ?? []));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connects,
    acknowledged,
    pending,
    registry,
    reply: (route, make) => scripts.set(route, make),
    send(frame) {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      for (const socket of sockets) socket.send(text);
    },
    open: () => [...sockets].filter((socket) => socket.readyState === WebSocket.OPEN).length,
    greet: (make) => {
      greeting = make;
    },
    freeze() {
      for (const socket of sockets) socket.pause();
    },
    drop() {
      for (const socket of sockets) socket.terminate();
    },
    async stop() {
      for (const socket of sockets) socket.terminate();
      for (const socket of raw) socket.destroy();
      upgrades.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
