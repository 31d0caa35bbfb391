import { describe, expect, it } from 'vitest';
import type { Announcement } from './notification-text.ts';
import { createNotifier, type SystemNotifications } from './notifier.ts';

interface Seen {
  readonly title: string;
  readonly buttons: readonly string[];
  isOpen: boolean;
  click(): void;
  press(index: number): void;
  vanish(isKept: boolean): void;
}

const noop = (): void => {};

/** A system with buttons, as macOS and Windows. */
function desktop(hasButtons = true) {
  const seen: Seen[] = [];
  const done: unknown[][] = [];
  const system: SystemNotifications = {
    isSupported: () => true,
    hasButtons,
    create({ title, buttons }) {
      const one: Seen = { title, buttons, isOpen: false, click: noop, press: noop, vanish: noop };
      seen.push(one);
      return {
        onClick: (run) => void Object.assign(one, { click: run }),
        onButton: (run) => void Object.assign(one, { press: run }),
        onClose: (run) => void Object.assign(one, { vanish: run }),
        show: () => void Object.assign(one, { isOpen: true }),
        close: () => void Object.assign(one, { isOpen: false }),
      };
    },
  };
  const notifier = createNotifier(system, {
    open: (...given) => void done.push(['open', ...given]),
    answer: ({ id, digest }, isYes) => void done.push(['answer', id, digest, isYes]),
  });
  return { notifier, seen, done };
}

const asks = (change: Partial<Announcement> = {}): Announcement => ({
  title: 'Guide needs your answer',
  body: '',
  route: '#/inbox/q1',
  answer: { id: 'q1', digest: 'd1', whole: 'all of it' },
  isWhole: true,
  questions: ['q1'],
  ...change,
});

describe('Notification buttons', () => {
  it('answer yes or no in place with the digest of the question', () => {
    const { notifier, seen, done } = desktop();
    notifier.ring(asks());
    expect(seen[0]?.buttons).toEqual(['Allow once', 'Deny']);
    seen[0]?.press(0);
    seen[0]?.press(1);
    seen[0]?.press(2);
    expect(done).toEqual([
      ['answer', 'q1', 'd1', true],
      ['answer', 'q1', 'd1', false],
    ]);
  });

  it.each([
    ['T8: no yes for a question that is not shown whole', { isWhole: false }, ['Deny']],
    [
      'reject for a gate',
      { isWhole: false, answer: { id: 'q', digest: 'd', whole: null, no: 'reject' } },
      ['Reject'],
    ],
    [
      'none if yes or no is no answer',
      { isWhole: false, answer: { id: 'q', digest: 'd', whole: null, no: 'none' } },
      [],
    ],
    ['none for several questions', { answer: null, isWhole: false, questions: ['q1', 'q2'] }, []],
  ] as [string, Partial<Announcement>, string[]][])('%s', (_what, change, expected) => {
    const { notifier, seen } = desktop();
    notifier.ring(asks(change));
    expect(seen[0]?.buttons).toEqual(expected);
  });

  it('are missing on Linux, where a click opens the question', () => {
    const { notifier, seen, done } = desktop(false);
    notifier.ring(asks());
    expect(seen[0]?.buttons).toEqual([]);
    seen[0]?.click();
    expect(done).toEqual([['open', '#/inbox/q1', 'q1']]);
  });
});

it('A notification of several questions closes when the last one is answered', () => {
  const { notifier, seen } = desktop();
  notifier.ring(asks({ answer: null, questions: ['q1', 'q2'] }));
  notifier.ring(asks({ answer: null, questions: [] }));
  notifier.settled(['q1']);
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  notifier.settled(['q2']);
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  notifier.clear();
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

it('A notification that timed out closes on clear, because the system still lists it', () => {
  const { notifier, seen } = desktop();
  notifier.ring(asks());
  notifier.ring(asks());
  seen[0]?.vanish(true);
  seen[1]?.vanish(false);
  notifier.clear();
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

it('The oldest of more than 50 notifications closes', () => {
  const { notifier, seen } = desktop();
  for (let count = 0; count < 51; count += 1) notifier.ring(asks());
  expect(seen.filter(({ isOpen }) => !isOpen)).toEqual([seen[0]]);
});
