import { afterEach, describe, expect, it } from 'vitest';
import { serveOnLoopback } from '../../../test/fakes/on-loopback.ts';
import { AddressRefused, createFetchGuard, createGuardedFetch } from './guarded-fetch.ts';

const guardOf = (server: string) => createFetchGuard(new URL(server));

describe('Addresses that a server of MCP names', () => {
  it.each([
    ['https://mcp.example.com', 'auth.example.com', '93.184.216.34', true],
    ['https://mcp.example.com', 'auth.example.com', '10.0.0.5', false],
    ['https://mcp.example.com', 'metadata.internal', '169.254.169.254', false],
    ['https://mcp.example.com', 'localhost', '127.0.0.1', false],
    ['https://mcp.example.com', 'six.example.com', '::ffff:127.0.0.1', false],
    ['https://mcp.example.com', 'six.example.com', '::ffff:7f00:1', false],
    ['https://mcp.example.com', 'six.example.com', 'fe80::1', false],
    ['https://mcp.example.com', 'six.example.com', 'fd00::1', false],
    ['https://mcp.lan', 'mcp.lan', '192.168.1.7', true],
    ['https://mcp.lan', 'router.lan', '192.168.1.1', false],
    ['http://127.0.0.1:4000/mcp', '127.0.0.1', '127.0.0.1', true],
    ['http://localhost:4000/mcp', 'localhost', '::1', true],
    ['http://127.0.0.1:4000/mcp', 'metadata.internal', '169.254.169.254', false],
  ])('T11 %s names %s at %s: %s', (server, host, address, isAllowed) => {
    expect(guardOf(server).allows(host, address)).toBe(isAllowed);
  });
});

describe('A guarded request', () => {
  let stop = async (): Promise<void> => undefined;
  afterEach(() => stop());
  const serve = async (listener: Parameters<typeof serveOnLoopback>[0]): Promise<string> => {
    const server = await serveOnLoopback(listener);
    stop = server.stop;
    return server.url;
  };
  const forPublicServer = createGuardedFetch(guardOf('https://mcp.example.com/mcp'));

  it('T11 is never sent to loopback for a server elsewhere, whatever the spelling', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end('{}');
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])
      await expect(forPublicServer(`http://${host}:${port}/x`)).rejects.toThrow(AddressRefused);
    expect(requests).toBe(0);
  });

  it('T11 refuses other protocols', async () => {
    await expect(forPublicServer('file:///etc/passwd')).rejects.toThrow('Only http and https');
  });

  it('sends forms, returns status, headers and body, and follows no redirect', async () => {
    const url = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        response.writeHead(302, {
          location: 'http://169.254.169.254/',
          'x-type': request.headers['content-type'],
        });
        response.end(`${request.method} ${Buffer.concat(pieces)}`);
      });
    });
    const response = await createGuardedFetch(guardOf(url))(url, {
      method: 'POST',
      body: new URLSearchParams({ code: 'a b' }),
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('x-type')).toContain('application/x-www-form-urlencoded');
    expect(await response.text()).toBe('POST code=a+b');
  });

  it('T24 stops reading a giant answer', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(300_000)));
    await expect(createGuardedFetch(guardOf(url))(url)).rejects.toThrow('more than');
  });
});
