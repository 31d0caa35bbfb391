/**
 * A reverse proxy before an MCP endpoint for clients that cannot send a token: adds the token and passes the
 * rest unchanged, including host and origin headers.
 */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PassThrough {
  readonly url: string;
  close(): Promise<void>;
}

export async function passThrough(door: string, token: string): Promise<PassThrough> {
  const { hostname, port, pathname } = new URL(door);
  let own = 0;
  const there = (value: string | undefined): string | undefined =>
    value?.replace(new RegExp(`^((?:http://)?(?:127\\.0\\.0\\.1|localhost)):${own}$`), `$1:${port}`);
  const server = createServer((incoming, outgoing) => {
    const { host, origin, ...headers } = incoming.headers;
    const named = { ...headers, host: there(host) ?? '', authorization: `Bearer ${token}` };
    const passed = request(
      {
        hostname,
        port,
        path: incoming.url,
        method: incoming.method,
        headers: origin === undefined ? named : { ...named, origin: there(origin) ?? '' },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  own = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}${pathname}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
