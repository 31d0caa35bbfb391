/** Starts and closes the two MCP servers, including their open connections. */
import type { Server as HttpServer } from 'node:http';
import type { ListenOptions, Server } from 'node:net';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { listenOn } from '../../platform/loopback-server.ts';

/** Resolves with the port; 0 for a socket. */
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
