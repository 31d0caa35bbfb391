import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChannelId, dmSlug, isChannelId, isRoomId, isSlug, isSpaceId } from '../../contract/room-id.ts';
import {
  conversationIn,
  fromOldKey,
  readConversation,
  readThreadKey,
  type Thread,
  threadKey,
  threadKeyOf,
} from './thread-key.ts';

const idText = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const slug = fc.stringMatching(/^[a-z0-9_][\w.@-]{0,20}$/);
const root = fc.option(idText);
const threads: fc.Arbitrary<Thread> = fc.oneof(
  fc.record({
    kind: fc.constant('dm' as const),
    slug,
    conversationId: fc.option(fc.stringMatching(/^cv_[A-Za-z0-9]{8,20}$/)),
    rootId: root,
  }),
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: idText.map((text): ChannelId => `ch_${text}`),
    rootId: root,
  }),
  fc.record({ kind: fc.constant('task' as const), task: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.record({ kind: fc.constant('run' as const), run: idText }),
  fc.record({ kind: fc.constant('program' as const), session: fc.string() }),
);

describe('Thread keys', () => {
  it('T6: are unique per thread for any ids, and parse back to the thread', () => {
    fc.assert(
      fc.property(threads, threads, (a, b) => {
        expect(readThreadKey(threadKey(a))).toEqual(a);
        expect(threadKey(a) === threadKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { seed: 60_606, numRuns: 2_000 },
    );
  });

  it('are one per direct message partner, and one per thread root in a channel', () => {
    expect(threadKeyOf('dm:bob-0001', 'msg_1')).toBe('dm|bob-0001');
    expect(threadKeyOf('ch_1', 'msg_1')).toBe('ch|ch_1|msg_1');
    expect(threadKey(conversationIn('dm:bob-0001', 'msg_1'))).toBe('dm|bob-0001|msg_1');
    expect(readConversation('task|7')).toBeNull();
  });

  it('T6: keep the key of the main conversation, and add a separator that no id holds for further ones', () => {
    expect(threadKeyOf('dm:bob-0001~cv_0123456789', 'msg_1')).toBe('dm|bob-0001~cv_0123456789');
    expect(isSlug('bob~cv_0123456789')).toBe(false);
    expect(isRoomId('dm:bob-0001~cv_0123456789')).toBe(true);
    for (const room of ['dm:bob~', 'dm:bob~x', 'dm:bob~cv_01234567~cv_01234567', 'dm:~cv_01234567'])
      expect(isRoomId(room)).toBe(false);
  });

  it.each([
    'dm|',
    'dm|a|b|c',
    'dm|a/b',
    'dm|a~b',
    'dm|a~cv_01234567~cv_01234567',
    'ch|x|m',
    'ch|ch_1|',
    'ch|ch_1|m|n',
    'task|0',
    'task|7|m',
    'mcp',
    'run|a b',
    '',
  ])('refuse %j', (key) => expect(readThreadKey(key)).toBeNull());

  it.each([
    ['dm:bob-0001', 'dm|bob-0001'],
    ['dm:bob-0001/msg_1', 'dm|bob-0001|msg_1'],
    ['ch_1/msg_1', 'ch|ch_1|msg_1'],
    ['ch_1', 'ch|ch_1'],
    ['ch|ch_1|msg_1', 'ch|ch_1|msg_1'],
    ['task-7', 'task-7'],
  ])('convert the old key %j to %j', (old, now) => expect(fromOldKey(old)).toBe(now));
});

describe('Room ids (T6)', () => {
  const hostile = [
    'dm:bob-0001',
    'ch_',
    'ch_a|b',
    'ch_a:b',
    'ch_a/b',
    'ch_a b',
    'ch_a\nb',
    'ch_ä',
    `ch_${'x'.repeat(129)}`,
  ];
  it.each([...hostile, '', 'sp_1', 'constructor', 7, null])('refuse %j as a channel id', (id) =>
    expect(isChannelId(id)).toBe(false),
  );

  it('accept protocol UUIDs and short ids of other servers', () => {
    for (const tail of ['22222222-2222-4222-8222-222222222222', '1', 'general', '01J9Z3K5W8']) {
      expect([isChannelId(`ch_${tail}`), isSpaceId(`sp_${tail}`), isRoomId(`ch_${tail}`)]).toEqual([
        true,
        true,
        true,
      ]);
    }
    expect([dmSlug('dm:alice-a62c'), dmSlug('dm:'), dmSlug('dm:a|b'), dmSlug('ch_1')]).toEqual([
      'alice-a62c',
      null,
      null,
      null,
    ]);
    expect(['alice-a62c', 'a', 'x.y@z'].every(isSlug)).toBe(true);
    expect(['', '.a', 'a/b', 'a b', 'a|b', 'a:b', '../x'].some(isSlug)).toBe(false);
  });
});
