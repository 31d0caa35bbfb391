/**
 * A proxy for TLS connections of confined programs: `CONNECT host:443`, and nothing else. A name must be allowed, or
 * a person allows it while the program waits; and it must lead to public addresses only.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { createServer } from 'node:http';
import { type Socket, connect as systemConnect } from 'node:net';
import type { Duplex } from 'node:stream';
import { isPublicAddress } from '../../platform/public-address.ts';

/** Replaced in tests, which reach no other computer. */
export interface GatewayNetwork {
  lookup(host: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
}

export const systemNetwork: GatewayNetwork = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  connect: (address, port) => systemConnect(port, address),
};

export interface EgressRules {
  /** Names of hosts, or `*.` and a domain. */
  readonly allowed: readonly string[];
  /** Wins over `allowed` and `ask`. */
  readonly denied?: readonly string[];
  /** Asked about each other name, which is in lower case; none is allowed if absent. */
  readonly ask?: (host: string) => Promise<boolean>;
  readonly onRefused?: (host: string) => void;
}

const tlsPort = 443;

export const isAllowedHost = (hosts: readonly string[], host: string): boolean => {
  const name = host.toLowerCase();
  return hosts.some((allowed) => {
    const wanted = allowed.toLowerCase();
    return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
};

async function isReachable({ allowed, denied = [], ask }: EgressRules, host: string): Promise<boolean> {
  if (isAllowedHost(denied, host)) return false;
  if (isAllowedHost(allowed, host)) return true;
  return ask === undefined ? false : ask(host);
}

export function createEgressServer(rules: EgressRules, network = systemNetwork) {
  const server = createServer((_request, response) => response.writeHead(403).end());
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const [, name = '', port = ''] = /^([\w.-]{1,253}):(\d+)$/.exec(request.url ?? '') ?? [];
    // A dot at the end is the same host.
    const host = name.toLowerCase().replace(/[.]$/, '');
    const refuse = (): void => {
      if (host !== '') rules.onRefused?.(host);
      client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    };
    if (Number(port) !== tlsPort || host === '') {
      refuse();
      return;
    }
    void isReachable(rules, host)
      .then((isAllowed) => (isAllowed && !client.destroyed ? connectPublic(host, network) : null))
      .then((target) => {
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

export function joinStreams(client: Duplex, target: Duplex): void {
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
