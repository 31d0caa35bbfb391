import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import { createTransport, type ServerExchange } from './transport.ts';

const get = (target: string, more: Partial<ServerExchange> = {}): ServerExchange => ({
  method: 'GET',
  target,
  headers: {},
  body: null,
  ...more,
});

describe('HTTP transport to a raw server', () => {
  let server: Server;
  let url = '';
  let speak: (socket: Socket) => void = () => undefined;
  let heard = '';
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    heard = '';
    speak = () => undefined;
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard += data.toString('latin1');
        if (heard.includes('\r\n\r\n')) speak(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}/relay/`;
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => server.close(resolve));
  });

  it('sends the target unchanged, after the path prefix of the server URL', async () => {
    speak = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    const transport = createTransport(url, createSystemClock());
    const answer = await transport.send(get('/certs/sync?slugs=a%3Ab%40c,d&since=0'));
    expect(answer).toMatchObject({ ok: true, value: { status: 200 } });
    expect(heard.split('\r\n')[0]).toBe('GET /relay/certs/sync?slugs=a%3Ab%40c,d&since=0 HTTP/1.1');
    expect(transport.socketUrl('/subscribe')).toBe(`${url.replace('http', 'ws')}subscribe`);
    transport.close();
  });

  it('F12: reports a truncated response as unavailable', async () => {
    speak = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"entries":[]');
    const transport = createTransport(url, createSystemClock());
    expect(await transport.send(get('/x'))).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    transport.close();
  });

  it('F12: ignores bytes beyond the content length', async () => {
    speak = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{"more":1}');
    const transport = createTransport(url, createSystemClock());
    const answer = await transport.send(get('/x'));
    if (answer.ok) expect(Buffer.from(answer.value.body).toString()).toBe('{}');
    transport.close();
  });

  it('F12: gives up a slow body at the deadline', async () => {
    const clock = createVirtualClock();
    speak = (socket) => {
      speak = () => undefined;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      socket.write('x');
    };
    const transport = createTransport(url, clock);
    const pending = transport.send(get('/x', { deadlineMs: 3_000 }));
    while (!heard.includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.advance(3_000);
    expect(await pending).toMatchObject({ ok: false, error: { code: 'timeout' } });
    await settle();
    transport.close();
  });

  it('F12: stops an endless body at the size cap', async () => {
    speak = (socket) => {
      speak = () => undefined;
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`2000\r\n${'x'.repeat(0x2000)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    };
    const transport = createTransport(url, createSystemClock());
    const answer = await transport.send(get('/x', { maxBytes: 100_000 }));
    expect(answer).toMatchObject({ ok: false, error: { code: 'too_large' } });
    transport.close();
  });

  it('follows no redirect', async () => {
    speak = (socket) =>
      socket.end('HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n');
    const clock = createSystemClock();
    const transport = createTransport(url, clock);
    const answer = readAnswer(await transport.send(get('/x')), createServerClock(clock));
    expect(answer).toMatchObject({ ok: false, error: { code: 'protocol' } });
    transport.close();
  });

  it('stops at once when the caller aborts', async () => {
    const transport = createTransport(url, createSystemClock());
    const stop = new AbortController();
    const pending = transport.send(get('/x', { signal: stop.signal }));
    while (!heard.includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 2));
    stop.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    transport.close();
  });

  it('reports an unreachable server and an invalid address', async () => {
    const clock = createSystemClock();
    const absent = createTransport('http://127.0.0.1:1', clock);
    expect(await absent.send(get('/x'))).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    for (const odd of ['', 'nonsense', 'file:///etc', 'http://user:pw@host/', 'http://host/?q']) {
      const nowhere = createTransport(odd, clock);
      expect(await nowhere.send(get('/x')), odd).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      });
    }
  });
});
