/**
 * Many callers, few requests: keys asked for while nothing runs are gathered for one turn of the event loop, and a key
 * that is being asked for already is waited for, unless the caller needs an answer begun after its question.
 */
import { breathe } from './pause.ts';

export interface Coalescer<T> {
  /** Resolves when a run that began after this call has dealt with `key`. */
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
