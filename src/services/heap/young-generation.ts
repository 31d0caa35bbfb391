/**
 * Bounds V8's young generation. Under load V8 doubles it up to 128 MiB and keeps it until the host is idle,
 * which saves little time. Its maximum is fixed before the program starts; the growth factor is not.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Above this size it does not grow. */
const mostBytes = 8 * 1024 * 1024;

/** Replaced in tests. */
export interface YoungGeneration {
  bytes(): number;
  setGrowth(factor: number): void;
  /** Calls `listener` after collections; returns a function that ends that. */
  onCollected(listener: () => void): () => void;
}

const ofThisThread: YoungGeneration = {
  bytes: () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')?.space_size ?? 0,
  setGrowth: (factor) => setFlagsFromString(`--semi-space-growth-factor=${factor}`),
  onCollected(listener) {
    const observer = new PerformanceObserver(listener);
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

/** Returns a function that ends the limit. */
export function limitYoungGeneration(young: YoungGeneration = ofThisThread): () => void {
  let isFull = false;
  const set = (full: boolean): void => {
    if (full === isFull) return;
    isFull = full;
    young.setGrowth(full ? 1 : 2);
  };
  const stop = young.onCollected(() => set(young.bytes() >= mostBytes));
  return () => {
    stop();
    set(false);
  };
}
