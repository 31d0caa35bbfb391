/**
 * `fetch` for addresses that a server names: discovery and tokens of OAuth. Only http and https; an address of
 * a private network is refused, unless it is the host of the configured server, or loopback for a server on
 * loopback. The connection goes to the address that was checked; redirects are not followed (T11).
 */
import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from '../../platform/public-address.ts';

const maxBytes = 256 * 1024;
const timeoutMs = 30_000;

export class AddressRefused extends Error {
  constructor(host: string) {
    super(`The address ${host} belongs to a private network.`);
    this.name = 'AddressRefused';
  }
}

const plainHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
const isNumeric = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');

export interface FetchGuard {
  /** True if the requested host may have this address. */
  allows(host: string, address: string): boolean;
}

/** `serverUrl`: as the operator configured it. */
export function createFetchGuard(serverUrl: URL): FetchGuard {
  const ownHost = plainHost(serverUrl);
  const isLocal = ownHost === 'localhost' || (isNumeric(ownHost) && isLoopbackAddress(ownHost));
  return {
    allows: (host, address) =>
      isPublicAddress(address) || host === ownHost || (isLocal && isLoopbackAddress(address)),
  };
}

const guardedLookup =
  (guard: FetchGuard): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) {
        done(error, '', 0);
        return;
      }
      const [first] = found;
      if (!first || !found.every(({ address }) => guard.allows(host, address)))
        done(new AddressRefused(host), '', 0);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function toResponse(incoming: IncomingMessage, body: Buffer): Response {
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  const status = incoming.statusCode ?? 500;
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : new Uint8Array(body), { status, headers });
}

export const createGuardedFetch =
  (guard: FetchGuard): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new Error('Only http and https addresses are requested.');
    const host = plainHost(url);
    // Numeric hosts are not looked up.
    if (isNumeric(host) && !guard.allows(host, host)) throw new AddressRefused(host);
    const payload =
      init?.body === undefined || init.body === null ? null : await new Response(init.body).text();
    const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const headers = new Headers(init?.headers);
    if (init?.body instanceof URLSearchParams && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded');
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise<Response>((resolve, reject) => {
      const outgoing = send(
        url,
        {
          method: init?.method ?? 'GET',
          headers: Object.fromEntries(headers),
          lookup: guardedLookup(guard),
          signal: AbortSignal.any(signals),
          agent: false,
        },
        (incoming) => {
          readBody(incoming).then((body) => resolve(toResponse(incoming, body)), reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload ?? undefined);
    });
  };
