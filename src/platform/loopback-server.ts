/** Creates and closes the HTTP listeners of a host, with the same caps for all of them (T24, F12). */
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { capConnections } from './connection-caps.ts';

export interface LoopbackLimits {
  /** ms for the headers of a request; 10,000 if absent. */
  readonly headMs?: number;
  /** ms for a whole request; 30,000 if absent. */
  readonly requestMs?: number;
  readonly keepAliveMs?: number;
  /** 64 if absent. */
  readonly maxConnections?: number;
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export function createLoopbackServer(
  limits: LoopbackLimits,
  onRequest: RequestListener,
  onUpgrade?: UpgradeListener,
): HttpServer {
  const { headMs = 10_000, requestMs = 30_000, keepAliveMs, maxConnections = 64 } = limits;
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      // Node's default check interval is 30 s.
      connectionsCheckingInterval: Math.min(1_000, headMs),
      maxHeaderSize: 16_384,
      ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs }),
    },
    onRequest,
  );
  const { trust } = capConnections(server, {
    connections: maxConnections,
    connectionsPerAddress: maxConnections,
    connectionsFromLoopback: Math.ceil(maxConnections / 2),
  });
  // A connection that sent the head of a request no longer counts as silent; silent ones may take half of all
  // connections.
  server.on('request', ({ socket }) => trust(socket));
  // Without a listener Node answers an upgrade request like any other.
  if (onUpgrade)
    server.on('upgrade', (request, socket, head) => {
      trust(socket);
      onUpgrade(request, socket, head);
    });
  return server;
}

/** Closes the server and all its connections. */
export function closeHttpServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
