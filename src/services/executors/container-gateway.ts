/**
 * The one socket of a container. The first line of a connection names a service: the model relay, the messages of
 * the agent, or a connection to an allowed host. Everything else of the network is closed.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket, connect as systemConnect } from 'node:net';
import type { Result } from '../../contract/result.ts';
import type { DataReader } from '../../core/runtimes/harness-ports.ts';
import { createEgressServer, type GatewayNetwork, joinStreams, systemNetwork } from './egress.ts';
import { listenInFolder, type OpenSocket } from './listen-in-folder.ts';

export const gatewayFile = 'kennel.sock';

export interface GatewayServices {
  /** Socket of the model relay. */
  readonly model: string | null;
  readonly data: DataReader | null;
  /** Names of hosts, or `*.` and a domain, that the container reaches over TLS. */
  readonly hosts: readonly string[];
}

/** ms for the first line. */
const firstLineMs = 5_000;
/** Of one container: each is an open file of the host, which serves all agents. */
const maxConnections = 256;

/** Listens in `folder`. */
export async function openGateway(
  folder: string,
  services: GatewayServices,
  network = systemNetwork,
): Promise<Result<OpenSocket>> {
  const routes = routesOf(services, network);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
    readName(client, (name) => {
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
      if (route) route(client);
      else client.destroy();
    }),
  );
  server.maxConnections = maxConnections;
  return listenInFolder(server, folder, gatewayFile);
}

/** The rest of the first piece stays in the socket. */
function readName(client: Socket, use: (name: string) => void): void {
  client.setTimeout(firstLineMs, () => client.destroy());
  client.once('data', (piece: Buffer) => {
    client.pause();
    client.setTimeout(0);
    client.removeAllListeners('timeout');
    const end = piece.indexOf('\n');
    if (end < 0) {
      client.destroy();
      return;
    }
    if (end + 1 < piece.length) client.unshift(piece.subarray(end + 1));
    use(piece.subarray(0, end).toString('latin1'));
  });
}

type Route = (client: Socket) => void;

function routesOf({ model, data, hosts }: GatewayServices, network: GatewayNetwork) {
  const routes: Record<string, Route> = {};
  if (model !== null)
    routes.model = (client) => joinStreams(client, systemConnect({ path: model, allowHalfOpen: true }));
  if (data !== null) routes.data = httpRoute(createDataServer(data));
  if (hosts.length > 0) routes.web = httpRoute(createEgressServer({ allowed: hosts }, network));
  return routes;
}

const httpRoute =
  (server: ReturnType<typeof createHttpServer>): Route =>
  (client) => {
    server.emit('connection', client);
    client.resume();
  };

/** The socket belongs to one agent, so a request needs no token. */
const createDataServer = (data: DataReader) =>
  createHttpServer((request, response) => {
    data(request.method ?? '', request.url ?? '').then(
      ({ status, json }) => {
        response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify(json));
      },
      () => response.writeHead(500).end(),
    );
  });
