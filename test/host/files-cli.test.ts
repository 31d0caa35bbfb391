import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
const here = path.join(folder.home, 'here');
let host: TestHost;

function kennel(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder.home, KENNEL_HOME: folder.home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env, cwd: here });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

beforeAll(async () => {
  mkdirSync(here);
  host = await startHost(folder.home);
  await host.call('setup.tryDemo', {});
});
afterAll(async () => {
  await host.stop();
  folder.remove();
});

it('The file commands send, list and save files and overwrite nothing', async () => {
  writeFileSync(path.join(here, 'a.txt'), 'first');
  writeFileSync(path.join(here, 'b.bin'), Buffer.alloc(900_000, 7));
  const sent = await kennel(
    'chat',
    'send',
    '--to',
    'guide',
    '--attach',
    'a.txt',
    '--attach',
    'b.bin',
    '--json',
  );
  expect(sent).toMatchObject({ code: 0, err: '' });
  const { messageId } = JSON.parse(sent.out) as { messageId: string };
  await until('it is sent', async () => {
    const { messages } = await host.call('chat.history', { room: 'guide', limit: 200 });
    return messages.some(({ id, delivery }) => id === messageId && delivery === 'sent');
  });
  const read = await kennel('chat', 'read', 'guide');
  expect(read.out).toContain(
    '  file 1: a.txt (text/plain, 5 bytes)\n  file 2: b.bin (application/octet-stream, 878.9 KiB)',
  );
  const refused = await kennel('files', 'get', messageId);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('a.txt is there already and was left alone.');
  mkdirSync(path.join(here, 'saved'));
  const saved = await kennel('files', 'get', messageId, '--out', 'saved');
  expect(saved).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(path.join(here, 'saved'))).toEqual(['a.txt', 'b.bin']);
  expect(readFileSync(path.join(here, 'saved/b.bin')).equals(Buffer.alloc(900_000, 7))).toBe(true);
  const one = await kennel('files', 'get', messageId, '1', '--out', 'copy.txt', '--json');
  expect(JSON.parse(one.out)).toEqual({ files: [{ path: 'copy.txt', mimeType: 'text/plain', size: 5 }] });
  expect(readFileSync(path.join(here, 'copy.txt'), 'utf8')).toBe('first');
  expect(await kennel('files', 'get', messageId, '3')).toMatchObject({ code: 2 });
  expect((await kennel('files', 'get', messageId, '0')).err).toContain('1 or more');
});

it('The send command reports invalid attachments before it sends anything', async () => {
  writeFileSync(path.join(here, 'big.bin'), '');
  truncateSync(path.join(here, 'big.bin'), 8 * 1024 * 1024 + 1);
  const big = await kennel('chat', 'send', '--to', 'guide', 'x', '--attach', 'a.txt', '--attach', 'big.bin');
  expect(big).toMatchObject({ code: 2, out: '' });
  expect(big.err).toContain('big.bin has 8.0 MiB; at most 8 MiB can be sent.');
  expect((await kennel('chat', 'send', '--to', 'guide', 'x', '--attach', 'none')).err).toContain(
    'no file none',
  );
  expect((await kennel('chat', 'send', '--to', 'guide', '--attach', '.')).err).toContain('. is not a file');
  expect((await kennel('chat', 'send', '--to', 'guide')).err).toContain('The message is empty.');
  expect((await kennel('chat', 'retry', 'msg_none')).err).toContain('has not failed');
});
