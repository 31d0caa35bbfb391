import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import type { Clock } from '../../core/ports.ts';
import { createFeedTopic } from './feed.ts';

function manualClock(): Clock & { fire(): void } {
  let pending: (() => void)[] = [];
  return {
    now: () => 0,
    monotonic: () => 0,
    after(_ms, run) {
      pending.push(run);
      return { cancel: () => (pending = pending.filter((entry) => entry !== run)) };
    },
    fire() {
      const due = pending;
      pending = [];
      for (const run of due) run();
    },
  };
}

/** The state of a client that applies every event. */
function replica<S>() {
  const held: { state: S | undefined; revision: number; events: FeedEvent[] } = {
    state: undefined,
    revision: -1,
    events: [],
  };
  const sink = (event: FeedEvent): void => {
    held.events.push(event);
    if (event.type === 'snapshot') Object.assign(held, { state: event.state, revision: event.revision });
    if (event.type === 'patch') {
      expect(event.revision).toBe(held.revision + 1);
      Object.assign(held, { state: applyPatch(held.state, event.ops), revision: event.revision });
    }
  };
  return { held, sink };
}

describe('Feed topic', () => {
  it('batches streamed text into one patch and keeps the patch order', () => {
    const clock = manualClock();
    const topic = createFeedTopic({ clock, initial: { text: '', done: false } });
    const { held, sink } = replica<{ text: string; done: boolean }>();
    topic.subscribe(sink);
    for (const word of ['a', 'b', 'c']) topic.append(['text'], word);
    expect(held.events).toHaveLength(1);
    clock.fire();
    expect(held.events).toHaveLength(2);
    topic.append(['text'], 'd');
    topic.patch([{ op: 'set', path: ['done'], value: true }]);
    expect(held.state).toEqual({ text: 'abcd', done: true });
    expect(held.events).toHaveLength(3);
  });

  it('gives a late subscriber the full state and later patches', () => {
    const clock = manualClock();
    const topic = createFeedTopic({ clock, initial: { n: 0 } });
    topic.patch([{ op: 'set', path: ['n'], value: 1 }]);
    topic.append(['s'], 'x');
    const { held, sink } = replica<{ n: number; s: string }>();
    topic.subscribe(sink);
    expect(held.state).toEqual({ n: 1, s: 'x' });
    topic.patch([{ op: 'set', path: ['n'], value: 2 }]);
    expect(held.state).toEqual({ n: 2, s: 'x' });
  });

  it('reports the loss of its last subscriber and ends subscriptions', () => {
    let idle = 0;
    const topic = createFeedTopic({ clock: manualClock(), initial: {}, onIdle: () => (idle += 1) });
    const stop = topic.subscribe(() => {});
    stop();
    stop();
    expect(idle).toBe(1);
    const { held, sink } = replica();
    topic.subscribe(sink);
    topic.end();
    topic.patch([{ op: 'set', path: ['n'], value: 2 }]);
    expect(held.events.map((event) => event.type)).toEqual(['snapshot', 'end']);
  });
});
