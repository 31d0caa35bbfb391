/** Starts listeners; free of `node:http`, which a host does not load before its first answer. */
import type { Server as HttpServer } from 'node:http';
import type { ListenOptions, Server } from 'node:net';

export type Listening =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly error: Error };

/**
 * `port` is 0 for a socket file. Later errors, such as an `accept` without a free file descriptor, are
 * ignored: they refuse one connection and must not end the process.
 */
export function listenOn(server: Server | HttpServer, where: ListenOptions): Promise<Listening> {
  return new Promise((resolve) => {
    const failed = (error: Error): void => resolve({ ok: false, error });
    server.once('error', failed);
    server.listen(where, () => {
      server.off('error', failed);
      server.on('error', () => undefined);
      const address = server.address();
      resolve({ ok: true, port: typeof address === 'object' && address ? address.port : 0 });
    });
  });
}
