import { describe, expect, it } from 'vitest';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import type { FeedEvent } from '../contract/patch.ts';
import { ok } from '../contract/result.ts';
import { followTopic } from './follow-topic.ts';

function setUp() {
  const sinks: FeedSink[] = [];
  let open = 0;
  const host: HostApi = {
    call: async () => ok({}),
    subscribe(_principal, _topic, sink) {
      sinks.push(sink);
      open += 1;
      return ok(() => {
        open -= 1;
      });
    },
  };
  const states: unknown[] = [];
  const stop = followTopic(host, 'agents', (state) => states.push(state));
  return { sinks, states, stop, open: () => open };
}

const patch = (revision: number, value: unknown): FeedEvent => ({
  type: 'patch',
  revision,
  ops: [{ op: 'set', path: ['a'], value }],
});

describe('Topic follower', () => {
  it('applies patches to the snapshot', () => {
    const { sinks, states } = setUp();
    sinks[0]?.({ type: 'snapshot', revision: 4, state: {} });
    sinks[0]?.(patch(5, 1));
    expect(states).toEqual([{}, { a: 1 }]);
  });

  it('subscribes again after a gap and skips states it cannot know', async () => {
    const { sinks, states, open } = setUp();
    sinks[0]?.({ type: 'snapshot', revision: 4, state: {} });
    sinks[0]?.(patch(6, 1));
    await Promise.resolve();
    expect(states).toEqual([{}]);
    expect(sinks).toHaveLength(2);
    expect(open()).toBe(1);
    sinks[1]?.({ type: 'snapshot', revision: 9, state: { a: 2 } });
    expect(states.at(-1)).toEqual({ a: 2 });
  });

  it('emits nothing after stop', () => {
    const { sinks, states, stop, open } = setUp();
    stop();
    sinks[0]?.({ type: 'snapshot', revision: 1, state: {} });
    expect(states).toEqual([]);
    expect(open()).toBe(0);
  });
});
