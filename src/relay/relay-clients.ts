/** The programs that connect to the relay: which names they may use, and from which address they come. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientAddress, type GuardRefusal, loopbackHosts, refuseForeign } from '../platform/http-guards.ts';

/**
 * `loopback`: the Host header must be a loopback address. A list: one of these names, lower case and with a
 * port unless it is the default, or a loopback address. `any`: a reverse proxy serves any name.
 */
export type ServedNames = 'loopback' | 'any' | readonly string[];

export interface RelayClientsDeps {
  readonly names: ServedNames;
  /** Called with the connection of a client whose signature is verified. */
  trust(connection: Duplex): void;
}

export interface RelayClients extends Pick<RelayClientsDeps, 'trust'> {
  /** The refusal of a request that another name or page sent, or `null`. */
  refuse(headers: IncomingHttpHeaders): GuardRefusal | null;
  addressOf(request: IncomingMessage): string;
  /** Call with the port before the first request. */
  listening(port: number): void;
}

export function createRelayClients({ names, trust }: RelayClientsDeps): RelayClients {
  let served: ReadonlySet<string> | null = null;
  return {
    trust,
    refuse: (headers) => refuseForeign(headers, served),
    addressOf: (request) => clientAddress(request, names !== 'loopback'),
    listening(port) {
      if (names === 'any') return;
      served = new Set([...loopbackHosts(port), ...(names === 'loopback' ? [] : names)]);
    },
  };
}
