/**
 * The socket for the command line: a Unix socket (0600 in a 0700 folder) or a Windows named pipe, one JSON
 * frame per line. Access to the socket proves ownership of the data folder.
 */

import type { Socket } from 'node:net';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { maxFrameBytes } from '../../contract/frames.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { openOwnerSocket } from '../../platform/owner-socket.ts';
import { createTransportSession, slowClientBytes } from './client-connection.ts';
import { createLineSplitter } from './line-splitter.ts';

const maxClients = 100;

export interface SocketServer {
  readonly path: string;
  close(): Promise<void>;
}

function serve(socket: Socket, api: HostApi, log: Log): void {
  const splitter = createLineSplitter(maxFrameBytes);
  const session = createTransportSession({
    api,
    principal: { kind: 'owner-cli' },
    wire: {
      send: (text) => socket.write(`${text}\n`),
      buffered: () => socket.writableLength,
      close: (reason) => {
        log.warn('socket_client_dropped', { reason });
        socket.destroy();
      },
    },
  });
  socket.on('data', (chunk: Buffer) => {
    const lines = splitter.push(chunk);
    if (!lines) {
      log.warn('socket_client_dropped', { reason: 'line too long' });
      socket.destroy();
      return;
    }
    for (const line of lines) if (line.trim() !== '' && !socket.destroyed) session.onText(line);
  });
  socket.on('drain', () => {
    if (socket.writableLength < slowClientBytes) session.onDrain();
  });
  socket.on('close', () => session.end());
}

/** The caller holds the folder's lock, so an existing socket file is stale. */
export async function openSocketServer(options: {
  readonly path: string;
  readonly api: HostApi;
  readonly log: Log;
}): Promise<Result<SocketServer, AppError>> {
  const { path, api, log } = options;
  const opened = await openOwnerSocket({
    path,
    maxConnections: maxClients,
    onConnection: (client) => serve(client, api, log),
    onError: (error) => log.error('socket_server_failed', { error }),
    endClient: (client) => client.destroySoon(),
  });
  if (opened.ok) return ok({ path, close: opened.close });
  const { message } = opened.error;
  return err(fail('io_error', 'host.socketNotOpened', { message }, { where: path }));
}
