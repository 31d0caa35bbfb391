import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Engine } from '../../core/workflows/engine/engine.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { createDriver, type Driver } from './driver.ts';
import { createRunSlots } from './run-slots.ts';

type Drive = Engine['drive'];
type Standing = Awaited<ReturnType<Drive>>;

const stands = (wakeAt: number | null): Standing => ok({ state: {} as never, status: 'waiting', wakeAt });

/** Runs that are due by a list, with scripted results of driving them. */
function world(
  drive: (run: string, signal: AbortSignal | undefined) => Promise<Standing>,
  waiting: RunRow[] = [],
  agentOf: (run: string) => string | null = () => null,
) {
  const clock = createVirtualClock();
  const due = new Set<string>();
  const driven: string[] = [];
  const slots = createRunSlots(() => driver.wake());
  const driver: Driver = createDriver({
    engine: {
      due: () => [...due],
      drive: (run, options) => {
        driven.push(run);
        due.delete(run);
        return drive(run, options?.signal);
      },
    },
    journal: { runs: () => waiting },
    clock,
    log: createRecordingLog(),
    slots: { ...slots, agentOf },
    events: { onStood: () => undefined, onLook: () => undefined },
  });
  return { clock, due, driven, driver, slots };
}

it('A waiting run is driven when due, and within half a minute after a clock change (F8, F23)', async () => {
  const { clock, due, driven, driver } = world(async () => stands(clock.now() + 3_600_000));
  due.add('a');
  driver.wake();
  await settle(4);
  expect(driven).toEqual(['a']);
  await clock.advance(3_500_000);
  expect(driven).toEqual(['a']);
  due.add('a');
  await clock.advance(100_001);
  expect(driven).toEqual(['a', 'a']);
  // After sleep or a clock change it is noticed within half a minute.
  due.add('a');
  await clock.advance(30_000);
  expect(driven).toEqual(['a', 'a', 'a']);
  await driver.stop();
});

it('A failing run is retried after a pause and does not delay other runs (F4)', async () => {
  const broken = ['damaged', 'full'];
  const { clock, due, driven, driver } = world(async (run) => {
    if (run === 'damaged') return err(textError('corrupt', 'damaged'));
    if (run === 'full') throw new StoreError('disk_full', 'full');
    return stands(null);
  });
  for (const run of [...broken, 'well']) due.add(run);
  driver.wake();
  await settle(4);
  for (const run of broken) due.add(run);
  await clock.advance(20_000);
  expect(driven.sort()).toEqual(['damaged', 'full', 'well']);
  await clock.advance(70_000);
  expect(driven.filter((run) => run === 'full')).toHaveLength(2);
  await driver.stop();
});

it('At most 16 runs work at once; stop ends them and starts no others (F25)', async () => {
  const at: string[] = [];
  const { due, driven, driver } = world(
    (run, signal) =>
      new Promise((resolve) => {
        at.push(run);
        signal?.addEventListener('abort', () => resolve(stands(null)), { once: true });
      }),
  );
  for (let run = 0; run < 20; run += 1) due.add(`run ${run}`);
  driver.wake();
  await settle(4);
  expect(at).toHaveLength(16);
  await driver.stop();
  driver.wake();
  await settle(4);
  expect(driven).toHaveLength(16);
});

it('One agent’s runs take at most four slots, so other runs are not delayed (T27)', async () => {
  const ends = new Map<string, () => void>();
  const { due, driven, driver } = world(
    (run) => new Promise((resolve) => ends.set(run, () => resolve(stands(null)))),
    [],
    (run) => (run.startsWith('guide') ? 'guide' : null),
  );
  for (let n = 0; n < 20; n += 1) due.add(`guide-${n}`);
  due.add('mine');
  driver.wake();
  await settle(4);
  expect(driven).toEqual(['guide-0', 'guide-1', 'guide-2', 'guide-3', 'mine']);
  ends.get('guide-1')?.();
  await settle(4);
  expect(driven.at(-1)).toBe('guide-4');
  for (const end of ends.values()) end();
  const stopped = driver.stop();
  for (const end of ends.values()) end();
  await stopped;
});

it('An unreadable journal is read again without a wake-up (F4)', async () => {
  let readable = false;
  const driven: string[] = [];
  const clock = createVirtualClock();
  const driver = createDriver({
    engine: {
      due() {
        if (!readable) throw new StoreError('io_error', 'gone for a moment');
        return driven.length === 0 ? ['a'] : [];
      },
      async drive(run) {
        driven.push(run);
        return stands(null);
      },
    },
    journal: { runs: () => [] },
    clock,
    log: createRecordingLog(),
    slots: { ...createRunSlots(() => undefined), agentOf: () => null },
    events: { onStood: () => undefined, onLook: () => undefined },
  });
  driver.wake();
  await settle(4);
  readable = true;
  await clock.advance(30_000);
  expect(driven).toEqual(['a']);
  await driver.stop();
});

it('A leaving driver starts no run and waits for the working ones without aborting them (F25)', async () => {
  let end = (): void => undefined;
  const signals: (AbortSignal | undefined)[] = [];
  const { due, driven, driver } = world((_run, signal) => {
    signals.push(signal);
    return new Promise((resolve) => {
      end = () => resolve(stands(null));
    });
  });
  due.add('a');
  driver.wake();
  await settle(4);
  let left = false;
  const leaving = driver.leave().then(() => {
    left = true;
  });
  due.add('b');
  driver.wake();
  await settle(4);
  expect({ driven, left, cut: signals[0]?.aborted }).toEqual({ driven: ['a'], left: false, cut: false });
  end();
  await leaving;
  expect(driven).toEqual(['a']);
});
