import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { createLocalModelServer } from '../fakes/local-model-server.ts';
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

  it('asks again on wrong input, twice for a new passphrase, and again if the server is unreachable', async () => {
    const start = inTerminal('start');
    await start.answer('Your choice [1]: ', 'yes\r');
    await start.answer('Type 1, 2 or 3.\r\nYour choice [1]: ', '2\r');
    await start.answer('Server [', 'nowhere\r');
    await start.answer('begins with https:// or http://.\r\nServer [', 'http://127.0.0.1:9\r');
    await start.answer('Invite code (empty: not now): ', 'inv-none\r');
    await start.answer('User name: ', '\r');
    await start.answer('Type a name.\r\nUser name: ', 'ada\r');
    await start.answer('A passphrase for your keys: ', 'first\r');
    await start.answer('Once more: ', 'second\r');
    await start.answer('A passphrase for your keys: ', 'correct horse\r');
    await start.answer('Once more: ', 'correct horse\r');
    await start.answer('Server [http://127.0.0.1:9]: ', '\r');
    await start.answer('Invite code (empty: not now): ', '\r');
    await start.answer('Kennel is running.', ctrlC);
    expect(await start.code).toBe(0);
    expect(start.out()).toContain('You are not signed up: ');
    expect(start.out()).not.toMatch(/first|second|correct horse/);
    const master = readFileSync(path.join(folder.home, 'master.json'), 'utf8');
    expect(JSON.parse(master)).toMatchObject({ kind: 'passphrase' });
  }, 60_000);

  it('asks for provider, address, key and model, and lists the models of a server', async () => {
    const server = await createLocalModelServer({
      'GET /v1/models': { data: [{ id: 'small-model' }, { id: 'large-model' }] },
    });
    try {
      const config = inTerminal('config');
      await config.answer('Default provider [anthropic]: ', 'olama\r');
      const asked = 'Did you mean ollama?\r\nDefault provider [anthropic]: ';
      await config.answer(asked, 'openai-compatible\r');
      await config.answer('Address [the default address]: ', `${server.url}/v1\r`);
      await config.answer('API key for openai-compatible (none; empty keeps it): ', '\r');
      await config.answer('Model (number or name) [provider default]: ', '7\r');
      const chosen = /(\d) {2}large-model/.exec(config.out())?.[1] ?? '';
      const again = 'Type a number from 1 to 2, or a name.\r\nModel (number or name) [provider default]: ';
      await config.answer(again, `${chosen}\r`);
      await config.answer('Set up another provider? [y/N] ', '\r');
      expect(await config.code).toBe(0);
      const yaml = readFileSync(path.join(folder.home, 'daemon.yml'), 'utf8');
      expect(yaml).toContain('default_provider: openai-compatible');
      expect(yaml).toContain('model: large-model');
      expect(yaml).toContain(`base_url: ${server.url}/v1`);
    } finally {
      await server.stop();
    }
  }, 60_000);

  it('asks for a missing API key and accepts an empty one', async () => {
    const create = inTerminal('agent', 'create', 'ada', '--provider', 'openai', '--model', 'm');
    await create.answer('API key for openai', '\r');
    expect(await create.code).toBe(0);
    expect(create.out()).toContain('Made agent ada');
  });
});
