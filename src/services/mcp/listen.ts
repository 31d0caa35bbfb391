/** How the two doors of MCP begin to listen, and close with everything that is connected. */
import type { Server as HttpServer } from 'node:http';
import type { ListenOptions, Server } from 'node:net';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';

/** `port`: 0 for a socket. */
export function listen(server: Server | HttpServer, where: ListenOptions): Promise<Result<{ port: number }>> {
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(
        err(
          appError('io_error', `Kennel could not listen for MCP: ${error.message}.`, {
            hint: 'Try again.',
            where: where.path ?? `${where.host}:${where.port}`,
          }),
        ),
      ),
    );
    server.listen(where, () => {
      const address = server.address();
      resolve(ok({ port: typeof address === 'object' && address ? address.port : 0 }));
    });
  });
}
