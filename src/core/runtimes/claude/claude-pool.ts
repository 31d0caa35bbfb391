/**
 * The Claude Code processes of one agent: one per thread that has an open turn, and at most one idle, which
 * ends after a while. A process whose settings changed is replaced; its session goes on in the next one.
 */
import { ok, type Result } from '../../../contract/result.ts';
import type { Timer } from '../../ports.ts';
import type { ClaudeDeps, ClaudeSetup } from './claude-ports.ts';
import { ClaudeSession } from './claude-session.ts';

/** ms that an idle process is kept. */
const idleMs = 5 * 60_000;

export interface SessionWish {
  readonly threadKey: string;
  readonly turnId: string;
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly setup: ClaudeSetup;
  /** Of everything that a process is started with. */
  readonly key: string;
}

interface Kept {
  readonly session: ClaudeSession;
  readonly paying: { turnId: string | null };
  idle: Timer | null;
}

export class ClaudePool {
  readonly #deps: ClaudeDeps;
  readonly #kept = new Map<string, Kept>();

  constructor(deps: ClaudeDeps) {
    this.#deps = deps;
  }

  async open(
    wish: SessionWish,
  ): Promise<Result<{ readonly session: ClaudeSession; readonly isFresh: boolean }>> {
    const { threadKey, turnId } = wish;
    const known = this.#kept.get(threadKey);
    if (known && !known.session.isOver && known.session.facts.key === wish.key && !wish.isNew) {
      known.idle?.cancel();
      known.idle = null;
      known.paying.turnId = turnId;
      return ok({ session: known.session, isFresh: false });
    }
    await this.#endAll(([key, { idle }]) => key === threadKey || idle !== null);
    const paying: Kept['paying'] = { turnId };
    const { sessionId, isNew, setup, key } = wish;
    const program = await setup.launch({
      sessionId,
      isNew,
      turn: () => (paying.turnId === null ? null : { turnId: paying.turnId, threadKey }),
    });
    if (!program.ok) return program;
    const session = new ClaudeSession({ sessionId, key }, program.value, this.#deps.random);
    this.#kept.set(threadKey, { session, paying, idle: null });
    return ok({ session, isFresh: true });
  }

  /** The turn is over; the process waits for the next one. */
  release(threadKey: string, session: ClaudeSession): void {
    const kept = this.#kept.get(threadKey);
    if (!kept || kept.session !== session) return;
    kept.paying.turnId = null;
    if (session.isOver) {
      this.#kept.delete(threadKey);
      return;
    }
    // Another thread's idle process gives way to this one.
    void this.#endAll(([key, { idle }]) => key !== threadKey && idle !== null);
    const end = (): void => void this.#endAll(([key]) => key === threadKey);
    kept.idle = this.#deps.clock.after(idleMs, end, { unref: true });
  }

  close(): Promise<void> {
    return this.#endAll(() => true);
  }

  async #endAll(fits: (one: [string, Kept]) => boolean): Promise<void> {
    const ending = [...this.#kept].filter(fits);
    for (const [key, { idle }] of ending) {
      idle?.cancel();
      this.#kept.delete(key);
    }
    await Promise.all(ending.map(([, { session }]) => session.end()));
  }
}
