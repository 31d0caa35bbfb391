import { expect, it } from 'vitest';
import type { ChatMessage, RoomView } from '../../contract/model.ts';
import type { Clock } from '../../core/ports.ts';
import { createFeedTopic } from '../feed/feed.ts';
import { upsertMessage } from './room-topic.ts';

const clock: Clock = { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined }) };

const message = (id: string, sentAt: number, text = id): ChatMessage => ({
  id,
  roomId: 'ch_1',
  senderSlug: 'a-0001',
  senderName: 'A',
  senderAgent: false,
  own: false,
  text,
  sentAt,
  threadRootId: null,
  visible: true,
  encrypted: true,
  delivery: 'received',
  deliveryError: null,
  attachments: [],
  marks: [],
  steps: [],
  asks: null,
});

function room() {
  const topic = createFeedTopic<RoomView>({
    clock,
    initial: { roomId: 'ch_1', messages: [], hasMore: false, drafts: {}, annotations: {} },
  });
  return { topic, ids: () => topic.state().messages.map(({ id }) => id) };
}

it('A room topic sorts messages by send time, whatever order they arrive in', () => {
  const { topic, ids } = room();
  for (const each of [message('c', 3), message('a', 1), message('d', 3), message('b', 2)])
    upsertMessage(topic, each);
  expect(ids()).toEqual(['a', 'b', 'c', 'd']);
});

it('A room topic replaces a changed message and sends no patch for an unchanged one', () => {
  const { topic, ids } = room();
  upsertMessage(topic, message('a', 1));
  let patches = -1;
  topic.subscribe(() => (patches += 1));
  upsertMessage(topic, message('a', 1));
  expect(patches).toBe(0);
  upsertMessage(topic, message('a', 1, 'edited'));
  expect(patches).toBe(1);
  expect(ids()).toEqual(['a']);
});

it('A room topic resets its window after 150 messages and reports more', () => {
  const { topic, ids } = room();
  for (let n = 0; n <= 150; n += 1) upsertMessage(topic, message(`m${String(n).padStart(3, '0')}`, n));
  expect(ids()).toHaveLength(50);
  expect(ids().at(-1)).toBe('m150');
  expect(topic.state().hasMore).toBe(true);
});
