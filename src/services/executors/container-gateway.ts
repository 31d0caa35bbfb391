/**
 * The one socket of a container. The first line of a connection names a service: the model relay, the messages of
 * the agent, or a connection to an allowed host. Everything else of the network is closed.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket, connect as systemConnect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { DataReader } from '../../core/runtimes/harness-ports.ts';
import { isPublicAddress } from '../../platform/public-address.ts';

export const gatewayFile = 'kennel.sock';

export interface GatewayServices {
  /** Socket of the model relay. */
  readonly model: string | null;
  readonly data: DataReader | null;
  /** Names of hosts, or `*.` and a domain, that the container reaches over TLS. */
  readonly hosts: readonly string[];
}

/** Replaced in tests, which reach no other computer. */
export interface GatewayNetwork {
  lookup(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
}

const systemNetwork: GatewayNetwork = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  connect: (address, port) => systemConnect(port, address),
};

export interface Gateway {
  close(): Promise<void>;
}

const tlsPort = 443;
/** ms for the first line. */
const firstLineMs = 5_000;
/** Of one container: each is an open file of the host, which serves all agents. */
const maxConnections = 256;

/** Listens in `folder`, whose path may be longer than that of a socket. */
export async function openGateway(
  folder: string,
  services: GatewayServices,
  network = systemNetwork,
): Promise<Result<Gateway>> {
  const routes = routesOf(services, network);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => client.destroy());
    readName(client, (name) => {
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
      if (route) route(client);
      else client.destroy();
    });
  });
  server.maxConnections = maxConnections;
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
      server.once('error', reject).listen(join(place, gatewayFile), resolve);
    });
    return ok({ close });
  } catch (error) {
    await close();
    return err(fail('io_error', 'container.startNotWritten', { why: errorText(error) }));
  }
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
  if (hosts.length > 0) routes.web = httpRoute(createEgressServer(hosts, network));
  return routes;
}

function joinStreams(client: Duplex, target: Duplex): void {
  joinOneWay(client, target);
  joinOneWay(target, client);
}

/** A side that ended passes on what is left; one that was destroyed ends the other side at once. */
function joinOneWay(from: Duplex, to: Duplex): void {
  from.on('error', () => to.destroy());
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
  from.pipe(to);
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

/** A proxy for TLS connections: `CONNECT host:443`, and nothing else. */
function createEgressServer(hosts: readonly string[], network: GatewayNetwork) {
  const server = createHttpServer((_request, response) => response.writeHead(403).end());
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const refuse = (): void => void client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    client.on('error', () => client.destroy());
    const [, host = '', port = ''] = /^([\w.-]+):(\d+)$/.exec(request.url ?? '') ?? [];
    if (Number(port) !== tlsPort || !isAllowedHost(hosts, host)) {
      refuse();
      return;
    }
    void connectPublic(host, network).then((target) => {
      if (target === null) {
        refuse();
        return;
      }
      target.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.write(head);
        joinStreams(client, target);
      });
      target.once('error', () => client.destroy());
    });
  });
  return server;
}

export const isAllowedHost = (hosts: readonly string[], host: string): boolean => {
  const name = host.toLowerCase();
  return hosts.some((allowed) => {
    const wanted = allowed.toLowerCase();
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
};

/** Connects to the address that was checked; a second look-up could give another one. */
async function connectPublic(host: string, { lookup, connect }: GatewayNetwork): Promise<Socket | null> {
  try {
    const addresses = await lookup(host);
    const [first] = addresses;
    return first !== undefined && addresses.every(isPublicAddress) ? connect(first, tlsPort) : null;
  } catch {
    return null;
  }
}
