import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createStartQueue } from './start-queue.ts';

const gib = 1024 ** 3;

function queue(bytes: number) {
  const clock = createVirtualClock();
  const memory = { bytes };
  const started: number[] = [];
  const mayStart = createStartQueue({ clock, availableBytes: () => memory.bytes });
  const start = (count: number): void => {
    for (let at = 0; at < count; at += 1) void mayStart().then(() => started.push(clock.monotonic()));
  };
  return { clock, memory, started, start };
}

describe('Start of many agent programs', () => {
  it('is at once while memory is free', async () => {
    const { clock, started, start } = queue(16 * gib);
    start(20);
    await clock.advance(0);
    expect(started).toHaveLength(20);
  });

  it('is staggered while the programs before it take their memory', async () => {
    const { clock, started, start } = queue(gib + 1);
    start(6);
    await clock.advance(0);
    expect(started).toHaveLength(2);
    await clock.advance(4_000);
    expect(started).toHaveLength(4);
    await clock.advance(4_000);
    expect(started).toHaveLength(6);
  });

  it('waits for memory, but not for ever', async () => {
    const { clock, memory, started, start } = queue(0);
    start(1);
    await clock.advance(20_000);
    expect(started).toHaveLength(0);
    memory.bytes = gib;
    await clock.advance(250);
    expect(started).toHaveLength(1);
    memory.bytes = 0;
    start(1);
    await clock.advance(31_000);
    expect(started).toHaveLength(2);
  });
});
