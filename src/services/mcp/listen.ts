/** How the two doors of MCP begin to listen, and close with everything that is connected. */
import type { Server as HttpServer } from 'node:http';
import type { ListenOptions, Server } from 'node:net';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { listenOn } from '../../platform/loopback-server.ts';

/** `port`: 0 for a socket. */
export async function listen(
  server: Server | HttpServer,
  where: ListenOptions,
): Promise<Result<{ port: number }>> {
  const listening = await listenOn(server, where);
  if (listening.ok) return ok({ port: listening.port });
  return err(
    appError('io_error', `Kennel could not listen for MCP: ${listening.error.message}.`, {
      hint: 'Try again.',
      where: where.path ?? `${where.host}:${where.port}`,
    }),
  );
}
