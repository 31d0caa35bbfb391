/** Reverting what an agent changed. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedRigs, pictureOf } from '../../../../test/fakes/undo-folders.ts';

const rig = closedRigs();

const modeOf = (path: string): number => statSync(path).mode & 0o777;

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
