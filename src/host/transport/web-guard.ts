/** Which requests reach the loopback web server (T1, T2): to this very address, and for the WebSocket from our own page. */

export interface WebGuard {
  /** Exactly this address with this port, in one of its three spellings. */
  hostAllowed(host: string | undefined): boolean;
  /** The origin of our own page as this very client reached it; absent is refused. */
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
