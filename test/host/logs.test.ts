import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let log: string;
const children: ChildProcess[] = [];

function logs(...args: string[]) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [kennelEntry, 'logs', ...args], {
    env: { PATH, HOME: folder.home, KENNEL_HOME: folder.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += String(piece)));
  child.stderr.on('data', (piece) => (said.err += String(piece)));
  const code = once(child, 'close').then(([ended]) => ended as number | null);
  return { child, said, code };
}

const line = (event: string, more: object = {}): string =>
  `${JSON.stringify({ level: 'info', time: '2026-11-21T10:00:00.000Z', event, ...more })}\n`;

beforeEach(() => {
  folder = newHome();
  log = path.join(folder.home, 'logs', 'host.log');
  mkdirSync(path.dirname(log));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder.remove();
});

it('The logs command shows the newest lines, also from rotated files, or those of one agent', async () => {
  writeFileSync(`${log}.1`, line('oldest') + line('older', { agent: 'guide' }));
  writeFileSync(log, `${line('new')}{"level":"in`);
  const all = logs('-n', '2');
  expect(await all.code).toBe(0);
  expect(all.said.out).toMatch(/older agent=guide\n.* new\n$/);
  expect(all.said.out).not.toContain('oldest');
  const one = logs('guide');
  expect(await one.code).toBe(0);
  expect(one.said.out).toMatch(/^[^\n]*older agent=guide\n$/);
  expect(await logs('nobody').code).toBe(2);
}, 60_000);

it('The logs command follows new lines, also over a rotation, until interrupted', async () => {
  writeFileSync(log, line('first'));
  const { child, said, code } = logs('-f');
  await until('the first line', () => said.out.includes('first'));
  appendFileSync(log, line('second'));
  await until('the second line', () => said.out.includes('second'));
  appendFileSync(log, line('last of the old'));
  renameSync(log, `${log}.1`);
  writeFileSync(log, line('first of the new'));
  await until('the new file', () => said.out.includes('first of the new'));
  expect(said.out.match(/last of the old/g)).toHaveLength(1);
  child.kill('SIGINT');
  expect(await code).toBe(0);
}, 60_000);
