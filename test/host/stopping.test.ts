import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

// Stops a host during a step; each step here has the class `once`.

let place: ReturnType<typeof newHome>;
let child: ChildProcess | null = null;
let kennel: TestHost | null = null;

beforeEach(() => {
  place = newHome();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  child = null;
  await kennel?.stop();
  kennel = null;
  place.remove();
});

/** Output of the steps. */
const logs = (): string => {
  const path = join(place.home, 'log.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** The first step ends once the file `go` exists. */
const two = (): string =>
  [
    'name: two',
    'steps:',
    '  - id: first',
    '    effect: once',
    '    run: echo begun >> log.txt; until [ -e go ]; do sleep 0.1; done; echo first >> log.txt',
    '  - id: second',
    '    effect: once',
    '    run: echo second >> log.txt',
  ].join('\n');

interface Spawned {
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

function start(): Spawned {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: place.home, KENNEL_HOME: place.home };
  const started = spawn(process.execPath, [kennelEntry, 'start', '--demo', '--no-web'], { env });
  child = started;
  let text = '';
  started.stdout.on('data', (piece) => (text += String(piece)));
  started.stderr.on('data', (piece) => (text += String(piece)));
  return { output: () => text, exited: new Promise((resolve) => started.on('exit', resolve)) };
}

function run(...args: string[]): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: place.home, KENNEL_HOME: place.home };
  const asked = spawn(process.execPath, [kennelEntry, ...args], {
    env,
    cwd: place.home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  asked.stdout.on('data', (piece) => (out += String(piece)));
  return new Promise((resolve) => asked.on('close', () => resolve(out)));
}

async function begun(): Promise<Spawned> {
  const host = start();
  await until('the host', async () => (await run('status', '--json')).includes('"ready"'));
  writeFileSync(join(place.home, 'two.puppy'), two());
  void run('puppy', 'run', join(place.home, 'two.puppy'), '--json');
  await until('the first step', () => (logs().includes('begun') ? true : undefined));
  return host;
}
const questions = async () => (await kennel?.call('approvals.list', { kind: 'workflow' }))?.approvals ?? [];

it('After SIGTERM the running step finishes; the next one starts after restart without a question (F1)', async () => {
  const host = await begun();
  child?.kill('SIGTERM');
  await until('the announcement', () => host.output().includes('Stopping, when'));
  writeFileSync(join(place.home, 'go'), '');
  expect(await host.exited).toBe(0);
  expect(host.output()).toContain('Stopping, when the steps at work have come to their end');
  expect(logs()).toBe('begun\nfirst\n');
  kennel = await startHost(place.home);
  await until('the second step', () => (logs().endsWith('second\n') ? true : undefined));
  expect(logs()).toBe('begun\nfirst\nsecond\n');
  expect(await questions()).toEqual([]);
}, 120_000);

it('A second signal stops at once; after restart the interrupted step is asked about (F1)', async () => {
  const host = await begun();
  child?.kill('SIGINT');
  await until('the word', () => host.output().includes('Stopping, when'));
  child?.kill('SIGINT');
  await host.exited;
  expect(host.output()).toContain('Stopping now.');
  expect(logs()).toBe('begun\n');
  kennel = await startHost(place.home);
  const [asked] = await until('the question', async () => {
    const found = await questions();
    return found.length > 0 && found;
  });
  expect(asked?.gate?.kind).toBe('uncertain');
  expect(logs()).toBe('begun\n');
}, 120_000);
