/**
 * Bounds V8's heap while the host works. Under load V8 doubles the young generation up to 128 MiB, and lets the
 * old one grow to several times what is in use. Its limits are fixed before the program starts; the growth factors
 * are not. See docs/adr/0055-a-bounded-heap.md.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Above this size the young generation does not grow. */
const mostYoungBytes = 8 * 1024 * 1024;
/** Growth of the old generation since its last collection that starts the next one. */
const oldGrowthPercent = 50;

/** Replaced in tests. */
export interface Heap {
  youngBytes(): number;
  setFlag(flag: string): void;
  /** Calls `listener` after collections; returns a function that ends that. */
  onCollected(listener: () => void): () => void;
}

const ofThisThread: Heap = {
  youngBytes: () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')?.space_size ?? 0,
  setFlag: setFlagsFromString,
  onCollected(listener) {
    const observer = new PerformanceObserver(listener);
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

/** Returns a function that ends the limits. */
export function limitHeap(heap: Heap = ofThisThread): () => void {
  let isFull = false;
  const setFull = (full: boolean): void => {
    if (full === isFull) return;
    isFull = full;
    heap.setFlag(`--semi-space-growth-factor=${full ? 1 : 2}`);
  };
  heap.setFlag(`--heap-growing-percent=${oldGrowthPercent}`);
  const stop = heap.onCollected(() => setFull(heap.youngBytes() >= mostYoungBytes));
  return () => {
    stop();
    setFull(false);
    heap.setFlag('--heap-growing-percent=0');
  };
}
