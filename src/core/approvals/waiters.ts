/**
 * Calls that wait for an answer. A cancelled call is removed; an answer resolves all calls that wait for it.
 */

export class Waiters<T> {
  readonly #waiting = new Map<string, Set<(value: T) => void>>();

  /** `null` if the signal ends the wait first; `onLeft` is called when no call waits for `id` any more. */
  wait(id: string, signal: AbortSignal, onLeft: () => void): Promise<T | null> {
    return new Promise((resolve) => {
      const mine = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, mine);
      const leave = (): void => {
        if (!mine.delete(answer)) return;
        if (mine.size === 0 && this.#waiting.get(id) === mine) {
          this.#waiting.delete(id);
          onLeft();
        }
        resolve(null);
      };
      const answer = (value: T): void => {
        signal.removeEventListener('abort', leave);
        resolve(value);
      };
      mine.add(answer);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    });
  }

  answer(id: string, value: T): void {
    const mine = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const tell of mine ?? []) tell(value);
    mine?.clear();
  }
}
