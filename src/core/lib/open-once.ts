import { ok, type Result } from '../../contract/result.ts';
import { SharedRun } from './shared-run.ts';
import { orStoreError } from './store-error.ts';

/**
 * A part of the host that is opened by the first caller and then kept. Callers share the attempt in progress; a
 * failure is not kept, so the next call tries again.
 */
export class OpenOnce<T> {
  readonly #attempt = new SharedRun<Result<T>>();
  readonly #onOpened: (value: T) => void;
  #value: T | null = null;

  /** `onOpened` is called as soon as the value is set. */
  constructor(onOpened: (value: T) => void = () => {}) {
    this.#onOpened = onOpened;
  }

  /** `null` until it is open, and after `clear`. */
  get value(): T | null {
    return this.#value;
  }

  /** Returns the open value, or opens it; a `StoreError` of `open` becomes the error of the result. */
  async open(open: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#value !== null) return ok(this.#value);
    return this.#attempt.run(async () => {
      const opened = await orStoreError(open);
      if (!opened.ok) return opened;
      this.#value = opened.value;
      this.#onOpened(opened.value);
      return opened;
    });
  }

  /** Resolves when no attempt is in progress. */
  async settled(): Promise<void> {
    await this.#attempt.running;
  }

  /** Returns the value to its last user, who closes it; the next call opens it again. */
  clear(): T | null {
    const value = this.#value;
    this.#value = null;
    return value;
  }
}
