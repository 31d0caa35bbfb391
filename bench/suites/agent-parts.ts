/**
 * Heap that the parts of an idle agent take, which a host keeps once for each agent (performance goal P9). Counted
 * in bytes after a collection, so the load of the machine does not matter.
 */
import { createTurnQueue } from '../../src/core/supervisor/turn-queue.ts';
import { AgentBrakes } from '../../src/host/fleet/brakes.ts';
import { createSenderLimits } from '../../src/host/fleet/sender-limits.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../test/fakes/virtual-clock.ts';
import { report } from '../lib/measure.ts';

const count = 5_000;

function bytesOf(make: () => object): number {
  // Compiles the functions before they are counted.
  for (let n = 0; n < 50; n += 1) make();
  const kept: object[] = new Array(count);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < count; n += 1) kept[n] = make();
  globalThis.gc?.();
  return Math.round((process.memoryUsage().heapUsed - before) / kept.length);
}

const clock = createVirtualClock();
const file = {
  path: '/nowhere/messages.db',
  slug: 'idle',
  key: new Uint8Array(32),
  clock,
  log: createRecordingLog(),
};
const store = { getValue: () => null, setValue: () => undefined } as never;

const figures = {
  accountStore: bytesOf(() => openAccountStore(file)),
  turnQueue: bytesOf(() => createTurnQueue()),
  senderLimits: bytesOf(() =>
    createSenderLimits({ store, now: () => 0, isOwn: () => false, limit: () => 1 }),
  ),
  brakes: bytesOf(
    () =>
      new AgentBrakes({
        agentId: 'idle',
        store,
        isAgent: () => false,
        onChanged: () => undefined,
        limit: () => 1,
      }),
  ),
};
const bytes = Object.values(figures).reduce((sum, one) => sum + one, 0);

report([
  {
    name: 'heap of account store, queue, limits and brakes of an idle agent, bytes / 1,400',
    ratio: bytes / 1_400,
    goal: 1,
    better: 'lower',
    figures: { bytes, ...figures },
  },
]);
