import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import type { LogsView } from '../../contract/work-methods.ts';
import type { LogSource, WrittenLine } from '../../services/log/log-source.ts';
import { createLogs } from './logs.ts';

const record = (n: number): string => JSON.stringify({ level: 'info', time: n, event: `e${n}` });

function rig() {
  const clock = createVirtualClock();
  const listeners = new Set<(line: WrittenLine) => void>();
  const source: LogSource = {
    push: () => undefined,
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: () => ({
      lines: [{ id: '1:0', at: 0, level: 'info', event: 'old', agent: '', rest: '' }],
      next: null,
      readTo: 0,
    }),
  };
  const logs = createLogs(clock, source);
  let state: LogsView = { batches: {} };
  const sink = (event: FeedEvent): void => {
    if (event.type === 'snapshot') state = event.state as LogsView;
    if (event.type === 'patch') state = applyPatch(state, event.ops);
  };
  const write = (from: number, count: number): void => {
    for (let n = from; n < from + count; n += 1)
      for (const listener of listeners) listener({ id: `1:${n}`, text: record(n) });
  };
  return { clock, logs, listeners, sink, write, lines: () => Object.values(state.batches).flat() };
}

it('The log topic sends earlier and new lines in batches and listens only while followed', async () => {
  const { clock, logs, listeners, sink, write, lines } = rig();
  expect(listeners.size).toBe(0);
  const leave = logs.follow(sink);
  write(1, 3);
  expect(lines().map(({ event }) => event)).toEqual(['old']);
  await clock.advance(60);
  expect(lines().map(({ event }) => event)).toEqual(['old', 'e1', 'e2', 'e3']);
  leave();
  expect(listeners.size).toBe(0);
});

it('The log topic keeps a few thousand lines and reports how many it skipped', async () => {
  const { clock, logs, sink, write, lines } = rig();
  logs.follow(sink);
  for (let burst = 0; burst < 30; burst += 1) {
    write(burst * 500, 500);
    await clock.advance(60);
  }
  expect(lines().length).toBeLessThanOrEqual(4_500);
  expect(lines().at(-1)?.event).toBe('e14999');
  write(100_000, 12_000);
  await clock.advance(60);
  const skipped = lines().find(({ event }) => event === 'lines_skipped');
  const kept = lines().filter(({ event }) => Number(event.slice(1)) >= 100_000).length;
  expect(Number(skipped?.rest.match(/\d+/)?.[0]) + kept).toBe(12_000);
  logs.stop();
});
