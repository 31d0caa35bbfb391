// Checks `--json` for every command; a new command fails here until it declares how to test it.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runMain } from '../../src/cli/main.ts';
import { nouns } from '../../src/cli/registry.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs commands one after the other, because the process has one environment and one standard output. */
async function said(home: string, run: () => Promise<number>): Promise<Said> {
  const before = { out: process.stdout.write, err: process.stderr.write };
  const heard = { out: '', err: '' };
  const keep = (stream: 'out' | 'err') => (piece: string | Uint8Array) => {
    heard[stream] += String(piece);
    return true;
  };
  try {
    const variables = {
      HOME: home,
      KENNEL_HOME: home,
      KENNEL_NO_KEYCHAIN: '1',
      EDITOR: 'false',
      VISUAL: 'false',
      PUPPY_STATE_DIR: path.join(home, 'runs'),
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    process.stdout.write = keep('out');
    process.stderr.write = keep('err');
    return { code: await run(), ...heard };
  } finally {
    process.stdout.write = before.out;
    process.stderr.write = before.err;
    vi.unstubAllEnvs();
  }
}

/** Arguments of each command; a text explains why it is not run here. */
const tries: Readonly<Record<string, readonly string[] | string>> = {
  start: 'runs until it is ended: one JSON object a line',
  stop: 'ends the host of the others',
  status: [],
  open: 'opens a window',
  unlock: [],
  lock: [],
  'sign-out': [],
  doctor: [],
  'demo remove': 'asks a running demo',
  config: [],
  'config get': ['default-provider'],
  'config set': ['openai.model', 'gpt-5'],
  'config list': [],
  version: [],
  completion: ['bash'],
  'operator sign-up': ['--server', 'http://127.0.0.1:9', '--invite', 'x', '--username', 'ann'],
  'operator resume': [],
  'operator show': [],
  'operator enrol': ['--server', 'http://127.0.0.1:9'],
  'operator approve': ['code'],
  'operator devices': [],
  'operator revoke': ['device'],
  'peers find': ['bob'],
  'peers show': ['bob-1f3a'],
  'peers verify': ['bob-1f3a', '--yes'],
  'peers unverify': ['bob-1f3a'],
  'peers list': [],
  'peers accept': ['bob-1f3a'],
  'peers allow': ['bob-1f3a'],
  'peers block': ['bob-1f3a'],
  'peers forget': ['bob-1f3a'],
  'peers hold': ['on'],
  'contacts list': [],
  'contacts accept': ['bob-1f3a'],
  'contacts block': ['bob-1f3a'],
  'contacts forget': ['bob-1f3a'],
  'agent share': ['nobody', '--list'],
  'agent create': ['--id', 'dog', '--no-register'],
  'agent edit': ['nobody'],
  'agent profile': ['nobody'],
  'agent runtime': ['nobody'],
  'agent list': [],
  'agent show': ['nobody'],
  'agent rename': ['nobody', 'Name'],
  'agent pause': ['nobody'],
  'agent resume': ['nobody'],
  'agent restart': ['nobody'],
  'agent archive': ['nobody'],
  'agent stop': ['nobody'],
  'agent tools': ['nobody'],
  'agent delete': ['nobody', '--yes'],
  'agent export': ['nobody', 'out'],
  'agent reset-primer': ['nobody'],
  'agent refresh-ping': ['nobody'],
  'agent register': ['nobody'],
  'agent autoaccept': ['nobody', '--space', 'space'],
  'chat send': ['--to', 'nobody', 'Hello'],
  'chat retry': ['message'],
  'chat read': [],
  'chat new': ['nobody'],
  'chat conversations': ['nobody'],
  'chat rename': ['conversation', 'Title'],
  'chat archive': ['conversation'],
  'chat unarchive': ['conversation'],
  'chat remove': ['conversation', '--yes'],
  'chat react': ['message', '👍'],
  'chat pin': ['message'],
  'chat pins': ['nobody'],
  'chat mute': ['nobody'],
  'chat unmute': ['nobody'],
  'chat delete': ['message', '--yes'],
  'files get': ['message'],
  'space list': [],
  'space create': ['Yard'],
  'space rename': ['yard', 'Garden'],
  'space archive': ['yard'],
  'space unarchive': ['yard'],
  'space members': ['yard'],
  'space role': ['yard', 'bob-1f3a', 'admin'],
  'space remove': ['yard', 'bob-1f3a'],
  'space leave': ['yard'],
  'space hand-over': ['yard', 'bob-1f3a'],
  'space link': ['list', 'yard'],
  'space join': ['kennel://join'],
  'channel list': [],
  'channel create': ['yard', 'gate'],
  'channel rename': ['gate', 'door'],
  'channel delete': ['gate'],
  'channel leave': ['gate'],
  'channel remove': ['gate', 'bob-1f3a'],
  invite: ['bob-1f3a'],
  invites: [],
  'invites accept': ['id'],
  'invites reject': ['id'],
  'invites sent': [],
  'invites cancel': ['id'],
  'memory list': ['nobody'],
  'memory show': ['nobody', 'note'],
  'memory edit': ['nobody', 'note'],
  'memory forget': ['nobody', 'note'],
  'memory confirm': ['nobody', 'note'],
  'memory history': ['nobody', 'note'],
  'memory restore': ['nobody', 'note', '1'],
  'skills list': [],
  'skills show': ['nothing'],
  'skills install': ['nothing'],
  'skills update': ['nothing'],
  'skills remove': ['nothing'],
  'skills enable': ['nobody', 'nothing'],
  'skills disable': ['nobody', 'nothing'],
  'skills accept': ['nobody', 'nothing'],
  'skills validate': ['nothing'],
  usage: [],
  budget: [],
  attach: 'runs a program in the terminal',
  'ps list': [],
  'ps stop': ['4711'],
  'runtimes list': [],
  'runtimes test': ['no-such-program'],
  'ps restart': ['4711'],
  'ps logs': ['nobody'],
  'images list': [],
  'images build': ['nothing'],
  'images pull': ['localhost/none:1'],
  'images import': ['none.tar'],
  'auth login': ['nowhere'],
  'auth status': [],
  'auth logout': ['nowhere'],
  'proxy token': ['laptop'],
  'proxy tokens': [],
  'proxy revoke': ['laptop'],
  'pairing show': [],
  'pairing open': [],
  'pairing unpair': [],
  'api status': [],
  'api data': ['nobody'],
  agentd: ['none.yaml'],
  repl: ['nobody', '--config', 'none.yaml'],
  acp: 'speaks ACP on standard output',
  mcp: 'speaks MCP on standard output',
  'mcp list': [],
  'mcp add': ['memory', '--url', 'https://mcp.example/mcp', '--yes'],
  'mcp accept': ['nothing'],
  'mcp test': ['nothing'],
  'mcp inspect': ['memory'],
  'mcp remove': ['memory'],
  'mcp import': ['claude', 'none.json', '--yes'],
  'approvals list': [],
  'approvals show': ['id'],
  'approvals allow': ['id'],
  'approvals deny': ['id', 'no'],
  'approvals respond': ['id', '{}'],
  'approvals settle': ['id', 'done'],
  'approvals grants': [],
  'approvals revoke': ['id'],
  'audit verify': [],
  'audit show': [],
  'policy test': ['none.yml'],
  relay: 'runs until it is ended',
  'relay invite': [],
  import: ['none.zip'],
  backup: [],
  restore: ['nowhere'],
  logs: [],
  'check-update': 'asks the network',
  'service install': 'changes what starts with the computer',
  'service remove': 'changes what starts with the computer',
  search: ['words'],
  why: ['message'],
  missed: [],
  'undo list': [],
  'undo show': ['point'],
  'undo apply': ['point'],
  'snapshot create': ['--agent', 'guide', '--label', 'first'],
  'snapshot list': ['--agent', 'guide'],
  'snapshot diff': ['first', '--agent', 'guide'],
  'snapshot restore': ['first', '--agent', 'guide'],
  'snapshot remove': ['first', '--agent', 'guide'],
  'work list': [],
  'work show': ['turn'],
  'task add': ['Sort the inbox', '--agent', 'nobody'],
  'task change': ['1', '--priority', '2'],
  'task import': ['none.json'],
  'task list': [],
  'task status': [],
  'task show': ['1'],
  'task logs': ['1'],
  'task stream': ['1'],
  'task run': [],
  'task pause': ['1'],
  'task resume': ['1'],
  'task cancel': ['1'],
  'task retry': ['1'],
  'task fork': ['1'],
  'task diff': ['1'],
  'task merge': ['1'],
  'task discard': ['1', '--yes'],
  'task settle': ['1', '1', 'yes'],
  'task archive': ['1'],
  'task unarchive': ['1'],
  workers: [],
  'schedule add': ['daily', '--cron', '0 9 * * *', '--task', 'Sort the inbox'],
  'schedule change': ['daily', '--name', 'dayly'],
  'schedule list': [],
  'schedule show': ['daily'],
  'schedule pause': ['daily'],
  'schedule resume': ['daily'],
  'schedule remove': ['daily'],
  'schedule run': ['daily'],
  'schedule put-away': ['daily'],
  'schedule preview': ['0 9 * * *'],
};

/** These print one JSON value per line, and none if they have no result. */
const inLines: ReadonlySet<string> = new Set(['logs', 'task stream', 'work show']);

const loaded = await Promise.all(
  nouns.map(async ({ name, load }) => (await load()).map(({ verb }) => `${name} ${verb}`.trim())),
);
const isPuppy = (name: string): boolean => name.startsWith('puppy ');
const all = loaded.flat().filter((name) => !isPuppy(name));

function expectJson(name: string, { code, out, err }: Said): void {
  const values = inLines.has(name) ? out.split('\n').filter((line) => line !== '') : [out];
  if (out === '') {
    if (code === 0) expect(inLines.has(name), `${name} says nothing`).toBe(true);
    else {
      const last = err.trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toEqual({
        error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
        exitCode: code,
      });
    }
  } else for (const value of values) expect(() => JSON.parse(value), `${name}: ${out}`).not.toThrow();
}

const folder = newHome();
const empty = newHome();
let kennel: TestHost;
beforeAll(async () => {
  kennel = await startHost(folder.home);
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  folder.remove();
  empty.remove();
});

describe('--json', () => {
  it('is tested for every command and alias', () => {
    expect(Object.keys(tries).sort()).toEqual([...all].sort());
  });

  const tried = Object.entries(tries).flatMap(([name, words]) =>
    typeof words === 'string' ? [] : [{ name, words }],
  );

  it.each(tried)('prints exactly one JSON value without a running host: $name', async ({ name, words }) => {
    expectJson(
      name,
      await said(empty.home, () => runMain([...name.split(' '), ...words, '--json'], '0.0.0')),
    );
  });

  it.each(tried)('prints exactly one JSON value with a running host: $name', async ({ name, words }) => {
    expectJson(
      name,
      await said(folder.home, () => runMain([...name.split(' '), ...words, '--json'], '0.0.0')),
    );
  });

  it.each(all)('reports wrong usage as JSON with code and exit code: %s', async (name) => {
    const words = [...name.split(' '), '--json', '--no-such-flag'];
    const told = await said(empty.home, () => runMain(words, '0.0.0'));
    expect(told).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(told.err)).toMatchObject({ error: { code: 'invalid_input' }, exitCode: 2 });
  });
});

const puppyTries: Readonly<Record<string, readonly string[]>> = {
  run: ['exec echo a'],
  resume: ['--id', '00000000', '--approve', 'yes'],
  cancel: ['ffff'],
  retry: ['ffff'],
  again: ['ffff'],
  list: [],
  archive: ['ffff'],
  unarchive: ['ffff'],
  runs: ['--status', 'failed'],
  show: ['ffff'],
  log: ['ffff'],
  check: ['head'],
  graph: ['weekly-review'],
  doctor: [],
  version: [],
  help: [],
};

describe('puppy --json', () => {
  it('is tested for every command and alias', () => {
    const names = loaded.flat().filter(isPuppy);
    expect(Object.keys(puppyTries).sort()).toEqual(
      [...names.map((name) => name.replace('puppy ', '')), 'runs', 'help'].sort(),
    );
  });

  it.each(Object.keys(puppyTries))('prints one JSON document on success and on failure: %s', async (name) => {
    const words = puppyTries[name] ?? [];
    const { code, out } = await said(empty.home, () => runMain(['puppy', name, ...words, '--json'], '0.0.0'));
    const value = JSON.parse(out) as { ok?: boolean; error?: { type: string; message: string } };
    if (code !== 0 && name !== 'doctor' && name !== 'check')
      expect(value).toMatchObject({ ok: false, error: { type: expect.stringMatching(/_error$/) } });
    const wrong = await said(empty.home, () => runMain(['puppy', name, '--json', '--no-such-flag'], '0.0.0'));
    if (name !== 'version' && name !== 'help') {
      expect(wrong.code).toBe(2);
      expect(JSON.parse(wrong.out)).toMatchObject({ ok: false, error: { type: 'parse_error' } });
    }
  });
});
