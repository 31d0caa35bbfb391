/**
 * Filters requests to the loopback web server (T1, T2): only for this address, and WebSockets only from its
 * own page.
 */

export interface WebGuard {
  /** Accepts exactly this address and port in its three spellings. */
  hostAllowed(host: string | undefined): boolean;
  /** Accepts the origin of the page that this client loaded; rejects a missing one. */
  originAllowed(origin: string | undefined, host: string | undefined): boolean;
}

export function createWebGuard(port: number): WebGuard {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  return {
    hostAllowed: (host) => host !== undefined && hosts.has(host),
    originAllowed: (origin, host) =>
      origin !== undefined && host !== undefined && origin === `http://${host}`,
  };
}
