/**
 * The listener of the data service: a Unix socket for its owner only, or TCP on this machine (T1, T4, T24).
 */
import { chmodSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { closeHttpServer, createLoopbackServer, listenOn } from '../../platform/loopback-server.ts';
import type { DataAnswer, DataRequest } from './data-app.ts';

export type DataPlace =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export interface DataServer {
  /** The URL for TCP; empty for a socket. */
  readonly url: string;
  close(): Promise<void>;
}

export interface DataServerOptions {
  readonly place: DataPlace;
  readonly app: (request: DataRequest) => Promise<DataAnswer>;
  readonly log: Log;
}

const loopback = ['127.0.0.1', 'localhost'];
/** Containers reach this machine by the last of these names. */
const hostNames = ['127.0.0.1', 'localhost', 'host.docker.internal'];
export async function openDataServer({ place, app, log }: DataServerOptions): Promise<Result<DataServer>> {
  if (place.kind === 'tcp' && !loopback.includes(place.host)) return err(notLoopback(place.host));
  let hosts: readonly string[] | null = null;
  const server = createLoopbackServer({ requestMs: 10_000 }, (request, response) => {
    judge(request, hosts, app)
      .catch((error: unknown): DataAnswer => {
        log.error('data_service_failed', { error });
        return { status: 500, json: { error: 'the messages could not be read' } };
      })
      .then((answer) => respond(response, answer))
      .catch((error: unknown) => log.error('data_service_failed', { error }));
  });
  const isFile = place.kind === 'socket' && process.platform !== 'win32';
  // The caller owns the data folder, so an existing socket is stale.
  if (isFile) rmSync(place.path, { force: true });
  const where = place.kind === 'socket' ? { path: place.path } : { host: place.host, port: place.port };
  const listening = await listenOn(server, where);
  if (!listening.ok) return err(failed(place, listening.error.message));
  if (isFile) chmodSync(place.path, 0o600);
  if (place.kind === 'tcp') hosts = hostNames.map((name) => `${name}:${listening.port}`);
  return ok({
    url: place.kind === 'tcp' ? `http://${place.host}:${listening.port}` : '',
    close: () => closeHttpServer(server),
  });
}

/** `hosts` are the allowed Host headers; `null` for a socket, which no browser can reach. */
async function judge(
  { headers, method = '', url = '' }: IncomingMessage,
  hosts: readonly string[] | null,
  app: DataServerOptions['app'],
): Promise<DataAnswer> {
  if (hosts && !hosts.includes(headers.host ?? '')) {
    return { status: 421, json: { error: 'this address is not served here' } };
  }
  if (headers.origin !== undefined) return { status: 403, json: { error: 'no pages' } };
  return app({ method, target: url, authorization: headers.authorization ?? '' });
}

/** Closes the connection without reading a body, because no endpoint takes one. */
function respond(response: ServerResponse, { status, json }: DataAnswer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(response.req.complete ? {} : { Connection: 'close' }),
  });
  response.end(JSON.stringify(json));
}

const notLoopback = (host: string) =>
  appError('invalid_input', `The data service may listen on this machine only, not on "${host}".`, {
    hint: 'Leave bind_host at 127.0.0.1.',
    where: 'data_service.bind_host',
  });
const failed = (place: DataPlace, why: string) =>
  appError('io_error', `The data service could not listen: ${why}.`, {
    hint: place.kind === 'tcp' ? 'Change its port under "data_service" in daemon.yml.' : 'Try again.',
    where: place.kind === 'tcp' ? `${place.host}:${place.port}` : place.path,
  });
