import { expect, test } from 'vitest';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { MessageSearch } from '../../core/puffo/account-store.ts';
import { searchMessages } from './search-messages.ts';

test('A search with filters yields to other work between windows, and fills its page from them', async () => {
  const turns: (() => void)[] = [];
  const clock = {
    after(_ms: number, run: () => void) {
      turns.push(run);
      return { cancel: () => undefined };
    },
  };
  const messages = [90, 70, 30, 20, 10].map((row) => ({
    row,
    message: sampleMessage({ envelopeId: `msg_${row}` }),
  }));
  const asked: { below: number | undefined; limit: number }[] = [];
  const search: MessageSearch = {
    catchUp: () => false,
    find({ below, limit }) {
      asked.push({ below, limit });
      const top = below ?? 100;
      const from = top - 25;
      const found = messages.filter(({ row }) => row < top && row >= from).map(({ message }) => message);
      const hasMore = found.length > limit;
      return { messages: found.slice(0, limit), hasMore, below: hasMore || from <= 0 ? null : from };
    },
  };
  const found = searchMessages(clock, { search }, { words: '', hasFile: true, limit: 3 });
  // Each window waits for its turn of the clock.
  for (let windows = 1; windows <= 3; windows += 1) {
    await settle();
    expect(asked).toHaveLength(windows);
    expect(turns).toHaveLength(1);
    turns.pop()?.();
    await settle();
  }
  const { messages: page, hasMore } = await found;
  expect(page.map(({ envelopeId }) => envelopeId)).toEqual(['msg_90', 'msg_70', 'msg_30']);
  expect(hasMore).toBe(true);
  expect(asked).toEqual([
    { below: undefined, limit: 3 },
    { below: 75, limit: 2 },
    { below: 50, limit: 1 },
    { below: 25, limit: 0 },
  ]);
});
