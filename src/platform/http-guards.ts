/**
 * Checks of an HTTP listener on the headers alone, before it reads a body (T1, T2, T24). Pages of other sites
 * can reach every loopback port of the machine; these checks refuse them.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The Host headers with which a browser or program on this machine reaches a loopback listener. */
export function loopbackHosts(port: number): ReadonlySet<string> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
}

export interface GuardRefusal {
  readonly status: 403 | 421;
  readonly message: string;
}

/** The addresses that a service for this machine alone may be bound to. */
export const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost'];

export const isServedHost = (host: string | undefined, hosts: ReadonlySet<string>): boolean =>
  host !== undefined && hosts.has(host.toLowerCase());

/**
 * `hosts` are the allowed Host headers, or `null` behind a reverse proxy that serves any name. `pages` says
 * whether the listener's own pages may ask, or no page at all. Returns `null` if the request may continue.
 */
export function refuseForeign(
  headers: IncomingHttpHeaders,
  hosts: ReadonlySet<string> | null,
  pages: 'own' | 'none' = 'own',
): GuardRefusal | null {
  if (hosts !== null && !isServedHost(headers.host, hosts)) {
    return { status: 421, message: 'This address is not served here.' };
  }
  const { origin } = headers;
  const host = headers.host?.toLowerCase();
  const isOwnOrigin = origin === `http://${host}` || origin === `https://${host}`;
  const isOwnPage = origin === undefined || (pages === 'own' && isOwnOrigin);
  const site = headers['sec-fetch-site'];
  const isOwnSite = site === undefined || site === 'none' || site === 'same-origin';
  return isOwnPage && isOwnSite ? null : { status: 403, message: 'Pages of other sites may not ask here.' };
}

export const isJsonType = (type: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(type ?? '');

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const isLoopback = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/**
 * The peer's address. `mayBeProxied`: a reverse proxy on this machine may stand before the server, so the last
 * address that a loopback peer names counts instead.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  mayBeProxied: boolean,
): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (!mayBeProxied || !isLoopback(peer) || typeof forwarded !== 'string') return addressKey(peer);
  return addressKey(forwarded.split(',').at(-1)?.trim() || peer);
}

/** One key per client network: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':') || isLoopback(plain)) return plain.slice(0, 64);
  const [head = '', tail] = plain.toLowerCase().split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '').slice(0, 4)).join(':');
}
