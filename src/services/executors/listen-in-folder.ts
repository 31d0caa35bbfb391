/** Listens at a Unix socket in a folder whose path may be longer than that of a socket. */
import { closeSync, openSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';

export interface OpenSocket {
  /** Ends all connections. */
  close(): Promise<void>;
}

export async function listenInFolder(
  server: Server,
  folder: string,
  file: string,
): Promise<Result<OpenSocket>> {
  const open = new Set<Socket>();
  server.on('connection', (client: Socket) => {
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => client.destroy());
  });
  // Linux limits the path of a socket to 107 bytes; this one is short.
  const descriptor = process.platform === 'linux' ? openSync(folder, 'r') : null;
  const place = descriptor === null ? folder : `/proc/self/fd/${descriptor}`;
  const close = async (): Promise<void> => {
    for (const client of open) client.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    if (descriptor !== null) closeSync(descriptor);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(join(place, file), resolve);
    });
    return ok({ close });
  } catch (error) {
    await close();
    return err(fail('io_error', 'container.startNotWritten', { why: errorText(error) }));
  }
}
