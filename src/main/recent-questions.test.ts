import { expect, it } from 'vitest';
import type { NotificationEvent } from './notification-events.ts';
import { createRecentQuestions } from './recent-questions.ts';

const asked = (id: string): NotificationEvent => ({
  kind: 'approvals',
  who: 'Guide',
  text: '',
  route: '',
  approval: { id, digest: '', whole: null },
});
const answered: NotificationEvent = { ...asked('m'), kind: 'finished', approval: null };
const ids = (found: readonly NotificationEvent[]) => found.map(({ approval }) => approval?.id);

it('A question joins those of a moment ago that still wait', () => {
  const recent = createRecentQuestions(1000);
  recent.add([asked('a'), answered], 0);
  recent.add([asked('b')], 500);
  recent.add([asked('c')], 600);
  recent.settled(['c']);
  expect(ids(recent.joinedBy([asked('d')], 900))).toEqual(['a', 'b']);
  expect(ids(recent.joinedBy([asked('d')], 1200))).toEqual(['b']);
  expect(ids(recent.joinedBy([asked('d')], 1600))).toEqual([]);
});

it('A reminder is reported once, and other events join nothing', () => {
  const recent = createRecentQuestions(1000);
  recent.add([asked('a')], 0);
  recent.add([asked('a'), asked('b')], 100);
  expect(ids(recent.joinedBy([asked('a')], 200))).toEqual(['b']);
  expect(ids(recent.joinedBy([answered], 200))).toEqual([]);
});
