import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome, until } from './host-rig.ts';

const oldNode = path.join(import.meta.dirname, '../children/old-node.ts');
let folder: ReturnType<typeof newHome>;
const children: ChildProcess[] = [];

function start(script: string, args: readonly string[], more: Record<string, string> = {}) {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, TMPDIR, HOME: folder.home, KENNEL_HOME: folder.home, KENNEL_NO_KEYCHAIN: '1', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (piece) => (said.out += String(piece)));
  child.stderr.on('data', (piece) => (said.err += String(piece)));
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, code };
}

async function kennel(words: string, more: Record<string, string> = {}) {
  const { said, code } = start(kennelEntry, words.split(' '), more);
  return { code: await code, ...said };
}

async function startKennel(script = kennelEntry): Promise<ChildProcess> {
  const { child, said } = start(script, ['start', '--demo', '--no-web']);
  await until('the start', () => said.out.includes('Ctrl-C stops it'));
  return child;
}

beforeEach(() => {
  folder = newHome();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder.remove();
});

const agentFile = (id: string): string => path.join(folder.home, 'agents', id, 'agent.yml');

function fillIn(id: string): void {
  const filled = readFileSync(agentFile(id), 'utf8')
    .replace(/server_url: .*/, 'server_url: http://127.0.0.1:9')
    .replace(/slug: .*/, `slug: ${id}-0001`)
    .replace(/device_id: .*/, 'device_id: dev_x')
    .replace(/space_id: .*/, 'space_id: sp_x');
  writeFileSync(agentFile(id), filled);
}

describe('Command line output', () => {
  it('shows agents as stopped, not "starting", while no host runs', async () => {
    await kennel('agent create ada --no-register');
    await kennel('agent create bea --no-register');
    fillIn('ada');
    fillIn('bea');
    await kennel('agent pause bea');
    const list = await kennel('agent list');
    expect(list.out).toMatch(/^ada +ada +stopped +/m);
    expect(list.out).toMatch(/^bea +bea +paused +/m);
    expect(list.out).toContain('Kennel is not running');
    expect(list.out).not.toContain('starting');
    expect(JSON.parse((await kennel('agent list --json')).out)).toMatchObject({ running: false });
    expect((await kennel('agent show ada')).out).toMatch(/State +stopped/);
    expect((await kennel('agent resume bea')).out).toContain('bea is stopped. It starts with Kennel');
  }, 60_000);

  it('filters and sorts agents, and changes several of them at once', async () => {
    for (const id of ['ada', 'bea', 'cleo']) {
      await kennel(`agent create ${id} --no-register`);
      fillIn(id);
    }
    const paused = await kennel('agent pause cleo nobody ada');
    expect(paused.out).toBe('cleo is paused.\nada is paused.\n');
    expect(paused.err).toContain("kennel: nobody: There is no agent 'nobody'.");
    expect(paused.code).toBe(2);
    const ids = async (words: string): Promise<readonly string[]> => {
      const { agents } = JSON.parse((await kennel(`agent list ${words} --json`)).out) as {
        agents: { id: string }[];
      };
      return agents.map(({ id }) => id);
    };
    expect(await ids('--state paused')).toEqual(['ada', 'cleo']);
    expect(await ids('--sort state')).toEqual(['ada', 'cleo', 'bea']);
    expect((await kennel('agent list --state working')).out).toBe('No agent is in the state working.\n');
    expect(await kennel('agent list --sort colour')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--sort takes name, state, activity, spend.') as string,
    });
    const archived = await kennel('agent archive ada cleo --json');
    expect(JSON.parse(archived.out)).toMatchObject({
      agents: [{ agent: 'ada' }, { agent: 'cleo' }],
      failed: [],
    });
    expect(await ids('--sort name')).toEqual(['bea']);
  }, 90_000);

  it('prints the location of an error in brackets and the next step on its own line', async () => {
    await kennel('agent create ada --no-register');
    writeFileSync(agentFile('ada'), 'runtime: [\n');
    const { out } = await kennel('agent show ada');
    expect(out).toMatch(/^ {2}Problem {6}[^\n]+ \([^\n]*agent\.yml[^\n]*\)[^\n]?\n {15}\S/m);
    const { err, code } = await kennel('agent show nobody');
    expect(code).toBe(2);
    expect(err).toBe('kennel: There is no agent \'nobody\'.\nRun "kennel agent list" for all of them.\n');
  }, 60_000);

  it('starts an editor with flags, without a warning', async () => {
    await kennel('agent create ada --no-register');
    const editor = path.join(folder.home, 'my editor');
    writeFileSync(editor, '#!/bin/sh\n[ "$1" = --wait ] && sed -i "s/^role:.*/role: tester/" "$2"\n', {
      mode: 0o700,
    });
    const edited = await kennel('agent edit ada --config', { EDITOR: `"${editor}" --wait` });
    expect(edited).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(agentFile('ada'), 'utf8')).toContain('role: tester');
  }, 60_000);

  it('starts a conversation for the text behind /new, and sends it as it is with --text', async () => {
    await startKennel();
    const sent = async (text: string): Promise<string> =>
      (JSON.parse((await kennel(`chat send --to guide --json ${text}`)).out) as { roomId: string }).roomId;
    const room = await sent('/new echo topic');
    expect(room).toMatch(/^dm:guide-.+~cv_/);
    expect((await kennel(`chat read ${room}`)).out).toContain('echo topic');
    expect(await sent('--text /new echo topic')).not.toContain('~');
    expect(await kennel('chat send --to guide /new')).toMatchObject({ code: 2 });
  }, 60_000);

  it('accepts every name of a room for reading that works for sending', async () => {
    await startKennel();
    await kennel('chat send --to guide --wait 20 echo found');
    const { agents } = JSON.parse((await kennel('agent list --json')).out) as {
      agents: { id: string; slug: string }[];
    };
    const slug = agents.find(({ id }) => id === 'guide')?.slug ?? '';
    for (const room of ['guide', 'dm:guide', 'Guide', slug, `@${slug}`, `dm:${slug}`]) {
      expect((await kennel(`chat read ${room}`)).out, room).toContain('echo found');
    }
    expect((await kennel('chat read #general')).out).toContain('Welcome to Kennel');
    expect((await kennel('chat read dm:guide --server')).out).toContain(' bytes ');
    expect(await kennel('chat read dm:giude')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "guide"') as string,
    });
  }, 90_000);
});

describe('Host started by an outdated Node through a newer one', () => {
  const hostPid = (): number =>
    (JSON.parse(readFileSync(path.join(folder.home, 'host.json'), 'utf8')) as { pid: number }).pid;
  const lives = (pid: number, signal: NodeJS.Signals | 0 = 0): boolean => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };

  it('stops gracefully when the outdated parent is killed', async () => {
    const parent = await startKennel(oldNode);
    const pid = hostPid();
    expect(pid).not.toBe(parent.pid);
    try {
      parent.kill('SIGKILL');
      await until('the host to be gone', () => !lives(pid));
    } finally {
      lives(pid, 'SIGKILL');
    }
    expect(existsSync(path.join(folder.home, 'host.sock'))).toBe(false);
    expect(readFileSync(path.join(folder.home, 'logs', 'host.log'), 'utf8')).toContain('host_stopping');
  }, 60_000);

  it('stops on a signal to the parent, which passes on the exit code', async () => {
    const { child, said, code } = start(oldNode, ['start', '--no-demo', '--no-web']);
    await until('the start', () => said.out.includes('Ctrl-C stops it'));
    child.kill('SIGTERM');
    expect(await code).toBe(0);
    expect(await start(oldNode, ['agent', 'show', 'nobody']).code).toBe(2);
  }, 60_000);
});
