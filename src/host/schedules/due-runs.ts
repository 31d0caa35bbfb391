import type { ErrorCode } from '../../contract/errors.ts';
import { messageOf } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Log } from '../../core/ports.ts';
import { type OwedRun, type ScheduleRow, withCause } from '../../core/tasks/schedule-row.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Starts a run under its idempotency key, or returns the one already started under it. */
export type HandOver = (start: {
  readonly file: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly key: string;
}) => Promise<Result<{ readonly id?: string }>>;

export interface OwedRunsDeps {
  readonly handOver: HandOver;
  readonly log: Log;
  row(id: string): ScheduleRow | null;
  /** The run was started, or cannot start for the reason `fault`. */
  done(id: string, key: string, end: { readonly fault: HostText; readonly run: string | null }): void;
  /** A run was not accepted; the next check offers it again. */
  onLeft(): void;
}

/** Errors for which a retry is useless. */
const forGood: readonly ErrorCode[] = [
  ...([
    'invalid_input',
    'not_found',
    'forbidden',
    'unsupported',
    'too_large',
    'corrupt',
    'conflict',
  ] as const),
];

/**
 * Starts due workflow runs: each once, in order per schedule. A run that cannot start now is offered again.
 */
export class OwedRuns {
  readonly #deps: OwedRunsDeps;
  readonly #handing = new Map<string, Promise<void>>();
  /** Schedules with a run that was not accepted. */
  readonly #left = new Set<string>();
  #stopped = false;

  constructor(deps: OwedRunsDeps) {
    this.#deps = deps;
  }

  /** Whether runs wait for the next check. */
  waiting(): boolean {
    for (const id of this.#left) if (!this.#deps.row(id)) this.#left.delete(id);
    return this.#left.size > 0;
  }

  offer(row: ScheduleRow): void {
    if (this.#stopped || row.owed.length === 0 || this.#handing.has(row.id)) return;
    const handing = this.#hand(row.id)
      .catch((error: unknown) => {
        // For example a full disk: the next check tries again.
        this.#leave(row.id);
        this.#deps.log.error('schedule_not_handed_over', { id: row.id, error });
      })
      .finally(() => {
        this.#handing.delete(row.id);
        // Became due during the last start.
        const now = this.#left.has(row.id) ? null : despiteStore(() => this.#deps.row(row.id), null);
        if (now) this.offer(now);
      });
    this.#handing.set(row.id, handing);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#handing.values());
  }

  async #hand(id: string): Promise<void> {
    this.#left.delete(id);
    for (;;) {
      const row = this.#deps.row(id);
      const [run] = row?.owed ?? [];
      if (!row || !run || this.#stopped) return;
      if (await this.#start(row, run)) continue;
      this.#leave(id);
      return;
    }
  }

  #leave(id: string): void {
    this.#left.add(id);
    this.#deps.onLeft();
  }

  /** Returns false if the run was not accepted now. */
  async #start(row: ScheduleRow, run: OwedRun): Promise<boolean> {
    const { starts } = row;
    const done = (fault: HostText, started: string | null = null): true => {
      this.#deps.done(row.id, run.key, { fault, run: started });
      return true;
    };
    // The schedule now starts a task instead, so this run is dropped.
    if (starts.kind !== 'workflow') return done('');
    const args = withCause(row, starts.args, run);
    const started = await this.#deps.handOver({ file: starts.file, args, key: run.key });
    if (started.ok) return done('', started.value.id);
    const { error } = started;
    this.#deps.log.warn('schedule_run_refused', { id: row.id, code: error.code });
    const why = messageOf(error);
    return (
      forGood.includes(error.code) && done(say('schedules.workflowNotStarted', { name: starts.file, why }))
    );
  }
}
