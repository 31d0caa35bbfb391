/** Restore points and reverts under faults: crashes, full disks, races. */
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedRigs } from '../../../../test/fakes/undo-folders.ts';
import { StoreError } from '../../../core/lib/store-error.ts';
import type { RestoreStore } from '../../../core/undo/snapshot-port.ts';
import { openDatabase } from '../../db/binding.ts';

const rig = closedRigs();

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
