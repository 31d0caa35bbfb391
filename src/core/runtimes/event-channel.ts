/**
 * Connects a loop that pushes events to a generator that reads them: in order, without loss, with a single
 * end.
 */

export interface EventChannel<T> {
  push(event: T): void;
  /** Ignores later events; pushed ones can still be read. An error is thrown to the reader. */
  close(error?: unknown): void;
  read(): AsyncGenerator<T>;
}

/** Yields what `work` pushes until it ends; `leave` is called then, or when the reader stops early. */
export async function* readWhile<T>(
  channel: EventChannel<T>,
  work: Promise<void>,
  leave: () => void,
): AsyncGenerator<T> {
  work.then(
    () => channel.close(),
    (error: unknown) => channel.close(error),
  );
  try {
    yield* channel.read();
  } finally {
    leave();
  }
}

export function createEventChannel<T>(): EventChannel<T> {
  let queue: T[] = [];
  let closed = false;
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;
  const rouse = (): void => {
    wake?.();
    wake = null;
  };
  return {
    push(event) {
      if (closed) return;
      queue.push(event);
      rouse();
    },
    close(error) {
      if (closed) return;
      closed = true;
      if (error !== undefined) failure = { error };
      rouse();
    },
    async *read() {
      for (;;) {
        const ready = queue;
        queue = [];
        yield* ready;
        if (queue.length > 0) continue;
        if (closed) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure) throw failure.error;
    },
  };
}
