import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type ConnectionCaps, capConnections } from './connection-caps.ts';
import { listenOn } from './listen-on.ts';
import { closeHttpServer, createLoopbackServer } from './loopback-server.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

async function listening(caps: ConnectionCaps) {
  const accepted: Socket[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    accepted.push(socket);
    for (const resume of waiting.splice(0)) resume();
  });
  const counts = capConnections(server, caps);
  const bound = await listenOn(server, { host: '127.0.0.1', port: 0 });
  if (!bound.ok) throw bound.error;
  cleanUps.push(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  return {
    counts,
    /** The server's end of a new connection. */
    async open(): Promise<Socket> {
      const number = accepted.length;
      const client = connect(bound.port, '127.0.0.1');
      client.on('error', () => undefined);
      cleanUps.push(() => client.destroy());
      while (accepted.length === number) await new Promise<void>((resolve) => waiting.push(resolve));
      return accepted[number] as Socket;
    },
  };
}

const caps = { connections: 100, connectionsPerAddress: 1, connectionsFromLoopback: 2 };

it('T24: On loopback a new connection replaces the oldest unauthenticated one', async () => {
  const { open } = await listening(caps);
  const [first, second, third] = [await open(), await open(), await open()];
  expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([true, false, false]);
  const fourth = await open();
  expect([second.destroyed, third.destroyed, fourth.destroyed]).toEqual([true, false, false]);
});

it('T24: An authenticated connection is never replaced', async () => {
  const { counts, open } = await listening(caps);
  const first = await open();
  counts.trust(first);
  const others = [await open(), await open(), await open()];
  expect([first.destroyed, ...others.map(({ destroyed }) => destroyed)]).toEqual([false, true, false, false]);
  counts.trust(first);
});

it('T24: Silent connections do not block a loopback server', async () => {
  const server = createLoopbackServer({ maxConnections: 8 }, (_request, response) => response.end('here'));
  const bound = await listenOn(server, { host: '127.0.0.1', port: 0 });
  if (!bound.ok) throw bound.error;
  const silent = Array.from({ length: 40 }, () => connect(bound.port, '127.0.0.1'));
  for (const socket of silent) {
    socket.on('error', () => undefined);
    cleanUps.push(() => socket.destroy());
  }
  await Promise.all(
    silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
  );
  expect(await (await fetch(`http://127.0.0.1:${bound.port}`)).text()).toBe('here');
  await closeHttpServer(server);
});
