/** The end of a program's turn: at its answer, at an error, when it is stopped, or when the program falls silent. */
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { ProgramSession } from './program-ports.ts';

/** ms without output while no call runs and no question is open: longer than a slow first token. */
const stallMs = 330_000;
/** Grace period in ms in which an interrupted program reports the end of its turn. */
const interruptMs = 2_000;

export interface EndingTurn {
  readonly clock: Clock;
  readonly title: string;
  readonly session: Pick<ProgramSession, 'end'>;
  /** A call runs, or a person is asked, so silence is expected. */
  isBusy(): boolean;
  /** Asks the program to stop; its session can be resumed. */
  interrupt(): void;
}

export class ProgramTurnEnd {
  readonly #turn: EndingTurn;
  readonly #over: Promise<void>;
  /** Ends the turn; the program keeps running. */
  finish = (): void => undefined;
  #stall: Timer | null = null;
  #stopping: Timer | null = null;
  error: AppError | null = null;
  /** The program fell silent. */
  isStalled = false;

  constructor(turn: EndingTurn) {
    this.#turn = turn;
    this.#over = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  /** Calls `begin`, and resolves at the end of the turn. */
  async wait(signal: AbortSignal, begin: () => void): Promise<void> {
    const stop = (): void => this.#stop(signal);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else begin();
    this.heard();
    try {
      await this.#over;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#stall?.cancel();
      this.#stopping?.cancel();
    }
    // Its answer to the cancellation does not mean that it works again.
    if (this.isStalled) await this.#turn.session.end();
  }

  /** Restarts the timeout after any output of the program. */
  heard(): void {
    this.#stall?.cancel();
    if (this.isStalled) return;
    const { clock, isBusy } = this.#turn;
    this.#stall = clock.after(stallMs, () => (isBusy() ? this.heard() : this.#stalled()), { unref: true });
  }

  #stalled(): void {
    this.isStalled = true;
    this.error ??= fail('timeout', 'turns.programFellSilent', { title: this.#turn.title });
    this.#interrupt();
  }

  #interrupt(): void {
    this.#turn.interrupt();
    this.#stopping = this.#turn.clock.after(interruptMs, () => this.endProgram(), { unref: true });
  }

  /** Ends the program; the turn ends with it. The first error counts. */
  endProgram(error?: AppError): void {
    this.error ??= error ?? null;
    void this.#turn.session.end();
    this.finish();
  }

  /** Interrupts a stopped turn, whose session can be resumed; ends the program of a turn that is left. */
  #stop(signal: AbortSignal): void {
    if (signal.reason === 'stopped') this.#interrupt();
    else this.endProgram();
  }
}
