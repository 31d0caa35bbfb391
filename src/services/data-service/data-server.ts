/**
 * The listener of the data service: a Unix socket for its owner only, or TCP on this machine (T1, T4, T24).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { loopbackHosts, loopbackNames, refuseForeign } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../platform/loopback-server.ts';
import { listenForOwner } from '../../platform/owner-socket.ts';
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

/** The name by which containers reach this machine. */
const containerName = 'host.docker.internal';

export async function openDataServer({ place, app, log }: DataServerOptions): Promise<Result<DataServer>> {
  if (place.kind === 'tcp' && !loopbackNames.includes(place.host)) return err(notLoopback(place.host));
  let hosts: ReadonlySet<string> | null = null;
  const server = createLoopbackServer({ requestMs: 10_000 }, (request, response) => {
    judge(request, hosts, app)
      .catch((error: unknown): DataAnswer => {
        log.error('data_service_failed', { error });
        return { status: 500, json: { error: 'the messages could not be read' } };
      })
      .then((answer) => respond(response, answer))
      .catch((error: unknown) => log.error('data_service_failed', { error }));
  });
  const listening =
    place.kind === 'socket'
      ? await listenForOwner(server, place.path)
      : await listenOn(server, { host: place.host, port: place.port });
  if (!listening.ok) return err(failed(place, listening.error.message));
  const { port } = listening;
  if (place.kind === 'tcp') hosts = new Set([...loopbackHosts(port), `${containerName}:${port}`]);
  return ok({
    url: place.kind === 'tcp' ? `http://${place.host}:${listening.port}` : '',
    close: () => closeHttpServer(server),
  });
}

/** `hosts` are the allowed Host headers; `null` for a socket, which no browser can reach. */
async function judge(
  { headers, method = '', url = '' }: IncomingMessage,
  hosts: ReadonlySet<string> | null,
  app: DataServerOptions['app'],
): Promise<DataAnswer> {
  const foreign = refuseForeign(headers, hosts, 'none');
  if (foreign?.status === 421) return { status: 421, json: { error: 'this address is not served here' } };
  if (foreign) return { status: 403, json: { error: 'no pages' } };
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
  fail(
    'invalid_input',
    'programs.dataServiceLocalOnly',
    { host },
    { help: 'programs.keepBindHost', where: 'data_service.bind_host' },
  );
const failed = (place: DataPlace, why: string) =>
  appError('io_error', say('programs.dataServiceListenFailed', { why }), {
    hint: place.kind === 'tcp' ? say('programs.changeDataPort') : say('logins.tryAgain'),
    where: place.kind === 'tcp' ? `${place.host}:${place.port}` : place.path,
  });
