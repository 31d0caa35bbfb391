/**
 * The processes of an agent's program: one per thread that has an open turn, and at most one idle, which
 * ends after a while. A process whose settings changed is replaced; its session goes on in the next one.
 */
import { ok, type Result } from '../../../contract/result.ts';
import type { Timer } from '../../ports.ts';
import type { RelayTurn } from '../harness-ports.ts';
import type { ProgramDeps, ProgramProtocol, ProgramSession, ProgramSetup } from './program-ports.ts';

/** ms that an idle process is kept. */
const idleMs = 5 * 60_000;

export interface SessionWish {
  /** The turn that pays for the process until `release`. */
  readonly turn: RelayTurn;
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly setup: ProgramSetup;
  /** Differs if any setting of the start differs. */
  readonly key: string;
}

interface Kept<Session> {
  readonly session: Session;
  readonly paying: { turn: RelayTurn | null };
  idle: Timer | null;
}

export class ProgramPool<Session extends ProgramSession> {
  readonly #deps: ProgramDeps;
  readonly #protocol: ProgramProtocol<Session>;
  readonly #kept = new Map<string, Kept<Session>>();

  constructor(deps: ProgramDeps, protocol: ProgramProtocol<Session>) {
    this.#deps = deps;
    this.#protocol = protocol;
  }

  async open(wish: SessionWish): Promise<Result<{ readonly session: Session; readonly isFresh: boolean }>> {
    const { turn } = wish;
    const { threadKey } = turn;
    const known = this.#kept.get(threadKey);
    if (known && !known.session.isOver && known.session.facts.key === wish.key && !wish.isNew) {
      known.idle?.cancel();
      known.idle = null;
      known.paying.turn = turn;
      return ok({ session: known.session, isFresh: false });
    }
    await this.#endAll(([key, { idle }]) => key === threadKey || idle !== null);
    const paying: Kept<Session>['paying'] = { turn };
    const { sessionId, isNew, setup, key } = wish;
    const program = await setup.launch({
      sessionId,
      isNew,
      turn: () => paying.turn,
      spend: this.#deps.turns.spend,
    });
    if (!program.ok) return program;
    const session = this.#protocol.connect(this.#deps, { sessionId, key }, program.value);
    this.#kept.set(threadKey, { session, paying, idle: null });
    return ok({ session, isFresh: true });
  }

  /** The turn is over; the process waits for the next one. */
  release(threadKey: string, session: Session): void {
    const kept = this.#kept.get(threadKey);
    if (!kept || kept.session !== session) return;
    kept.paying.turn = null;
    if (session.isOver) {
      this.#kept.delete(threadKey);
      return;
    }
    // Ends the idle process of another thread first.
    void this.#endAll(([key, { idle }]) => key !== threadKey && idle !== null);
    const end = (): void => void this.#endAll(([key]) => key === threadKey);
    kept.idle = this.#deps.clock.after(idleMs, end, { unref: true });
  }

  close(): Promise<void> {
    return this.#endAll(() => true);
  }

  async #endAll(fits: (one: [string, Kept<Session>]) => boolean): Promise<void> {
    const ending = [...this.#kept].filter(fits);
    for (const [key, { idle }] of ending) {
      idle?.cancel();
      this.#kept.delete(key);
    }
    await Promise.all(ending.map(([, { session }]) => session.end()));
  }
}
