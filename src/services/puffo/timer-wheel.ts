/**
 * One timer for many accounts: coarse alarms share buckets of a second, so a thousand idle accounts cost one
 * wake-up a second. It also detects that the machine slept: the wall clock or the tick itself jumped.
 */
import type { Clock, Timer } from '../../core/ports.ts';

export interface Wheel {
  /** Fires once, `ms` from now rounded up to the next bucket. */
  after(ms: number, run: () => void): Timer;
  /** Called once after each gap in time. */
  onWake(run: () => void): () => void;
  stop(): void;
}

interface Alarm {
  run: (() => void) | null;
}

const bucketMs = 1_000;
/** A tick this late, or a wall clock this far from the monotonic one, counts as sleep. */
const gapMs = 20_000;
/** ms between checks for a gap while nothing else is due. */
const lookMs = 5_000;

export function createWheel(clock: Clock): Wheel {
  const buckets = new Map<number, Alarm[]>();
  const wakers = new Set<() => void>();
  let timer: Timer | null = null;
  let armedFor = Number.POSITIVE_INFINITY;
  let lastWall = clock.now();
  let lastMonotonic = clock.monotonic();
  let stopped = false;

  const noticeGap = (): void => {
    const wall = clock.now();
    const monotonic = clock.monotonic();
    const late = Number.isFinite(armedFor) ? monotonic - armedFor * bucketMs : 0;
    const drift = Math.abs(wall - lastWall - (monotonic - lastMonotonic));
    lastWall = wall;
    lastMonotonic = monotonic;
    if (late > gapMs || drift > gapMs) for (const wake of [...wakers]) wake();
  };

  const arm = (): void => {
    if (stopped || (buckets.size === 0 && wakers.size === 0)) return;
    const lookAt = Math.ceil((clock.monotonic() + lookMs) / bucketMs);
    let next = wakers.size > 0 ? lookAt : Number.POSITIVE_INFINITY;
    for (const bucket of buckets.keys()) if (bucket < next) next = bucket;
    if (timer !== null && armedFor <= next) return;
    timer?.cancel();
    armedFor = next;
    timer = clock.after(Math.max(0, next * bucketMs - clock.monotonic()), turn, { unref: true });
  };

  const turn = (): void => {
    timer = null;
    noticeGap();
    armedFor = Number.POSITIVE_INFINITY;
    const now = clock.monotonic();
    const due = [...buckets.keys()].filter((bucket) => bucket * bucketMs <= now).sort((a, b) => a - b);
    const alarms = due.flatMap((bucket) => buckets.get(bucket) ?? []);
    for (const bucket of due) buckets.delete(bucket);
    for (const alarm of alarms) {
      const run = alarm.run;
      alarm.run = null;
      run?.();
    }
    arm();
  };

  return {
    after(ms, run) {
      const alarm: Alarm = { run };
      const bucket = Math.ceil((clock.monotonic() + ms) / bucketMs);
      const sharing = buckets.get(bucket);
      if (sharing) sharing.push(alarm);
      else buckets.set(bucket, [alarm]);
      arm();
      return {
        cancel: () => {
          alarm.run = null;
        },
      };
    },
    onWake(run) {
      wakers.add(run);
      arm();
      return () => wakers.delete(run);
    },
    stop() {
      stopped = true;
      timer?.cancel();
      buckets.clear();
      wakers.clear();
    },
  };
}
