/**
 * Deadlines of requests to a server. They start again with each progress, and stand still while the operator
 * answers a question of the server.
 */
import type { Clock, Timer } from '../../core/ports.ts';

export interface CallDeadline {
  /** Starts again. */
  touch(): void;
  end(): void;
}

export interface CallDeadlines {
  start(ms: number, expired: () => void): CallDeadline;
  /** Stops all deadlines while `work` runs. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export function createCallDeadlines(clock: Pick<Clock, 'after'>): CallDeadlines {
  const running = new Set<{ run(): void; pause(): void }>();
  let held = 0;
  return {
    start(ms, expired) {
      let timer: Timer | null = null;
      const pause = (): void => {
        timer?.cancel();
        timer = null;
      };
      const run = (): void => {
        pause();
        if (held === 0) timer = clock.after(ms, expired, { unref: true });
      };
      const entry = { run, pause };
      running.add(entry);
      run();
      return {
        touch: () => {
          if (running.has(entry)) run();
        },
        end: () => {
          pause();
          running.delete(entry);
        },
      };
    },
    async hold(work) {
      held += 1;
      for (const each of running) each.pause();
      try {
        return await work();
      } finally {
        held -= 1;
        if (held === 0) for (const each of running) each.run();
      }
    },
  };
}
