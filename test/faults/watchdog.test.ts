import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { promised } from '../fakes/patience.ts';
import { Conversation, checkAtRest, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { newFolder, removeFolder } from './places.ts';

const home = newFolder();
let kennel: KennelProcess | null = null;
let replacement: number | null = null;

afterEach(async () => {
  if (kennel) await kill(kennel);
  if (replacement) process.kill(replacement, 'SIGKILL');
  removeFolder(home);
});

const holder = (): number => {
  try {
    return (JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')) as { pid: number }).pid;
  } catch {
    return 0;
  }
};

/** Not a child of this process: it may stay a zombie until its new parent collects it. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

/** Blocks the event loop through Node's debugger, which SIGUSR1 opens: a hang that no product code causes. */
async function blockEventLoop(host: KennelProcess): Promise<void> {
  host.child.kill('SIGUSR1');
  const url = await until('the debugger', () => /ws:\/\/127\.0\.0\.1:\S+/.exec(host.output())?.[0]);
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.on('error', () => undefined);
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'for(;;);' } }));
}

it('A host whose event loop hangs is replaced within 20 s, and nothing is lost (F21)', {
  timeout: 90_000,
}, async () => {
  kennel = startKennel(home, ['--demo', '--no-web'], { env: { NODE_OPTIONS: '--inspect-port=0' } });
  const talk = new Conversation();
  const door = await doorOf(home, kennel);
  await door.call('setup.tryDemo', {});
  for (let n = 0; n < 3; n += 1) await talk.say(door);
  const hung = holder();
  const began = performance.now();
  await blockEventLoop(kennel);
  expect(hung).toBe(kennel.child.pid);
  await until('a new host', () => holder() !== hung && holder() !== 0);
  const tookMs = performance.now() - began;
  replacement = holder();
  expect(kennel.child.signalCode).toBe('SIGKILL');
  expect(tookMs).toBeLessThan(promised(20_000));
  const log = readFileSync(path.join(home, 'logs', 'host.log'), 'utf8');
  expect(log).toContain('watchdog_killed_host');
  expect(log).toContain('its event loop was blocked');
  const heir = { child: { pid: replacement, exitCode: null, signalCode: null }, output: kennel.output };
  const again = await doorOf(home, heir as unknown as KennelProcess);
  await talk.holds(again);
  again.close();
  process.kill(replacement, 'SIGTERM');
  const last = replacement;
  // `host.json` goes first, the lock's journal last: only the end of the process leaves the folder at rest.
  await until('the end of the new host', () => hasEnded(last));
  replacement = null;
  await checkAtRest(home);
});
