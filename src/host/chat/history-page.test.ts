import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import type { HistoryQuery } from '../../core/puffo/account-store.ts';
import { historyPage } from './history-page.ts';

const said = (id: string, threadRootId: string | null = null) =>
  sampleMessage({ envelopeId: id, threadRootId });

/** m00 to m19, of which m05 and m15 reply to m02; another room contains x. */
const all = Array.from({ length: 20 }, (_, n) =>
  said(`m${String(n).padStart(2, '0')}`, n === 5 || n === 15 ? 'm02' : null),
);

const store = {
  message: (id: string) =>
    id === 'x'
      ? sampleMessage({ envelopeId: 'x', roomId: 'ch_2' })
      : (all.find((one) => one.envelopeId === id) ?? null),
  thread: (root: string, limit: number) =>
    all.filter((one) => one.envelopeId === root || one.threadRootId === root).slice(-limit),
  history: ({ before, after, limit }: HistoryQuery) => {
    const earlier = all.filter((one) => before === undefined || one.envelopeId < before);
    const later = all.filter((one) => after !== undefined && one.envelopeId > after);
    return after === undefined
      ? { messages: earlier.slice(-limit), hasMore: earlier.length > limit }
      : { messages: later.slice(0, limit), hasMore: later.length > limit };
  },
};

const page = (wanted: Partial<Parameters<typeof historyPage>[2]>) => {
  const cut = historyPage(store, 'ch_1', { limit: 4, ...wanted });
  return cut && [cut.messages.map((one) => one.envelopeId).join(' '), cut.hasMore, cut.hasLater];
};

describe('Page of a room', () => {
  it('is the newest one, or the one before or after a message', () => {
    expect(page({})).toEqual(['m16 m17 m18 m19', true, false]);
    expect(page({ before: 'm02' })).toEqual(['m00 m01', false, true]);
    expect(page({ after: 'm17' })).toEqual(['m18 m19', true, false]);
  });

  it('is centred on a message and reports whether more exist on both sides', () => {
    expect(page({ around: 'm10' })).toEqual(['m08 m09 m10 m11 m12', true, true]);
    expect(page({ around: 'm19' })).toEqual(['m17 m18 m19', true, false]);
    expect(page({ around: 'm00' })).toEqual(['m00 m01 m02', false, true]);
  });

  it('contains one thread with its root', () => {
    expect(page({ thread: 'm02' })).toEqual(['m02 m05 m15', false, false]);
  });

  it('is null for an unknown message or one of another room', () => {
    expect(page({ around: 'x' })).toBeNull();
    expect(page({ thread: 'x' })).toBeNull();
    expect(page({ around: 'nothing' })).toBeNull();
  });
});
