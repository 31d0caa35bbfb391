import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createUndoRig, type UndoRig, type UndoRigOptions } from '../../../../test/fakes/undo-rig.ts';
import { StoreError } from '../../../core/lib/store-error.ts';
import { compareSnapshots, type PathState } from '../../../core/undo/path-state.ts';
import type { RestoreStore } from '../../../core/undo/snapshot-port.ts';
import { openDatabase } from '../../db/binding.ts';

const rigs: UndoRig[] = [];
const rig = (options: UndoRigOptions = {}): UndoRig => {
  const made = createUndoRig(options);
  rigs.push(made);
  return made;
};
afterEach(() => {
  for (const one of rigs.splice(0)) one.close();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Every path below with kind, mode and content, as one text. */
const pictureOf = (root: string): string =>
  readdirSync(root, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const stats = lstatSync(join(root, name));
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(join(root, name))}`;
      const content = stats.isFile() ? readFileSync(join(root, name)).toString('base64') : 'folder';
      return `${name} ${(stats.mode & 0o7777).toString(8)} ${content}`;
    })
    .join('\n');

describe('a restore point of a file tool', () => {
  test('brings back a replaced, an edited and a new file, and the new folders around it', async () => {
    const { root, at, call, ofTurn, revert } = rig();
    writeFileSync(at('a.txt'), 'one\n', { mode: 0o640 });
    const before = pictureOf(root);
    await call('write_file', { path: 'a.txt', content: 'two\n' });
    await call('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' });
    const made = await call('write_file', { path: 'new/deep/b.txt', content: 'b', parents: true });
    expect(made.restorePoint).toBe(ofTurn().at(-1)?.id);
    expect(ofTurn().map(({ changes }) => changes.map(({ path }) => path.slice(root.length + 1)))).toEqual([
      ['a.txt'],
      ['a.txt'],
      ['new', 'new/deep', 'new/deep/b.txt'],
    ]);
    const after = pictureOf(root);
    expect((await revert(ofTurn())).ok).toBe(true);
    expect(pictureOf(root)).toBe(before);
    const [undo] = rigs[0]?.store.list({ limit: 1 }) ?? [];
    if (!undo) throw new Error('the revert has no restore point');
    expect((await revert([undo])).ok).toBe(true);
    expect(pictureOf(root)).toBe(after);
  });

  test('marks the reverted points, and takes the mark back when the revert is reverted', async () => {
    const { call, ofTurn, revert, store } = rig();
    await call('write_file', { path: 'a.txt', content: 'a' });
    await revert(ofTurn());
    const [undo] = store.list({ limit: 1 });
    expect(undo?.tool).toBe('undo');
    expect(ofTurn()[0]?.undoneBy).toBe(undo?.id);
    if (undo) await revert([undo]);
    expect(ofTurn()[0]?.undoneBy).toBeNull();
  });

  test('stores no point for a call that changes nothing', async () => {
    const { at, call, store } = rig();
    writeFileSync(at('a.txt'), 'same');
    expect((await call('write_file', { path: 'a.txt', content: 'same' })).restorePoint).toBeUndefined();
    expect(store.list({ limit: 10 })).toEqual([]);
    expect(store.open()).toEqual([]);
  });

  test('covers moves, copies and removals of files, folders, links, modes and binary content', async () => {
    const { root, at, call, ofTurn, revert } = rig();
    mkdirSync(at('tree/inner'), { recursive: true });
    writeFileSync(at('tree/inner/bin'), Buffer.from([0, 255, 1, 254]), { mode: 0o755 });
    symlinkSync('inner/bin', at('tree/link'));
    symlinkSync('/nowhere', at('dead'));
    writeFileSync(at('x'), 'x');
    const before = pictureOf(root);
    await call('bash_exec', { cmd: 'mv tree moved' });
    await call('bash_exec', { cmd: 'cp x y' });
    await call('bash_exec', { cmd: 'rm dead' });
    await call('bash_exec', { cmd: 'mkdir -p made/here' });
    await call('bash_exec', { cmd: 'rm -r moved' });
    expect((await revert(ofTurn())).ok).toBe(true);
    expect(pictureOf(root)).toBe(before);
  });
});

describe('a restore point of a shell line', () => {
  test('brings back whatever the line changed below the workspace', async () => {
    const { root, at, shell, ofTurn, revert } = rig();
    mkdirSync(at('keep'));
    writeFileSync(at('keep/a'), 'a');
    writeFileSync(at('b'), 'b', { mode: 0o600 });
    writeFileSync(at('swap'), 'file');
    mkdirSync(at('folder'));
    writeFileSync(at('folder/in'), 'in');
    const before = pictureOf(root);
    await shell(
      'echo more >> keep/a; rm b; chmod 700 keep; rm swap; mkdir swap; echo s > swap/s; rm -r folder; echo f > folder; ln -s b l',
    );
    const after = pictureOf(root);
    expect(after).not.toBe(before);
    expect((await revert(ofTurn())).ok).toBe(true);
    expect(pictureOf(root)).toBe(before);
    const [undo] = rigs[0]?.store.list({ limit: 1 }) ?? [];
    if (undo) await revert([undo]);
    expect(pictureOf(root)).toBe(after);
  });

  test('sees a second change of the same size in the same moment', async () => {
    const { at, shell, ofTurn, revert } = rig();
    writeFileSync(at('a'), '1');
    await shell('printf 2 > a');
    await shell('printf 3 > a');
    expect(ofTurn()).toHaveLength(2);
    await revert(ofTurn().slice(1));
    expect(readFileSync(at('a'), 'utf8')).toBe('2');
  });

  test('names what it does not cover: large files, ignored folders, hard links, pipes, other folders', async () => {
    const { root, at, shell, ofTurn, states, revert } = rig();
    mkdirSync(at('node_modules'));
    writeFileSync(at('big'), Buffer.alloc(17 * 1024 * 1024));
    writeFileSync(at('first'), 'linked');
    linkSync(at('first'), at('second'));
    await shell('echo x > small; echo y > node_modules/y; echo z >> big; mkfifo pipe');
    const [point] = ofTurn();
    const gaps = point?.gaps.map(({ path, why }) => [path === root ? '.' : path.slice(root.length + 1), why]);
    expect(gaps).toEqual(
      expect.arrayContaining([
        ['.', 'outside'],
        ['node_modules', 'ignored'],
        ['big', 'too_large'],
        ['first', 'many_names'],
        ['second', 'many_names'],
        ['pipe', 'special'],
      ]),
    );
    expect(await states(ofTurn())).toEqual({ big: 'uncovered', pipe: 'uncovered', small: 'ready' });
    const done = await revert(ofTurn(), 'restore');
    expect(done.ok && done.value.kept.map((path) => path.slice(root.length + 1))).toEqual(['big', 'pipe']);
    expect([existsSync(at('small')), existsSync(at('big')), existsSync(at('node_modules/y'))]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('a path that cannot be looked at counts as uncovered, not as missing', async () => {
    const { root, at, snapshots, store } = rig();
    const tooLong = at('a'.repeat(300));
    const taken = await snapshots.take([tooLong], 'tree', store);
    if (!taken.ok) throw new Error(taken.error.message);
    expect(taken.value.get(tooLong)).toEqual({ kind: 'uncovered', why: 'unreadable', mark: '' });
    // An unreadable path is no work of the agent, even if it can be read afterwards.
    const folder = { kind: 'folder', mode: 0o755 } as const;
    const file = { kind: 'file', hash: 'h', size: 1, mode: 0o644 } as const;
    const hidden = { kind: 'uncovered', why: 'unreadable', mark: '' } as const;
    const before = new Map<string, PathState>([
      [root, folder],
      [at('closed'), hidden],
      [at('x'), hidden],
    ]);
    const after = new Map<string, PathState>([
      [root, folder],
      [at('closed'), folder],
      [at('closed/mine'), file],
      [at('x'), file],
      [at('new'), file],
    ]);
    expect(compareSnapshots(before, after).map(({ path }) => path)).toEqual([at('new')]);
  });

  test('covers a tree above its limits from the top, and takes no change from the rest', async () => {
    const { at, shell, ofTurn } = rig({ limits: { entries: 6, bytes: 100 } });
    mkdirSync(at('many'));
    for (let index = 0; index < 10; index += 1) writeFileSync(at(`many/${index}`), `${index}`);
    writeFileSync(at('top'), 'top');
    await shell('echo new > top; echo new > many/3');
    const [point] = ofTurn();
    expect(point?.changes.map(({ path }) => path)).toEqual([at('top')]);
    expect(point?.gaps).toContainEqual({ path: at('many'), why: 'limit' });
  });
});

describe('a revert', () => {
  test('keeps later work of a person unless told to replace it, and can be reverted itself', async () => {
    const { at, call, ofTurn, states, revert, store } = rig();
    writeFileSync(at('a'), 'before');
    writeFileSync(at('b'), 'before');
    await call('write_file', { path: 'a', content: 'agent' });
    await call('write_file', { path: 'b', content: 'agent' });
    writeFileSync(at('a'), 'mine');
    expect(await states(ofTurn())).toEqual({ a: 'changed', b: 'ready' });
    expect(await revert(ofTurn())).toMatchObject({ value: { restored: [at('b')], kept: [at('a')] } });
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
    const { length } = store.list({ limit: 10 });
    expect(ofTurn().map(({ undoneBy }) => undoneBy !== null)).toEqual([false, true]);
    expect(await revert(ofTurn(), 'restore')).toMatchObject({ value: { restored: [at('a')] } });
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
    expect(ofTurn().every(({ undoneBy }) => undoneBy !== null)).toBe(true);
    expect(store.list({ limit: 10 })).toHaveLength(length + 1);
    const [undo] = store.list({ limit: 1 });
    if (undo) await revert([undo]);
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
  });

  test('of several calls leaves the decision about a file to a person who edited it between them', async () => {
    const { at, call, ofTurn, states, revert } = rig();
    writeFileSync(at('a'), 'before');
    writeFileSync(at('b'), 'before');
    await call('write_file', { path: 'a', content: 'agent' });
    await call('write_file', { path: 'b', content: 'agent' });
    writeFileSync(at('a'), 'mine');
    await call('write_file', { path: 'a', content: 'agent again' });
    await call('write_file', { path: 'b', content: 'agent again' });
    expect(await states(ofTurn())).toEqual({ a: 'changed', b: 'ready' });
    expect(await revert(ofTurn())).toMatchObject({ value: { restored: [at('b')], kept: [at('a')] } });
    expect(readFileSync(at('a'), 'utf8')).toBe('agent again');
    expect(await revert(ofTurn(), 'restore')).toMatchObject({
      value: { restored: [at('a')] },
    });
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
  });

  test("keeps a new folder that holds a person's file", async () => {
    const { at, call, ofTurn, revert } = rig();
    await call('write_file', { path: 'new/a', content: 'a', parents: true });
    writeFileSync(at('new/mine'), 'mine');
    expect(await revert(ofTurn())).toMatchObject({ value: { restored: [at('new/a')], kept: [at('new')] } });
    expect(readFileSync(at('new/mine'), 'utf8')).toBe('mine');
  });

  test('replaces nothing that changes between plan and revert', async () => {
    const { at, call, ofTurn, points } = rig();
    await call('write_file', { path: 'a', content: 'agent' });
    const items = await points.plan(ofTurn());
    if (!items.ok) throw new Error(items.error.message);
    const audit = async () => {
      writeFileSync(at('a'), 'mine');
      return { ok: true, value: undefined } as const;
    };
    const done = await points.revert(items.value, {
      points: ofTurn(),
      changed: 'restore',
      title: 'undo',
      audit,
    });
    expect(done).toMatchObject({ value: { restored: [], kept: [at('a')] } });
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
    expect(ofTurn()[0]?.undoneBy).toBeNull();
  });

  test('changes nothing if it cannot be written in the audit log', async () => {
    const { at, call, ofTurn, points, store } = rig();
    await call('write_file', { path: 'a', content: 'agent' });
    const items = await points.plan(ofTurn());
    if (!items.ok) throw new Error(items.error.message);
    const openAtAudit: number[] = [];
    const audit = async () => {
      openAtAudit.push(store.open().length);
      return { ok: false, error: { code: 'io_error', message: 'no' } } as const;
    };
    const done = await points.revert(items.value, {
      points: ofTurn(),
      changed: 'keep',
      title: 'undo',
      audit,
    });
    expect(done.ok).toBe(false);
    // A start finishes an open revert, so none is open before its line is written.
    expect(openAtAudit).toEqual([0]);
    expect(readFileSync(at('a'), 'utf8')).toBe('agent');
    expect(store.list({ limit: 5 })).toHaveLength(1);
  });

  test('restores a folder that its owner may not write together with its files', async () => {
    const { root, at, shell, ofTurn, revert } = rig();
    mkdirSync(at('closed'));
    writeFileSync(at('closed/a'), 'a');
    chmodSync(at('closed'), 0o555);
    const before = pictureOf(root);
    await shell('chmod 700 closed; rm -r closed');
    await revert(ofTurn());
    expect(pictureOf(root)).toBe(before);
    expect(modeOf(at('closed'))).toBe(0o555);
    chmodSync(at('closed'), 0o755);
  });

  test.each([true, false])(
    'T14: follows no link that took the place of a folder (handles: %s)',
    async (byHandles) => {
      const { base, at, call, ofTurn, revert } = rig({ byHandles });
      mkdirSync(join(base, 'outside'));
      mkdirSync(at('sub'));
      writeFileSync(join(base, 'outside/a'), 'agent');
      writeFileSync(at('sub/a'), 'before');
      await call('write_file', { path: 'sub/a', content: 'agent' });
      renameSync(at('sub'), at('away'));
      symlinkSync(join(base, 'outside'), at('sub'));
      const done = await revert(ofTurn(), 'restore');
      expect(done.ok && done.value.restored).not.toContain(at('sub/a'));
      expect(readFileSync(join(base, 'outside/a'), 'utf8')).toBe('agent');
    },
  );

  test('T14: takes no content through a link or a hard link to another folder', async () => {
    const { base, at, shell, store } = rig();
    writeFileSync(join(base, 'secret'), 'SECRET-CONTENT');
    symlinkSync(join(base, 'secret'), at('link'));
    linkSync(join(base, 'secret'), at('hard'));
    const stored: string[] = [];
    const { put } = store;
    store.put = (contents) => {
      stored.push(...contents.map(({ bytes }) => Buffer.from(bytes).toString()));
      put(contents);
    };
    await shell('echo a > a; rm link hard');
    expect(stored.join()).not.toContain('SECRET');
  });
});

describe('faults', () => {
  /** Fails at the `n`-th write. */
  const failing =
    (n: number, count: { writes: number }) =>
    (store: RestoreStore): RestoreStore => {
      const write =
        <A extends readonly unknown[], R>(work: (...args: A) => R) =>
        (...args: A): R => {
          count.writes += 1;
          if (count.writes === n) throw new StoreError('disk_full', 'The disk is full.');
          return work(...args);
        };
      return {
        ...store,
        get generation() {
          return store.generation;
        },
        get added() {
          return store.added;
        },
        put: write(store.put),
        begin: write(store.begin),
        end: write(store.end),
      };
    };

  test('F4: no file changes unless its restore point is durable, whichever write fails', async () => {
    const count = { writes: 0 };
    const whole = rig({ store: failing(0, count) });
    writeFileSync(whole.at('a'), 'before');
    await whole.call('write_file', { path: 'a', content: 'agent' });
    expect(count.writes).toBeGreaterThan(2);
    for (let n = 1; n <= count.writes; n += 1) {
      const one = rig({ store: failing(n, { writes: 0 }) });
      writeFileSync(one.at('a'), 'before');
      await one.call('write_file', { path: 'a', content: 'agent' });
      const now = readFileSync(one.at('a'), 'utf8');
      const [open] = one.store.open();
      const [point] = one.store.list({ limit: 1 });
      if (now === 'agent') expect(point ?? open?.point).toBeDefined();
      await one.points.recover();
      if (now === 'agent') await one.revert(one.ofTurn(), 'restore');
      expect(readFileSync(one.at('a'), 'utf8')).toBe('before');
    }
  });

  test('F1: a call that never ended is settled at the next start', async () => {
    const { at, points, ofTurn, revert, root, states, store } = rig();
    writeFileSync(at('a'), 'before');
    writeFileSync(at('gone'), 'gone');
    const origin = {
      agentId: 'guide',
      turnId: 'turn-1',
      threadKey: 't',
      callId: 'c',
      tool: 'shell',
      title: 'run',
    };
    await points.begin({ ...origin, paths: [root], gaps: [] }, new AbortController().signal);
    writeFileSync(at('a'), 'half');
    unlinkSync(at('gone'));
    await points.recover();
    expect(store.open()).toEqual([]);
    // Days may lie between the crash and the start, so a person decides.
    expect(await states(ofTurn())).toEqual({ a: 'changed', gone: 'changed' });
    expect((await revert(ofTurn())).ok).toBe(false);
    await revert(ofTurn(), 'restore');
    expect([readFileSync(at('a'), 'utf8'), readFileSync(at('gone'), 'utf8')]).toEqual(['before', 'gone']);
  });

  test('F1: an interrupted revert is finished at the next start, and keeps what a person changed since', async () => {
    const { at, call, ofTurn, points, snapshots, store } = rig();
    for (const name of ['a', 'b', 'c']) {
      writeFileSync(at(name), 'before');
      await call('write_file', { path: name, content: 'agent' });
    }
    const items = await points.plan(ofTurn());
    if (!items.ok) throw new Error(items.error.message);
    const { put } = snapshots;
    let puts = 0;
    Object.assign(snapshots, {
      put: async (...args: Parameters<typeof put>) => {
        puts += 1;
        if (puts > 1) throw new StoreError('io_error', 'killed');
        return put(...args);
      },
    });
    const request = { points: ofTurn(), changed: 'keep', title: 'undo' } as const;
    await points.revert(items.value, { ...request, audit: async () => ({ ok: true, value: undefined }) });
    Object.assign(snapshots, { put });
    writeFileSync(at('c'), 'mine');
    await points.recover();
    expect(['a', 'b', 'c'].map((name) => readFileSync(at(name), 'utf8'))).toEqual([
      'before',
      'before',
      'mine',
    ]);
    expect(store.open()).toEqual([]);
    expect(ofTurn().map(({ undoneBy }) => undoneBy !== null)).toEqual([true, true, false]);
  });

  test('removes old points and the contents that no point needs, and keeps the others usable', async () => {
    const { at, call, ofTurn, revert, store, shell } = rig();
    writeFileSync(at('other'), 'unchanged content');
    writeFileSync(at('a'), 'before');
    await shell('echo agent > a', 'turn-1');
    const { generation } = store;
    store.collect({ olderThan: 0, maxBytes: 1_000_000 });
    expect(store.generation).toBe(generation + 1);
    await call('write_file', { path: 'a', content: 'again' }, 'turn-2');
    await revert(ofTurn('turn-2'));
    await revert(ofTurn('turn-1'));
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
    store.collect({ olderThan: Number.MAX_SAFE_INTEGER, maxBytes: 1_000_000 });
    expect(store.list({ limit: 10 })).toEqual([]);
    rmSync(at('a'));
  });

  test('F4: an end that could not be stored is stored with the next call', async () => {
    let isFull = false;
    const { at, call, ofTurn, states, store } = rig({
      store: (opened) => {
        const { end } = opened;
        return Object.assign(opened, {
          end: (...args: Parameters<typeof end>) => {
            if (isFull) throw new StoreError('disk_full', 'The disk is full.');
            end(...args);
          },
        });
      },
    });
    writeFileSync(at('a'), 'before');
    isFull = true;
    await call('write_file', { path: 'a', content: 'agent' });
    expect(store.open()).toHaveLength(1);
    isFull = false;
    await call('write_file', { path: 'b', content: 'agent' });
    expect(store.open()).toEqual([]);
    expect(await states(ofTurn())).toEqual({ a: 'ready', b: 'ready' });
  });

  test('a content that went missing is read again before the call runs', async () => {
    const { at, call, ofTurn, revert, snapshots, store } = rig();
    writeFileSync(at('a'), 'before');
    // As if the cache knew a hash whose content was removed.
    const { take, forget } = snapshots;
    let forgotten = 0;
    Object.assign(snapshots, {
      take: (...[paths, how, contents, signal]: Parameters<typeof take>) => {
        const blind =
          forgotten === 0 ? { ...contents, generation: 0, added: 0, put: () => undefined } : contents;
        return take(paths, how, blind, signal);
      },
      forget: () => {
        forgotten += 1;
        forget();
      },
    });
    await call('write_file', { path: 'a', content: 'agent' });
    expect(forgotten).toBe(1);
    Object.assign(snapshots, { take });
    await revert(ofTurn());
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
    expect(store.open()).toEqual([]);
  });

  test('F19: an open point whose state before is lost is removed, and the store stays', async () => {
    const { at, base, call, points, root, store } = rig();
    await call('write_file', { path: 'a', content: 'agent' });
    const origin = { agentId: 'g', turnId: 't', threadKey: 't', callId: 'c', tool: 'shell', title: 'run' };
    await points.begin({ ...origin, paths: [root], gaps: [] }, new AbortController().signal);
    store.release();
    const file = readdirSync(base).find((name) => name.endsWith('.db')) ?? '';
    const db = openDatabase(join(base, file), { key: new Uint8Array(32).fill(3) });
    db.exec("UPDATE points SET before_hash = 'lost' WHERE ended_at IS NULL");
    db.close();
    await points.recover();
    expect(store.open()).toEqual([]);
    expect(store.list({ limit: 10 }).map(({ changes }) => changes[0]?.path)).toEqual([at('a')]);
    expect(readdirSync(base).filter((name) => name.includes('quarantine'))).toEqual([]);
  });

  test('counts the bytes that a begun point adds', async () => {
    const { root, at, points, store } = rig();
    writeFileSync(at('a'), 'before');
    const origin = { agentId: 'g', turnId: 't', threadKey: 't', callId: 'c', tool: 'shell', title: 'run' };
    const { begin } = store;
    let contents = -1;
    store.begin = (...args) => {
      contents = store.added;
      return begin(...args);
    };
    await points.begin({ ...origin, paths: [root], gaps: [] }, new AbortController().signal);
    const [open] = store.open();
    expect(contents).toBe('before'.length);
    expect(store.added - contents).toBe(JSON.stringify([...(open?.before ?? [])]).length);
  });

  test('counts all changes of a point but reads no more than asked for', async () => {
    const { shell, store } = rig();
    await shell('for i in 1 2 3 4 5; do echo $i > f$i; done');
    const [point] = store.list({ limit: 1, mostChanges: 2 });
    expect([point?.changes.length, point?.changeCount]).toEqual([2, 5]);
  });

  test('counts the rows of points when the store is too large', async () => {
    const { call, store } = rig();
    for (let index = 0; index < 22; index += 1)
      await call('write_file', { path: 'a', content: `${index}` }, `turn-${index}`);
    store.collect({ olderThan: 0, maxBytes: 4_000 });
    expect(store.list({ limit: 100 })).toHaveLength(2);
  });

  test('removes the oldest points first when the store is too large', async () => {
    const { call, store } = rig();
    for (let index = 0; index < 40; index += 1)
      await call('write_file', { path: 'a', content: `${index}`.padEnd(1_000) }, `turn-${index}`);
    store.collect({ olderThan: 0, maxBytes: 45_000 });
    const left = store.list({ limit: 100 });
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(40);
    expect(left[0]?.turnId).toBe('turn-39');
  });
});
