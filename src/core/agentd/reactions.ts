/**
 * Turns of one agent about changed content: one at a time, after a pause without changes, with the newest content
 * of each address. What a turn has handled is stored after the turn, so a change is handled at least once, also
 * after a crash.
 */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { backoffMs } from '../lib/backoff.ts';
import type { ResourceChange } from '../mcp/change-prompt.ts';
import type { Observed } from '../mcp/observed-content.ts';
import type { Clock, Random, Timer } from '../ports.ts';

/** The content that was handled last, by address. */
export type Cursor = Readonly<Record<string, Observed>>;

export interface CursorStore {
  read(): Cursor;
  /** Durable when it returns. */
  write(cursor: Cursor): Result<void>;
}

export interface ReactionDeps {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly store: CursorStore;
  readonly debounceMs: number;
  turn(changes: readonly ResourceChange[], signal: AbortSignal): Promise<Result<void>>;
  /** A turn or a write failed. `givenUp`: the change counts as handled. */
  onFailure(error: AppError, givenUp: boolean): void;
}

const retry = { firstMs: 2_000, maxMs: 300_000 };
const mostAttempts = 8;

export class Reactions {
  readonly #deps: ReactionDeps;
  readonly #ending = new AbortController();
  #handled: Readonly<Record<string, Observed>>;
  #pending: ReadonlyMap<string, Observed> = new Map();
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #attempts = 0;

  constructor(deps: ReactionDeps) {
    this.#deps = deps;
    this.#handled = deps.store.read();
  }

  /** Content that is seen for the first time is only remembered. */
  observe(uri: string, content: Observed): void {
    if (this.#ending.signal.aborted) return;
    const handled = this.#handled[uri];
    if (!handled) {
      this.#keep([[uri, content]]);
      return;
    }
    const others = [...this.#pending].filter(([each]) => each !== uri);
    if (this.#pending.get(uri)?.digest === content.digest) return;
    // Changed back before a turn saw it.
    if (handled.digest === content.digest) this.#pending = new Map(others);
    else {
      this.#pending = new Map([...others, [uri, content]]);
      this.#wait(this.#deps.debounceMs);
    }
  }

  /** Forgets addresses that are no longer watched. */
  keepOnly(uris: readonly string[]): void {
    const kept = Object.entries(this.#handled).filter(([uri]) => uris.includes(uri));
    if (kept.length === Object.keys(this.#handled).length) return;
    this.#handled = Object.fromEntries(kept);
    this.#save();
  }

  /** Aborts a running turn, whose change stays open for the next start. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#timer?.cancel();
    await this.#running;
  }

  #wait(ms: number): void {
    if (this.#running || this.#ending.signal.aborted) return;
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.after(ms, () => {
      this.#timer = null;
      this.#running = this.#run().finally(() => {
        this.#running = null;
        if (this.#pending.size > 0) this.#wait(this.#delay());
      });
    });
  }

  #delay(): number {
    const { random, debounceMs } = this.#deps;
    return this.#attempts === 0 ? debounceMs : backoffMs(retry, this.#attempts - 1, random.fraction());
  }

  async #run(): Promise<void> {
    const taken = [...this.#pending];
    if (taken.length === 0) return;
    const changes = taken.map(([uri, { text }]) => ({
      uri,
      before: this.#handled[uri]?.text ?? null,
      after: text,
    }));
    const { signal } = this.#ending;
    const done = await this.#deps.turn(changes, signal);
    if (signal.aborted && !done.ok) return;
    this.#attempts = done.ok ? 0 : this.#attempts + 1;
    const isGivenUp = !done.ok && this.#attempts >= mostAttempts;
    if (!done.ok) this.#deps.onFailure(done.error, isGivenUp);
    if (!done.ok && !isGivenUp) return;
    this.#attempts = 0;
    this.#keep(taken);
    // Newer content of the same address stays pending, unless it is what was handled.
    this.#pending = new Map(
      [...this.#pending].filter(([uri, { digest }]) => this.#handled[uri]?.digest !== digest),
    );
  }

  #keep(contents: readonly (readonly [string, Observed])[]): void {
    this.#handled = { ...this.#handled, ...Object.fromEntries(contents) };
    this.#save();
  }

  #save(): void {
    const saved = this.#deps.store.write(this.#handled);
    if (!saved.ok) this.#deps.onFailure(saved.error, false);
  }
}
