/** Snapshots of a workspace over a real folder and a real store. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedRigs, pictureOf } from '../../../../test/fakes/undo-folders.ts';
import type { UndoRig } from '../../../../test/fakes/undo-rig.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { WorkspaceSnapshot } from '../../../core/undo/snapshot-port.ts';
import type { RestoreResult } from '../../../core/undo/workspace-snapshots.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { maxKeptFileBytes } from './path-reader.ts';

const rig = closedRigs();

function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const take = async ({ workspace, root }: UndoRig, label: string | null = null): Promise<WorkspaceSnapshot> =>
  got(await workspace.take({ agentId: 'guide', root, label, reason: 'asked' }));

async function restore(one: UndoRig, named: string): Promise<RestoreResult> {
  const snapshot = got(one.workspace.find('guide', named));
  const items = got(await one.workspace.changesSince(snapshot, null));
  const audit = async () => ok(undefined);
  return got(await one.workspace.restore({ snapshot, items, title: 'restore', audit }));
}

/** Files, folders with modes, links, and a repository inside, as data. */
function fill({ at, root }: UndoRig): void {
  mkdirSync(at('src', 'deep'), { recursive: true });
  writeFileSync(at('src', 'deep', 'a.ts'), 'a');
  writeFileSync(at('run.sh'), '#!/bin/sh\n');
  chmodSync(at('run.sh'), 0o755);
  symlinkSync('run.sh', at('link'));
  mkdirSync(at('empty'));
  mkdirSync(at('inner'));
  spawnSync('git', ['init', '--quiet', join(root, 'inner')]);
}

describe('snapshots that are taken at the same time', () => {
  test('share one for a turn', async () => {
    const one = rig();
    fill(one);
    const call = { agentId: 'guide', turnId: 't1', threadKey: '', callId: 'c', tool: 'shell', title: '' };
    const begin = () => one.workspace.beforeTurn(call, one.root, new AbortController().signal);
    const [first, second] = await Promise.all([begin(), begin()]);
    expect(got(first)?.id).toBeDefined();
    expect(got(second)).toEqual(got(first));
    expect(got(await begin())).toBeNull();
    expect(one.store.kept({ agentId: 'guide', limit: 9 })).toHaveLength(1);
  });

  test('never get the same label', async () => {
    const one = rig();
    fill(one);
    const wanted = { agentId: 'guide', root: one.root, label: 'mine', reason: 'asked' } as const;
    const both = await Promise.all([one.workspace.take(wanted), one.workspace.take(wanted)]);
    expect(both.map((each) => (each.ok ? 'taken' : each.error.code))).toEqual(['taken', 'conflict']);
  });
});

describe('the clean-up', () => {
  test('leaves restore points room beside the snapshots that a person asked for', async () => {
    const one = rig();
    writeFileSync(one.at('large'), Buffer.alloc(200_000, 'x'));
    await take(one, 'large');
    await one.call('write_file', { path: 'small', content: 'small' });
    one.store.collect({ olderThan: 0, maxBytes: 100_000 });
    expect(one.ofTurn()).toHaveLength(1);
    expect(one.store.askedBytes()).toBeGreaterThan(200_000);
    one.store.collect({ olderThan: 0, maxBytes: 0 });
    expect(one.ofTurn()).toHaveLength(0);
    expect(one.workspace.find('guide', 'large').ok).toBe(true);
  });

  test('removes the snapshots of agents that are gone, and nothing of others', async () => {
    const one = rig();
    fill(one);
    await take(one, 'kept');
    got(await one.workspace.take({ agentId: 'gone', root: one.root, reason: 'asked' }));
    expect(one.store.removeOfOthers((id) => id === 'guide')).toBe(1);
    expect(one.store.kept({ agentId: 'gone', limit: 9 })).toEqual([]);
    expect(one.store.kept({ agentId: 'guide', limit: 9 })).toHaveLength(1);
  });
});

describe('a snapshot of a workspace', () => {
  test('is refused if the workspace is gone, because nothing could be restored from it', async () => {
    const one = rig();
    rmSync(one.root, { recursive: true });
    const taken = await one.workspace.take({ agentId: 'guide', root: one.root, reason: 'asked' });
    expect(taken).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('leaves a repository alone of which a large file is not covered', async () => {
    const one = rig();
    const { at } = one;
    const pack = (name: string) => at('inner', '.git', 'objects', 'pack', name);
    fill(one);
    mkdirSync(at('inner', '.git', 'objects', 'pack'), { recursive: true });
    writeFileSync(pack('old.idx'), 'old');
    await take(one, 'first');
    rmSync(pack('old.idx'));
    writeFileSync(pack('new.idx'), 'new');
    writeFileSync(pack('new.pack'), Buffer.alloc(maxKeptFileBytes + 1));
    writeFileSync(at('run.sh'), 'changed');
    await restore(one, 'first');
    expect(existsSync(pack('new.idx'))).toBe(true);
    expect(existsSync(pack('old.idx'))).toBe(false);
    expect(readFileSync(at('run.sh'), 'utf8')).toBe('#!/bin/sh\n');
  });

  test('is not restored while it would remove the worktree of a task', async () => {
    const one = rig();
    const { at, root } = one;
    await take(one, 'first');
    mkdirSync(at('.kennel', 'worktrees', 'task-1'), { recursive: true });
    writeFileSync(at('.kennel', 'worktrees', 'task-1', 'file'), 'work');
    const picture = pictureOf(root);
    await expect(restore(one, 'first')).rejects.toThrow('worktree');
    expect(pictureOf(root)).toBe(picture);
  });

  test('restores files, folders, modes, links and an inner repository, by label and by id', async () => {
    const one = rig();
    const { at, root } = one;
    fill(one);
    const first = pictureOf(root);
    const { id } = await take(one, 'first');
    rmSync(at('src'), { recursive: true });
    rmSync(at('inner', '.git', 'HEAD'));
    chmodSync(at('run.sh'), 0o644);
    writeFileSync(at('src'), 'a file now');
    mkdirSync(at('new', 'folder'), { recursive: true });
    writeFileSync(at('new', 'folder', 'file'), 'new');
    rmSync(at('empty'), { recursive: true });
    const second = pictureOf(root);
    const { before, kept } = await restore(one, 'first');
    expect(kept).toEqual([]);
    expect(pictureOf(root)).toBe(first);
    // The state before the restore is a snapshot, too.
    await restore(one, before.id);
    expect(pictureOf(root)).toBe(second);
    await restore(one, id.slice('snap_'.length));
    expect(pictureOf(root)).toBe(first);
  });

  test('is undone like any change of files', async () => {
    const one = rig();
    const { at, store, revert } = one;
    writeFileSync(at('a'), 'old');
    await take(one, 'old');
    writeFileSync(at('a'), 'new');
    const { id } = await restore(one, 'old');
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    await revert(store.list({ ids: [id], limit: 1 }));
    expect(readFileSync(at('a'), 'utf8')).toBe('new');
  });

  test('names what it does not cover, and a restore leaves that alone', async () => {
    const one = rig();
    const { at, workspace, root } = one;
    writeFileSync(at('large'), Buffer.alloc(maxKeptFileBytes + 1));
    writeFileSync(at('one-name'), 'linked');
    linkSync(at('one-name'), at('other-name'));
    mkdirSync(at('node_modules'));
    writeFileSync(at('node_modules', 'generated'), 'generated');
    spawnSync('mkfifo', [at('pipe')]);
    const snapshot = await take(one, 'gaps');
    const gaps = workspace.gaps(snapshot).map(({ path, why }) => [path.slice(root.length + 1), why]);
    expect(Object.fromEntries(gaps)).toEqual({
      large: 'too_large',
      'one-name': 'many_names',
      'other-name': 'many_names',
      node_modules: 'ignored',
      pipe: 'special',
    });
    expect(snapshot.gaps).toBe(5);
    rmSync(at('pipe'));
    rmSync(at('node_modules'), { recursive: true });
    writeFileSync(at('large'), 'small');
    writeFileSync(at('added'), 'added');
    await restore(one, 'gaps');
    expect(existsSync(at('added'))).toBe(false);
    expect(readFileSync(at('large'), 'utf8')).toBe('small');
    expect(existsSync(at('pipe'))).toBe(false);
  });

  test('T14: a restore writes through no link that replaced a folder', async () => {
    const one = rig();
    const { at, base } = one;
    mkdirSync(at('folder'));
    writeFileSync(at('folder', 'a'), 'old');
    await take(one, 'old');
    writeFileSync(at('folder', 'a'), 'new');
    const snapshot = got(one.workspace.find('guide', 'old'));
    const items = got(await one.workspace.changesSince(snapshot, null));
    const outside = join(base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a'), 'new');
    rmSync(at('folder'), { recursive: true });
    symlinkSync(outside, at('folder'));
    const audit = async () => ok(undefined);
    const done = got(await one.workspace.restore({ snapshot, items, title: 'restore', audit }));
    expect(done.restored).toEqual([]);
    expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('new');
  });

  test('is taken once per turn, before its first change', async () => {
    const one = rig();
    const { at, workspace, root } = one;
    const call = {
      agentId: 'guide',
      turnId: 'turn-1',
      threadKey: 't',
      callId: 'c',
      tool: 'shell',
      title: 'run',
    };
    const { signal } = new AbortController();
    writeFileSync(at('a'), 'before');
    expect(got(await workspace.beforeTurn(call, root, signal))?.reason).toBe('turn');
    writeFileSync(at('a'), 'between');
    expect(got(await workspace.beforeTurn(call, root, signal))).toBeNull();
    const [only, ...others] = got(workspace.list({ agentId: 'guide', limit: 10 }));
    expect(others).toEqual([]);
    await restore(one, only?.id ?? '');
    expect(readFileSync(at('a'), 'utf8')).toBe('before');
  });

  test('keeps the newest automatic ones of an agent, and each that was asked for', async () => {
    const one = rig();
    const { workspace, root, store } = one;
    await take(one, 'mine');
    for (let turn = 0; turn < 55; turn += 1)
      await workspace.take({ agentId: 'guide', root, reason: 'turn', turnId: `turn-${turn}` });
    const kept = store.kept({ agentId: 'guide', limit: 200 });
    expect(kept).toHaveLength(51);
    expect(kept.at(-1)?.label).toBe('mine');
    expect(kept[0]?.turnId).toBe('turn-54');
  });

  test('keeps its contents while restore points are removed, until it is removed', async () => {
    const one = rig();
    const { at, store, shell } = one;
    writeFileSync(at('a'), 'kept content');
    await take(one, 'mine');
    await shell('echo agent > a');
    store.collect({ olderThan: Number.MAX_SAFE_INTEGER, maxBytes: 1 });
    expect(store.list({ limit: 10 })).toEqual([]);
    await restore(one, 'mine');
    expect(readFileSync(at('a'), 'utf8')).toBe('kept content');
    const hash = sha256Hex(Buffer.from('kept content'));
    expect(store.read(hash)).not.toBeNull();
    for (const { id } of store.kept({ agentId: 'guide', limit: 10 })) store.removeSnapshot(id);
    store.collect({ olderThan: Number.MAX_SAFE_INTEGER, maxBytes: 1_000 });
    expect(store.read(hash)).toBeNull();
  });

  test('has a label of its own, and belongs to its agent', async () => {
    const one = rig();
    await take(one, 'mine');
    const again = await one.workspace.take({
      agentId: 'guide',
      root: one.root,
      label: 'mine',
      reason: 'asked',
    });
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(one.workspace.find('other', 'mine')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(got(await one.workspace.changesSince(await take(one), null))).toEqual([]);
  });

  test('is not restored while a call of the agent runs', async () => {
    const one = rig();
    const { at, points, root, workspace } = one;
    writeFileSync(at('a'), 'old');
    await take(one, 'old');
    const call = { agentId: 'guide', turnId: 't', threadKey: 't', callId: 'c', tool: 'shell', title: 'run' };
    await points.begin({ ...call, paths: [root], gaps: [] }, new AbortController().signal);
    writeFileSync(at('a'), 'half');
    const snapshot = got(workspace.find('guide', 'old'));
    const items = got(await workspace.changesSince(snapshot, null));
    const audit = async () => ok(undefined);
    const done = await workspace.restore({ snapshot, items, title: 'restore', audit });
    expect(done).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(readFileSync(at('a'), 'utf8')).toBe('half');
  });

  test('shows the changes between two of them', async () => {
    const one = rig();
    const { at, root, workspace } = one;
    writeFileSync(at('a'), 'one');
    const first = await take(one, 'first');
    writeFileSync(at('a'), 'two');
    const later = await take(one, 'later');
    writeFileSync(at('b'), 'after both');
    const items = got(await workspace.changesSince(first, later));
    expect(items.map(({ made }) => made.path.slice(root.length + 1))).toEqual(['a']);
  });
});
