/**
 * Runs `work` once for all callers that ask while it is in progress. A later call runs it again, so a failure is
 * not kept.
 */
export class SharedRun<T> {
  #running: Promise<T> | null = null;

  /** The run in progress, or `null`. */
  get running(): Promise<T> | null {
    return this.#running;
  }

  run(work: () => Promise<T>): Promise<T> {
    this.#running ??= work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}

/** Loads a value with the first call and keeps it; a failure is not kept, so the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}
