/** Publishes the progress of the demo set-up on the feed, step by step. */
import { ok, type Result } from '../../src/contract/result.ts';
import { demoAgents, demoRooms, hostView, room } from './fake-data.ts';
import type { FakeFeed } from './fake-feed.ts';

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** `greet` publishes the first message, a moment later. */
export async function tryDemo(feed: FakeFeed, greet: () => void): Promise<Result<unknown>> {
  const later = hostView();
  const steps: (() => void)[] = [
    () => feed.patch('host', { op: 'set', path: ['relay'], value: later.relay }),
    () => feed.patch('host', { op: 'set', path: ['operator'], value: later.operator }),
    () => feed.put('rooms', demoRooms()),
    () => feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_general'], value: room('ch_general') }),
    () =>
      feed.patch(
        'agents',
        ...Object.entries(demoAgents()).map(([id, value]) => ({ op: 'set' as const, path: [id], value })),
      ),
    () =>
      feed.patch(
        'host',
        { op: 'set', path: ['firstRun'], value: false },
        { op: 'set', path: ['vault'], value: later.vault },
        { op: 'set', path: ['demo'], value: true },
      ),
  ];
  for (const step of steps) {
    await pause(120);
    step();
  }
  setTimeout(greet, 300);
  return ok({ operator: 'you-3f9a', spaceId: 'sp_demo', channelId: 'ch_general' });
}
