import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome, until } from './host-rig.ts';

const ctrlC = '\u0003';
let folder: ReturnType<typeof newHome>;
const children: ChildProcess[] = [];

interface Typist {
  /** Types `answer` once `question` appears after the previous answer. */
  answer(question: string, answer: string): Promise<void>;
  out(): string;
  readonly code: Promise<number | null>;
}

/** Runs the command in a terminal of its own, without a keychain. */
function inTerminal(...args: readonly string[]): Typist {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const words = [process.execPath, kennelEntry, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', `exec ${words}`, '/dev/null'], {
    env: { PATH, TMPDIR, HOME: folder.home, KENNEL_HOME: folder.home, KENNEL_NO_KEYCHAIN: '1', TERM: 'dumb' },
  });
  children.push(child);
  let out = '';
  let answered = 0;
  child.stdout.on('data', (piece) => (out += String(piece)));
  return {
    out: () => out,
    code: new Promise((resolve) => child.once('close', resolve)),
    async answer(question, answer) {
      await until(question, () => out.includes(question, answered));
      answered = out.length;
      child.stdin.write(answer);
    },
  };
}

beforeEach(() => {
  folder = newHome();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder.remove();
});

describe('Interactive terminal', () => {
  it('leaves the first question on Ctrl-C, and the host stops cleanly', async () => {
    const start = inTerminal('start');
    await start.answer('Your choice [1]: ', ctrlC);
    expect(await start.code).toBe(0);
    expect(start.out()).toContain('Kennel has stopped');
    expect(start.out()).not.toContain('bug');
    expect(existsSync(path.join(folder.home, 'master.json'))).toBe(false);
  });

  it('asks twice for a new passphrase, and keeps the host running if the server is unreachable', async () => {
    const start = inTerminal('start');
    await start.answer('Your choice [1]: ', '2\r');
    await start.answer('Server [', 'http://127.0.0.1:9\r');
    await start.answer('Invite code: ', 'inv-none\r');
    await start.answer('User name: ', 'ada\r');
    await start.answer('A passphrase for your keys: ', 'first\r');
    await start.answer('Once more: ', 'second\r');
    await start.answer('A passphrase for your keys: ', 'correct horse\r');
    await start.answer('Once more: ', 'correct horse\r');
    await start.answer('Kennel is running.', ctrlC);
    expect(await start.code).toBe(0);
    expect(start.out()).toContain('You are not signed up: ');
    expect(start.out()).not.toMatch(/first|second|correct horse/);
    const master = readFileSync(path.join(folder.home, 'master.json'), 'utf8');
    expect(JSON.parse(master)).toMatchObject({ kind: 'passphrase' });
  }, 60_000);

  it('asks for a missing API key and accepts an empty one', async () => {
    const create = inTerminal('agent', 'create', 'ada', '--provider', 'openai', '--model', 'm');
    await create.answer('API key for openai', '\r');
    expect(await create.code).toBe(0);
    expect(create.out()).toContain('Made agent ada');
  });
});
