/**
 * Many callers, few requests: the keys requested within one turn of the event loop share a run. A key requested
 * while its run is under way gets another run, so that the result is never older than the request.
 */
import { setImmediate as breathe } from 'node:timers/promises';

export interface Coalescer<T> {
  /** Resolves after a run that started after this call has handled `key`. */
  ask(key: string): Promise<T>;
}

interface Group<T> {
  readonly keys: Set<string>;
  readonly done: Promise<T>;
}

export function createCoalescer<T>(run: (keys: readonly string[]) => Promise<T>): Coalescer<T> {
  let gathering: Group<T> | null = null;
  return {
    ask(key) {
      if (gathering === null) {
        const keys = new Set<string>();
        const done = breathe().then(() => {
          gathering = null;
          return run([...keys]);
        });
        gathering = { keys, done };
      }
      gathering.keys.add(key);
      return gathering.done;
    },
  };
}
