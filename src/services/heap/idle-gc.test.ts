import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { startHeapRest } from './idle-gc.ts';

const MiB = 1024 * 1024;
const child = path.join(import.meta.dirname, '../../../test/children/idle-gc.ts');

function rig() {
  const clock = createVirtualClock();
  const state = { quiet: true, held: 40 * MiB, collections: 0, resident: 100 * MiB, releases: 0 };
  const stop = startHeapRest({
    clock,
    log: createRecordingLog(),
    isQuiet: () => state.quiet,
    memory: {
      heldBytes: () => state.held,
      residentBytes: () => state.resident,
      collect: () => {
        state.collections += 1;
        state.held = 45 * MiB;
      },
    },
    releaseNative: () => {
      state.releases += 1;
      state.resident = 100 * MiB;
    },
  });
  return { clock, state, stop };
}

describe('Memory while idle', () => {
  it('is released once after start, unless work is running', async () => {
    const { clock, state } = rig();
    await clock.advance(2_900);
    expect(state.collections).toBe(0);
    await clock.advance(600_000);
    expect(state.collections).toBe(1);
    const busy = rig();
    busy.state.quiet = false;
    await busy.clock.advance(600_000);
    expect(busy.state.collections).toBe(0);
  });

  it('is released once after a burst, when it has been quiet for a while', async () => {
    const { clock, state } = rig();
    await clock.advance(5_000);
    state.held = 200 * MiB;
    await clock.advance(20_000);
    expect(state.collections).toBe(1);
    await clock.advance(600_000);
    expect(state.collections).toBe(2);
  });

  it('is not collected during work, or if there is little to gain', async () => {
    const { clock, state } = rig();
    await clock.advance(600_000);
    expect(state.collections).toBe(1);
    state.held = 200 * MiB;
    state.quiet = false;
    await clock.advance(600_000);
    expect(state.collections).toBe(1);
  });

  it('that native code freed is released with a collection, and during work after a growth', async () => {
    const { clock, state } = rig();
    await clock.advance(5_000);
    expect(state.releases).toBe(1);
    state.quiet = false;
    state.resident = 120 * MiB;
    await clock.advance(60_000);
    expect(state.releases).toBe(1);
    state.resident = 130 * MiB;
    await clock.advance(60_000);
    expect(state).toMatchObject({ releases: 2, collections: 1 });
  });

  it('is returned to the system by the garbage collection', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [child]);
    const { before, after } = JSON.parse(stdout) as { before: number; after: number };
    expect(after).toBeLessThan(before * 0.8);
  });

  it('is not collected any more after a stop', async () => {
    const { clock, state, stop } = rig();
    state.held = 200 * MiB;
    stop();
    await clock.advance(600_000);
    expect(state.collections).toBe(0);
  });
});
