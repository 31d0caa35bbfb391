/**
 * A lifetime. Everything that starts registers how it stops; disposing runs children first, then cleanups in
 * reverse order, and goes on when one of them fails.
 */
export type Cleanup = () => void | Promise<void>;

export class Scope {
  readonly #cleanups: Cleanup[] = [];
  readonly #children = new Set<Scope>();
  readonly #controller = new AbortController();
  readonly #parent: Scope | null;
  #disposing: Promise<readonly unknown[]> | null = null;

  constructor(parent: Scope | null = null) {
    this.#parent = parent;
    if (parent) parent.#children.add(this);
  }

  /** Aborted as soon as disposal begins. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get disposed(): boolean {
    return this.#disposing !== null;
  }

  child(): Scope {
    return new Scope(this);
  }

  /** Runs at disposal; at once if the scope is already gone. */
  add(cleanup: Cleanup): void {
    if (this.#disposing) void cleanup();
    else this.#cleanups.push(cleanup);
  }

  /** Never rejects; resolves to the errors that cleanups threw. Idempotent. */
  dispose(): Promise<readonly unknown[]> {
    this.#disposing ??= this.#run();
    return this.#disposing;
  }

  async #run(): Promise<readonly unknown[]> {
    this.#controller.abort();
    if (this.#parent) this.#parent.#children.delete(this);
    const nested = await Promise.all([...this.#children].map((child) => child.dispose()));
    const errors: unknown[] = nested.flat();
    for (const cleanup of this.#cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}
