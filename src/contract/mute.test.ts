import { describe, expect, it } from 'vitest';
import { countUnread } from './count-unread.ts';
import { countsDespite, isMuted, type Mutes } from './mute.ts';

const self = 'you-3f9a';
const said = (text: string, threadRootId: string | null = null) => ({
  roomId: 'ch_1',
  id: 'm1',
  threadRootId,
  text,
});
const counts = (mutes: Mutes, text: string, root: string | null = null): boolean =>
  countsDespite(mutes, said(text, root), self, 100);

describe('A muted room', () => {
  it('counts only mentions, or nothing if they are muted too', () => {
    const withMentions = { ch_1: { until: null, mentions: true } };
    expect([counts(withMentions, 'hello'), counts(withMentions, `@${self} hello`)]).toEqual([false, true]);
    expect(counts({ ch_1: { until: null, mentions: false } }, `@${self} hello`)).toBe(false);
  });

  it('counts everything once its time is over', () => {
    const mutes = { ch_1: { until: 100, mentions: false } };
    expect(counts(mutes, 'hello')).toBe(true);
    expect([isMuted(mutes, 'ch_1', 99), isMuted(mutes, 'ch_1', 100)]).toEqual([true, false]);
  });

  it('or thread leaves the others alone', () => {
    const mutes = { root: { until: null, mentions: true }, ch_2: { until: null, mentions: true } };
    expect([counts(mutes, 'a'), counts(mutes, 'a', 'root'), counts(mutes, `@${self}`, 'root')]).toEqual([
      true,
      false,
      true,
    ]);
    // The stricter of two counts.
    expect(counts({ ...mutes, ch_1: { until: null, mentions: false } }, `@${self}`, 'root')).toBe(false);
  });
});

it('A badge shows the counted messages, or all unread ones of a room without mutes', () => {
  expect(countUnread({ counted: { ch_1: 0 } }, { id: 'ch_1', unread: 3 })).toBe(0);
  expect(countUnread({ counted: {} }, { id: 'ch_1', unread: 3 })).toBe(3);
});
