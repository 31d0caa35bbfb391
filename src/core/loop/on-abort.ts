/**
 * Cheap abort listeners: a signal that lives through thousands of turns gets one listener of its own, and those who
 * want to know for a while come and go in a set.
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

/** `run` is called once, in the order of registration; not at all when the signal has fired before. Returns the undo. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) return () => undefined;
  const all = watchers.get(signal) ?? watch(signal);
  all.add(run);
  return () => {
    all.delete(run);
  };
}
