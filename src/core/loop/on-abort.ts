/**
 * Cheap abort listeners: a long-lived signal gets one real listener, and temporary watchers share it through
 * a set.
 */

const watchers = new WeakMap<AbortSignal, Set<() => void>>();

function watch(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  watchers.set(signal, all);
  signal.addEventListener(
    'abort',
    () => {
      const told = [...all];
      all.clear();
      for (const run of told) run();
    },
    { once: true },
  );
  return all;
}

/**
 * `run` is called once, in order of registration; never if the signal was already aborted. Returns a function
 * that removes it.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) return () => undefined;
  const all = watchers.get(signal) ?? watch(signal);
  all.add(run);
  return () => {
    all.delete(run);
  };
}
