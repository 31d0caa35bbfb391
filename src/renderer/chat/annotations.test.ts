import { expect, test } from 'vitest';
import type { ChatMessage } from '../../contract/model.ts';
import { withoutDeleted } from './annotations.ts';

const message = (id: string, threadRootId: string | null = null) => ({ id, threadRootId }) as ChatMessage;
const deleted = { reactions: [], pinnedAt: null, deleted: true };
const ids = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id);

test('a deleted message disappears; a root stays while it has a reply', () => {
  const all = [message('a'), message('b'), message('c', 'a'), message('d')];
  expect(withoutDeleted(all, { d: { ...deleted, deleted: false } })).toBe(all);
  expect(ids(withoutDeleted(all, { a: deleted, b: deleted }))).toEqual(['a', 'c', 'd']);
  expect(ids(withoutDeleted(all, { a: deleted, c: deleted }))).toEqual(['b', 'd']);
});
