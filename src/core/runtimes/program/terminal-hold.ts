/** Keeps the turns of an agent from its program while a person uses the program's session in a terminal. */

export class TerminalHold {
  #turns = 0;
  #holder: string | null = null;
  /** Turns that wait. */
  readonly #waiting = new Set<() => void>();
  /** End the idle processes of the agent's runtimes: a task has one of its own. */
  readonly #endIdle = new Set<() => Promise<void>>();

  /** A terminal has the session or waits for it. */
  get isHeld(): boolean {
    return this.#holder !== null;
  }

  /** `endIdle` ends the idle processes of a runtime; a repeated call with the same one adds nothing. */
  use(endIdle: () => Promise<void>): void {
    this.#endIdle.add(endIdle);
  }

  forget(endIdle: () => Promise<void>): void {
    this.#endIdle.delete(endIdle);
  }

  /** Resolves when no terminal has the session, or on abort. */
  async whenFree(signal: AbortSignal): Promise<void> {
    while (this.#holder !== null && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
  }

  turnBegan(): void {
    this.#turns += 1;
  }

  turnEnded(): void {
    this.#turns -= 1;
  }

  /**
   * New turns wait from now on. `busy` while a turn is open: call it again. `other` if another terminal has the
   * session.
   */
  async take(holder: string): Promise<'taken' | 'busy' | 'other'> {
    if (this.#holder !== null && this.#holder !== holder) return 'other';
    this.#holder = holder;
    if (this.#turns > 0) return 'busy';
    await Promise.all([...this.#endIdle].map((endIdle) => endIdle()));
    return 'taken';
  }

  release(holder: string): void {
    if (this.#holder !== holder) return;
    this.#holder = null;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
