/** Restore points of file tools and of shell lines. */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closedRigs, pictureOf } from '../../../../test/fakes/undo-folders.ts';
import { compareSnapshots, type PathState } from '../../../core/undo/path-state.ts';

const rig = closedRigs();

describe('a restore point of a file tool', () => {
  test('brings back a replaced, an edited and a new file, and the new folders around it', async () => {
    const { store, root, at, call, ofTurn, revert } = rig();
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
    const [undo] = store.list({ limit: 1 });
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
    const { store, root, at, shell, ofTurn, revert } = rig();
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
    const [undo] = store.list({ limit: 1 });
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
