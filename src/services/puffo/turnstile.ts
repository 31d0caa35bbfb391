/** Limits how many run at the same time, in order of arrival. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurnstile(room: number): Turnstile {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work) {
      if (inside >= room) await new Promise<void>((resolve) => waiting.push(resolve));
      else inside += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
