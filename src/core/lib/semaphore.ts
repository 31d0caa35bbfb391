/** Limits how many run at the same time; the rest waits in order of arrival. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(slots: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= slots) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
