import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type AgentConfig, agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { WatchFolder } from '../../platform/folder-watches.ts';
import { createDisk } from '../disk/disk.ts';
import { createAgentStore } from './agent-store.ts';

let home: string;
let stops: (() => void)[];
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-agents-'));
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  rmSync(home, { recursive: true, force: true });
});

const blindWatch: WatchFolder = () => {
  throw Object.assign(new Error('no watches left'), { code: 'ENOSPC' });
};

function make(
  change: {
    watchFolder?: WatchFolder;
    takeApiKey?: (id: string, key: string) => Result<void>;
    sweepMs?: () => number;
  } = {},
) {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const random = createSeededRandom(7);
  const taken: [string, string][] = [];
  const changes: string[][] = [];
  const store = createAgentStore({
    home,
    clock,
    log,
    random,
    disk: createDisk(random),
    takeApiKey: (id, key) => {
      taken.push([id, key]);
      return ok(undefined);
    },
    watchFolder: blindWatch,
    ...change,
  });
  store.onChange((ids) => changes.push([...ids]));
  stops.push(() => store.stop());
  return { store, clock, log, taken, changes };
}

const config = (change: Record<string, unknown> = {}): AgentConfig => agentConfigSchema().parse(change);
const file = (id: string, name = 'agent.yml'): string => path.join(home, 'agents', id, name);
function put(id: string, yaml: string): void {
  mkdirSync(path.dirname(file(id)), { recursive: true });
  writeFileSync(file(id), yaml);
}

describe('Agents on disk', () => {
  it('are created complete, readable only by their owner, in the layout of spec §5', () => {
    const { store } = make();
    const made = store.create({
      id: 'helper',
      config: config({ display_name: 'Helper' }),
      profile: '# Soul\n',
    });
    expect(made).toMatchObject({ ok: true, value: { id: 'helper', error: null } });
    expect(readdirSync(path.dirname(file('helper'))).sort()).toEqual([
      'agent.yml',
      'keys',
      'memory',
      'profile.md',
      'workspace',
    ]);
    expect(statSync(file('helper')).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file('helper'))).mode & 0o777).toBe(0o700);
    expect(store.create({ id: 'helper', config: config(), profile: '' })).toMatchObject({
      error: { code: 'conflict' },
    });
    for (const id of ['', '../x', '_a', 'a/b', 'a'.repeat(65), '.new-a']) {
      expect(store.create({ id, config: config(), profile: '' })).toMatchObject({
        error: { code: 'invalid_input' },
      });
    }
    expect(readdirSync(path.join(home, 'agents'))).toEqual(['helper']);
  });

  it('keep unknown keys, comments and order when a value is changed', () => {
    put(
      'a',
      '# mine\nid: a\nfuture_key: {deep: [1, 2]}\nruntime:\n  # why this one\n  kind: sdk\n  extra: yes\n',
    );
    const { store } = make();
    const changed = store.update('a', {
      display_name: 'A: the first',
      runtime: { model: 'gpt-4o' },
      triggers: { channels: { ch_1: 'never' } },
    });
    expect(changed).toMatchObject({ ok: true, value: { config: { display_name: 'A: the first' } } });
    const text = readFileSync(file('a'), 'utf8');
    for (const kept of ['# mine', 'future_key:', 'deep:', '# why this one', 'kind: sdk\n', 'extra: yes']) {
      expect(text).toContain(kept);
    }
    expect(store.get('a')?.config?.runtime).toMatchObject({ kind: 'sdk-local', model: 'gpt-4o' });
    store.update('a', { triggers: { channels: {} } });
    expect(readFileSync(file('a'), 'utf8')).not.toContain('channels');
  });

  it('refuse a change that could not be parsed again, and keep the file', () => {
    const { store } = make();
    store.create({ id: 'a', config: config(), profile: '' });
    const before = readFileSync(file('a'), 'utf8');
    expect(store.update('a', { runtime: { max_turns: 0 } })).toMatchObject({
      error: { code: 'invalid_input', where: expect.stringContaining('line') },
    });
    expect(store.writeConfig('a', 'state: running\nruntime:\n  max_turns: many\n')).toMatchObject({
      error: { message: 'runtime.max_turns must be a whole number.', where: `${file('a')}, line 3` },
    });
    expect(readFileSync(file('a'), 'utf8')).toBe(before);
    expect(store.update('nobody', {})).toMatchObject({ error: { code: 'not_found' } });
  });

  it('are archived under the names of spec §5, and deleted completely', () => {
    const { store, changes } = make();
    for (const id of ['a', 'b', 'c']) store.create({ id, config: config(), profile: '' });
    expect(store.archive('a', 'command')).toEqual(ok(path.join(home, 'archived', 'a-20260514-202000')));
    expect(store.archive('b', 'flag')).toEqual(ok(path.join(home, 'archived', 'b-ws-20260514-202000')));
    store.create({ id: 'a', config: config(), profile: '' });
    expect(store.archive('a', 'command')).toEqual(ok(path.join(home, 'archived', 'a-20260514-202000-2')));
    expect(store.delete('c')).toEqual(ok(undefined));
    expect(store.list()).toEqual([]);
    expect(readdirSync(path.join(home, 'agents'))).toEqual([]);
    expect(changes.flat()).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a', 'c']);
  });

  it('are cleaned of folders left incomplete by a crash', () => {
    const { store } = make();
    mkdirSync(path.join(home, 'agents', '.new-x-1'), { recursive: true });
    mkdirSync(path.join(home, 'agents', '.deleting-y-1'), { recursive: true });
    expect(store.list()).toEqual([]);
    store.start();
    expect(readdirSync(path.join(home, 'agents'))).toEqual([]);
  });

  it('return notes by name, without the README', () => {
    const { store } = make();
    store.create({ id: 'a', config: config(), profile: 'P' });
    for (const name of ['b.md', 'a.md', 'README.md', 'x.txt'])
      writeFileSync(file('a', `memory/${name}`), name);
    const updatedAt = expect.any(Number);
    const notes = ['a', 'b'].map((name) => ({ name, text: `${name}.md`, untrusted: '', updatedAt }));
    expect(store.readMemory('a')).toEqual(ok(notes));
    expect(store.readProfile('a')).toEqual(ok('P'));
  });

  it('rewrite runtime.json only when the status has changed', () => {
    const { store } = make();
    store.create({ id: 'a', config: config(), profile: '' });
    const status = {
      status: 'running',
      started_at: 1778790000,
      updated_at: 1778790065,
      msg_count: 3,
      last_event_at: 1778790060,
      error: '',
      health: 'ok',
    } as const;
    store.writeRuntimeStatus('a', status);
    const vector = JSON.parse(
      readFileSync(
        path.join(import.meta.dirname, '../../../test/fixtures/conformance/puffo-local.json'),
        'utf8',
      ),
    ).runtime_json;
    expect(readFileSync(file('a', 'runtime.json'), 'utf8')).toBe(vector);
    const { ino } = statSync(file('a', 'runtime.json'));
    store.writeRuntimeStatus('a', { ...status, updated_at: 1778790070 });
    expect(statSync(file('a', 'runtime.json')).ino).toBe(ino);
    store.writeRuntimeStatus('a', { ...status, msg_count: 4 });
    expect(statSync(file('a', 'runtime.json')).ino).not.toBe(ino);
    expect(store.readRuntimeStatus('a')).toEqual({ ...status, msg_count: 4 });
    writeFileSync(file('a', 'runtime.json'), '{"status":"happy"}');
    expect(store.readRuntimeStatus('a')).toBeNull();
    rmSync(path.dirname(file('a')), { recursive: true });
    expect(store.writeRuntimeStatus('a', { ...status, msg_count: 5 })).toMatchObject({ ok: false });
    expect(existsSync(path.dirname(file('a')))).toBe(false);
  });

  it('share equal settings, and only these', () => {
    put('a', 'display_name: A\nbash: {timeout_s: 9}\n');
    put('b', 'display_name: B\nbash: {timeout_s: 9}\n');
    put('c', 'bash: {timeout_s: 8}\n');
    const { store } = make();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => store.get(id)?.config);
    expect(a?.bash).toBe(b?.bash);
    expect(a?.runtime).toBe(c?.runtime);
    expect(c?.bash.timeout_s).toBe(8);
    expect(store.update('a', { bash: { timeout_s: 7 } }).ok).toBe(true);
    expect(store.get('a')?.config?.bash.timeout_s).toBe(7);
    expect(store.get('b')?.config).toMatchObject({ display_name: 'B', bash: { timeout_s: 9 } });
  });

  it('load from the cache, except for files that have changed', () => {
    for (let n = 0; n < 25; n += 1) put(`a${n}`, `display_name: n${n}\n`);
    expect(make().store.list()).toHaveLength(25);
    const cachePath = path.join(home, 'cache', 'agents.json');
    const cache = JSON.parse(readFileSync(cachePath, 'utf8'));
    cache.agents.a1.config.display_name = 'from the cache';
    cache.agents.a2.config.display_name = 'from the cache';
    writeFileSync(cachePath, JSON.stringify(cache));
    put('a2', 'display_name: edited!\n');
    const { store } = make();
    expect(store.get('a1')?.config?.display_name).toBe('from the cache');
    expect(store.get('a2')?.config?.display_name).toBe('edited!');
    writeFileSync(cachePath, '{"version":1');
    expect(make().store.get('a1')?.config?.display_name).toBe('n1');
  });
});

describe('API keys in agent.yml (T18)', () => {
  it('move to the wrapped store and are blanked, with the rest of the file kept', () => {
    put('a', '# hi\nruntime:\n  api_key: sk-secret # from the shop\n  model: m\n');
    const { store, taken, log } = make();
    expect(store.get('a')?.config?.runtime).toMatchObject({ api_key: '', model: 'm' });
    expect(taken).toEqual([['a', 'sk-secret']]);
    const text = readFileSync(file('a'), 'utf8');
    expect(text).not.toContain('sk-secret');
    expect(text).toContain('# hi');
    expect(JSON.stringify(log.lines)).not.toContain('sk-secret');
  });

  it('are reported if no safe store is available, and moved on a later retry', () => {
    put('a', 'runtime:\n  api_key: sk-secret\n');
    let open = false;
    const { store, changes } = make({
      takeApiKey: () => (open ? ok(undefined) : err(textError('insecure_storage', 'No keychain.'))),
    });
    expect(store.get('a')).toMatchObject({
      error: { code: 'insecure_storage' },
      config: { runtime: { api_key: '' } },
    });
    open = true;
    store.retryKeys();
    expect(store.get('a')?.error).toBeNull();
    expect(readFileSync(file('a'), 'utf8')).not.toContain('sk-secret');
    expect(changes).toEqual([['a']]);
  });
});

describe('Agent file watcher', () => {
  it('keeps the last good config after an invalid edit and reports file, line and reason (F20)', async () => {
    put('a', 'display_name: A\nruntime:\n  max_turns: 3\n');
    const { store, clock, changes } = make();
    store.start();
    put('a', 'display_name: A\nruntime:\n  max_turns: many\n');
    await clock.advance(4_000);
    expect(store.get('a')).toMatchObject({
      config: null,
      lastGood: { runtime: { max_turns: 3 } },
      error: { where: expect.stringContaining(`${file('a')}, line 3`) },
    });
    put('a', 'display_name: A\nruntime:\n  max_turns: 4\n');
    await clock.advance(2_000);
    expect(store.get('a')).toMatchObject({ config: { runtime: { max_turns: 4 } }, error: null });
    expect(changes).toEqual([['a'], ['a']]);
  });

  it.each([
    ['pieces of four characters', /[\s\S]{1,4}/g],
    ['whole lines', /.*\n/g],
  ])('waits for a file that is being written in %s (F20)', async (_name, pieces) => {
    const whole = (role: string, name: string) =>
      `role: ${role}\npuffo_core:\n  slug: a-1\n  device_id: d\n  space_id: s\ndisplay_name: ${name}\n`;
    put('a', whole('one', 'Alexandra'));
    const { store, clock, changes } = make();
    store.start();
    await clock.advance(1_500);
    writeFileSync(file('a'), '');
    await clock.advance(600);
    for (const piece of whole('two', 'Bernadette').match(pieces) ?? []) {
      await clock.advance(300);
      appendFileSync(file('a'), piece);
      const agent = store.get('a');
      expect([agent?.error, agent?.config?.role, agent?.config?.puffo_core.slug]).toEqual([
        null,
        'one',
        'a-1',
      ]);
      expect(agent?.config?.display_name).toBe('Alexandra');
    }
    await clock.advance(3_000);
    expect(store.get('a')?.config).toMatchObject({ role: 'two', display_name: 'Bernadette' });
    expect(changes).toEqual([['a']]);
  });

  it('accepts a deleted key once the file has stopped changing', async () => {
    put('a', 'display_name: A\nrole: tester\n');
    const { store, clock } = make();
    store.start();
    put('a', 'display_name: A\n');
    await clock.advance(4_000);
    expect(store.get('a')?.config?.role).toBe('');
  });

  it('keeps the last good config for any corrupted file (F20)', async () => {
    const good = 'display_name: A\npuffo_core:\n  slug: a-1\nruntime:\n  model: m\n';
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.nat(good.length),
        async (noise, at) => {
          put('a', good);
          const { store, clock } = make();
          store.start();
          put('a', `${good.slice(0, at)}${noise}`);
          await clock.advance(5_000);
          expect(store.get('a')?.lastGood).not.toBeNull();
          put('a', good);
          await clock.advance(5_000);
          expect(store.get('a')).toMatchObject({ config: { puffo_core: { slug: 'a-1' } }, error: null });
          store.stop();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('detects new and removed folders, requests and profile edits by polling alone', async () => {
    const { store, clock, changes, log } = make();
    put('a', 'display_name: A\n');
    store.start();
    await clock.advance(2_100);
    put('b', 'display_name: B\n');
    await clock.advance(15_100);
    expect(changes).toEqual([['b']]);
    mkdirSync(file('a', '.puffo-agent'));
    writeFileSync(file('a', '.puffo-agent/restart.flag'), 'requested');
    await clock.advance(2_100);
    expect(store.get('a')?.requests).toEqual(['restart']);
    store.clearRequest('a', 'restart');
    expect(existsSync(file('a', '.puffo-agent/restart.flag'))).toBe(false);
    writeFileSync(file('b', 'profile.md'), 'new');
    await clock.advance(2_100);
    rmSync(path.dirname(file('b')), { recursive: true });
    await clock.advance(2_100);
    expect(changes.map((ids) => ids.join())).toEqual(['b', 'a', 'b', 'b']);
    expect(store.list().map(({ id }) => id)).toEqual(['a']);
    expect(log.lines.filter(({ event }) => event === 'watches_exhausted')).toHaveLength(1);
  });

  it.each([500, 30_000])('uses a changed interval of %i ms from the next poll on', async (ms) => {
    let interval = 2_000;
    const { store, clock, changes } = make({ sweepMs: () => interval });
    put('a', 'role: a\n');
    store.start();
    interval = ms;
    put('a', 'role: b\n');
    await clock.advance(2_000);
    expect(changes).toHaveLength(1);
    put('a', 'role: c\n');
    await clock.advance(ms - 100);
    expect(changes).toHaveLength(1);
    await clock.advance(100);
    expect(changes).toHaveLength(2);
  });

  it('detects an edit through fs.watch without waiting for the next poll', async () => {
    put('a', 'display_name: A\n');
    const random = createSeededRandom(1);
    const clock = createVirtualClock();
    const store = createAgentStore({
      home,
      random,
      disk: createDisk(random),
      log: createRecordingLog(),
      takeApiKey: () => ok(undefined),
      clock: { ...clock, after: (ms, run) => (ms === 0 ? afterNow(run) : clock.after(ms, run)) },
    });
    stops.push(() => store.stop());
    store.list();
    store.start();
    const heard = new Promise<readonly string[]>((resolve) => store.onChange(resolve));
    put('a', 'display_name: B\n');
    expect(await heard).toEqual(['a']);
    expect(store.get('a')?.config?.display_name).toBe('B');
  });
});

function afterNow(run: () => void) {
  return { cancel: clearImmediate.bind(null, setImmediate(run)) };
}
