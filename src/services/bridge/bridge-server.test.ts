import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import type { BridgeApp } from './bridge-app.ts';
import { type BridgeServer, openBridgeServer } from './bridge-server.ts';
import { jsonResponse, refusal } from './bridge-types.ts';

const log = createRecordingLog();
let server: BridgeServer;
let maxBytes = 64 * 1024;

async function open(headMs?: number, fails = false): Promise<void> {
  const app: BridgeApp = async ({ method }, readBody) => {
    if (fails) throw new Error('a bug with a secret in it');
    const body = method === 'POST' ? await readBody(maxBytes) : new Uint8Array();
    return body ? jsonResponse(200, { seen: true }) : refusal(413, 'body too large');
  };
  const options = { host: '127.0.0.1', port: 0, app, log, clock: createSystemClock() };
  const opened = await openBridgeServer(headMs === undefined ? options : { ...options, headMs });
  if (!opened.ok) throw new Error(opened.error.message);
  server = opened.value;
}
afterEach(() => {
  maxBytes = 64 * 1024;
  return server.close();
});

/** The server's output until it closes the connection. */
async function talk(...pieces: readonly string[]): Promise<string> {
  const socket: Socket = connect(server.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (piece) => (heard += String(piece)));
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return heard;
}

it('The bridge closes a connection that does not complete its request head (T24, F12)', async () => {
  await open(200);
  expect(await talk('GET /v1/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')).not.toContain('seen');
});

it('The bridge closes a connection that does not complete its request body (T24, F12)', async () => {
  await open(200);
  const head = 'POST /v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n';
  expect(await talk(head, '{')).not.toContain('seen');
});

it('The bridge refuses an endless body with 413 at the size limit (T24)', async () => {
  await open();
  const head = 'POST /v1/pair HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  expect(await talk(head, ...Array.from({ length: 6 }, () => chunk))).toContain('413');
});

it('The bridge holds at most 24 MiB of unfinished bodies (T24, F12)', async () => {
  await open();
  maxBytes = 8 * 1024 * 1024;
  const head = `POST /v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${maxBytes}\r\n\r\n`;
  const most = Buffer.alloc(maxBytes - 1, 'x');
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    socket.write(most);
    return socket;
  });
  // Three bodies fit, and the others are refused while they arrive.
  const refused = await Promise.race(sockets.map((socket) => once(socket, 'data')));
  expect(String(refused[0])).toContain('413');
  for (const socket of sockets) socket.destroy();
});

it('The bridge answers an internal error without its message', async () => {
  await open(undefined, true);
  const said = await talk('GET /v1/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(said).toContain('{"error":"internal error"}');
  expect(said).not.toContain('secret');
  expect(log.lines.map(({ event }) => event)).toContain('bridge_failed');
});
