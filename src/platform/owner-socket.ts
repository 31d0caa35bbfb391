/** A listener for its owner only: a Unix socket (0600; its folder is 0700) or a Windows named pipe. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { type Listening, listenOn } from './listen-on.ts';

/** The caller owns the folder of `path`, so an existing socket file is stale and is removed. */
export async function listenForOwner(server: Server, path: string): Promise<Listening> {
  const isFile = process.platform !== 'win32';
  if (isFile) rmSync(path, { force: true });
  const listening = await listenOn(server, { path });
  if (listening.ok && isFile) chmodSync(path, 0o600);
  return listening;
}

export interface OwnerSocketOptions {
  readonly path: string;
  readonly maxConnections: number;
  onConnection(client: Socket): void;
  /** An error after the start, which refuses one connection. */
  onError?(error: Error): void;
  /** Ends a client that is still connected at the close. */
  endClient(client: Socket): void;
}

export type OpenedOwnerSocket =
  | { readonly ok: true; close(): Promise<void> }
  | { readonly ok: false; readonly error: Error };

export async function openOwnerSocket(options: OwnerSocketOptions): Promise<OpenedOwnerSocket> {
  const { path, maxConnections, onConnection, onError, endClient } = options;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    // A client may disconnect during a write; `close` follows.
    client.on('error', () => undefined);
    onConnection(client);
  });
  server.maxConnections = maxConnections;
  const listening = await listenForOwner(server, path);
  if (!listening.ok) return listening;
  if (onError) server.on('error', onError);
  return {
    ok: true,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) endClient(client);
      }),
  };
}
