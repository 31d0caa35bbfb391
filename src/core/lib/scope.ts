/**
 * Owns what must end together. What was added last ends first, one after the other; a failure or a timeout of
 * one does not keep the others from ending.
 */
import type { Clock, Log } from '../ports.ts';
import { atMost } from './at-most.ts';

export interface Scope {
  /**
   * Ends `dispose` with this scope. If it takes longer than `limitMs`, the scope goes on without it. A scope
   * that has ended already disposes at once.
   */
  add(name: string, dispose: () => unknown, limitMs?: number): void;
  /** A scope that ends before everything that this scope owned when the child was made; it may end earlier. */
  child(name: string, limitMs?: number): Scope;
  /** Never rejects. A repeated call waits for the first one. */
  dispose(): Promise<void>;
}

export interface ScopeDeps {
  readonly clock: Clock;
  readonly log: Log;
}

interface Owned {
  readonly name: string;
  readonly dispose: () => unknown;
  readonly limitMs: number | undefined;
}

export function createScope(deps: ScopeDeps): Scope {
  const owned: Owned[] = [];
  let ended: Promise<void> | null = null;

  const disposeAll = async (): Promise<void> => {
    for (let last = owned.pop(); last; last = owned.pop()) await disposeOne(deps, last);
  };
  const scope: Scope = {
    add(name, dispose, limitMs) {
      const entry = { name, dispose, limitMs };
      if (ended) void disposeOne(deps, entry);
      else owned.push(entry);
    },
    child(name, limitMs) {
      const child = createScope(deps);
      scope.add(name, child.dispose, limitMs);
      return child;
    },
    dispose() {
      ended ??= disposeAll();
      return ended;
    },
  };
  return scope;
}

async function disposeOne({ clock, log }: ScopeDeps, { name, dispose, limitMs }: Owned): Promise<void> {
  const work = (async () => {
    try {
      await dispose();
    } catch (error) {
      log.error('dispose_failed', { part: name, error });
    }
  })();
  if (limitMs === undefined) return work;
  if (!(await atMost(clock, limitMs, work))) log.warn('dispose_late', { part: name });
}
