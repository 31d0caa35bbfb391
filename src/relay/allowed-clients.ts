/** The programs that connect to the relay: which names they may use, and from which address they come. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientAddress, type GuardRefusal, loopbackHosts, refuseForeign } from '../platform/http-guards.ts';

/**
 * Host headers that the relay answers, beside a loopback address and its own listening address (T1). A list: these
 * names, too, lower case and with a port unless it is the default; a reverse proxy on this machine may serve them.
 */
export type ServedNames = 'loopback' | readonly string[];

export interface RelayClientsDeps {
  readonly names: ServedNames;
  /** Host of the listening address. */
  readonly listensOn: string;
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

/** A host as part of an address. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const everyAddress: readonly string[] = ['0.0.0.0', '[::]', '[::ffff:0:0]'];

/** Whether a listening host means every address of the machine, in any spelling; it is no name of a client then. */
export const isEveryAddress = (host: string): boolean =>
  everyAddress.includes(URL.parse(`http://${urlHost(host)}`)?.hostname ?? '0.0.0.0');

/** A name without a port counts with that of the relay, too, for clients that reach it without a proxy. */
const withPort = (name: string, port: number): readonly string[] => [
  name,
  new URL(`http://${name}`).port === '' ? `${name}:${port}` : name,
];

const ownNames = (host: string, port: number): readonly string[] =>
  isEveryAddress(host) ? [] : [new URL(`http://${urlHost(host)}:${port}`).host];

export function createRelayClients({ names, listensOn, trust }: RelayClientsDeps): RelayClients {
  let served: ReadonlySet<string> = new Set();
  return {
    trust,
    refuse: (headers) => refuseForeign(headers, served),
    addressOf: (request) => clientAddress(request, names !== 'loopback'),
    listening(port) {
      const given = names === 'loopback' ? [] : names.flatMap((name) => withPort(name, port));
      served = new Set([...loopbackHosts(port), ...ownNames(listensOn, port), ...given]);
    },
  };
}
