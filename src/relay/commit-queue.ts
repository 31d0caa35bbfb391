/**
 * Group commit: writes that arrive while requests keep coming share one transaction, so a burst needs few
 * disk syncs. A promise settles only after that commit; refused work leaves no trace and does not affect the
 * rest of the group.
 */
import type { Result } from '../contract/result.ts';
import type { Clock, Timer } from '../core/ports.ts';
import type { Refusal } from './refusal.ts';
import type { RelayStore } from './store-port.ts';

interface Entry {
  /** Runs inside the transaction; never throws. */
  readonly work: () => void;
  /** Runs after the commit, or with the error if it failed. */
  readonly settle: (error: unknown) => void;
}

type Outcome<T> =
  | { readonly type: 'value'; readonly value: T }
  | { readonly type: 'thrown'; readonly error: unknown };

/** Maximum turns of the event loop that a group gathers for. */
const maxRounds = 16;

export class CommitQueue {
  readonly #store: Pick<RelayStore, 'transaction' | 'attempt'>;
  readonly #clock: Clock;
  readonly #lazyMs: number;
  #entries: Entry[] = [];
  #scheduled = false;
  #timer: Timer | null = null;

  /** `lazyMs` is how long writes without a waiting caller may gather. */
  constructor(store: Pick<RelayStore, 'transaction' | 'attempt'>, clock: Clock, lazyMs = 200) {
    this.#store = store;
    this.#clock = clock;
    this.#lazyMs = lazyMs;
  }

  /** Resolves after the commit. A refusal rolls back this work alone. Rejects if the store fails. */
  run<T>(work: () => Result<T, Refusal>): Promise<Result<T, Refusal>> {
    return new Promise((resolve, reject) => {
      let outcome: Outcome<Result<T, Refusal>> | null = null;
      this.#entries.push({
        work: () => {
          outcome = this.#attempt(work);
        },
        settle: (error) => {
          if (outcome === null || error !== null) reject(error);
          else if (outcome.type === 'thrown') reject(outcome.error);
          else resolve(outcome.value);
        },
      });
      this.#soon();
    });
  }

  /** Written with the next group, at the latest after `lazyMs`; no caller waits for it. */
  later(work: () => void, committed: () => void = () => {}): void {
    this.#entries.push({
      work,
      settle: (error) => {
        if (error === null) committed();
      },
    });
    if (!this.#scheduled) {
      this.#timer ??= this.#clock.after(this.#lazyMs, () => this.flush(), { unref: true });
    }
  }

  flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#scheduled = false;
    const group = this.#entries;
    if (group.length === 0) return;
    this.#entries = [];
    let failure: unknown = null;
    try {
      this.#store.transaction(() => {
        for (const entry of group) entry.work();
      });
    } catch (error) {
      failure = error;
    }
    for (const entry of group) entry.settle(failure);
  }

  #attempt<T>(work: () => Result<T, Refusal>): Outcome<Result<T, Refusal>> {
    try {
      return { type: 'value', value: this.#store.attempt(work, (result) => result.ok) };
    } catch (error) {
      return { type: 'thrown', error };
    }
  }

  #soon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#gather(0, 0);
  }

  /** Waits as long as every turn of the event loop brings more work, then commits. */
  #gather(rounds: number, before: number): void {
    setImmediate(() => {
      const size = this.#entries.length;
      if (size === before || rounds >= maxRounds) this.flush();
      else this.#gather(rounds + 1, size);
    });
  }
}
