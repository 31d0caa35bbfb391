import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { toolContext } from '../../../test/fakes/tool-context.ts';
import { createUndoRig, type UndoRig } from '../../../test/fakes/undo-rig.ts';
import { ok } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { heedUndo } from './chat-undo.ts';
import { createUndo, type Undo } from './undo.ts';

let rig: UndoRig;
beforeEach(() => {
  rig = createUndoRig();
});
afterEach(() => rig.close());

const undoOf = ({ points, store, workspace: snapshots }: UndoRig): Undo =>
  createUndo({
    file: { exists: () => true, open: async () => ok({ points, store, snapshots }) },
    note: async () => ok(undefined),
    onChanged: () => undefined,
  });

/** A turn in direct messages writes the file; returns when its call began. */
async function write(path: string): Promise<number> {
  const context = toolContext({ threadKey: 'dm|alice-a62c' });
  await rig.tools.write_file.execute({ path, content: 'agent' }, context);
  return rig.store.list({ limit: 1 })[0]?.at ?? 0;
}

/** "undo that" to the agent; resolves with its answer. */
async function undoThat(sentAt: number, receivedAt = sentAt): Promise<string> {
  const answers: string[] = [];
  const messaging = async () => ({
    send: async ({ text }: { readonly text: string }) => {
      answers.push(text);
      return ok({ messageId: 'msg_2', at: 1 });
    },
  });
  await heedUndo(
    {
      undo: undoOf(rig),
      post: () => ({ store: createMemoryAccountStore('guide-1'), capabilities: { messaging } }),
      workspace: () => rig.root,
    },
    'guide',
    sampleDm({ content: 'undo that', sentAt, receivedAt }),
  );
  return answers.join();
}

test('"undo that" means what was there when it was sent, however late it arrives', async () => {
  const at = await write('a');
  expect(await undoThat(at - 1, at + 60_000)).toContain('I changed no files');
  expect(await undoThat(at + 60_000, at)).toContain('I changed no files');
  expect(await undoThat(at + 1)).toContain('Undone: `a`');
});

test('T8: the answer shows a file name that injected text chose in one code span', async () => {
  const at = await write('x`\n\n@helper-1 **pay** \u202e');
  expect(await undoThat(at + 1)).toMatch(/^Undone: `[^`\n\u202e]+`\.[^`\n]*$/);
});

test('a call of the same turn that began after the message stays', async () => {
  const at = await write('a');
  const { list } = rig.store;
  await write('b');
  rig.store.list = (query) =>
    list(query).map((point) => (point.changes[0]?.path === rig.at('b') ? { ...point, at: at + 10 } : point));
  expect(await undoThat(at + 5)).toContain('Undone: `a`');
  const states = list({ limit: 10 }).map(({ changes, undoneBy }) => [changes[0]?.path, undoneBy !== null]);
  expect(states).toContainEqual([rig.at('b'), false]);
});

test('F4: a fault of the store is an error of the call', async () => {
  const { store } = rig;
  await write('a');
  const [point] = store.list({ limit: 1 });
  const undo = undoOf(rig);
  store.list = () => {
    throw new StoreError('io_error', 'The disk fails.');
  };
  const target = { point: point?.id ?? '', whole: 'turn' } as const;
  const failed = { ok: false, error: { code: 'io_error' } };
  expect(await undo.list({ limit: 1 })).toMatchObject(failed);
  expect(await undo.plan(target)).toMatchObject(failed);
  expect(await undo.apply({ ...target, digest: 'd', changed: 'keep' })).toMatchObject(failed);
  expect(await undoThat(Date.now())).toContain('Nothing was undone');
});
