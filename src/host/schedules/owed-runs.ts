import type { ErrorCode } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { withPath } from '../../core/tasks/file-trigger.ts';
import type { OwedRun, ScheduleRow } from '../../core/tasks/schedule-row.ts';

/** Starts a run under its key, or gives back the one that was started under it. */
export type HandOver = (start: {
  readonly file: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly key: string;
}) => Promise<Result<unknown>>;

export interface OwedRunsDeps {
  readonly handOver: HandOver;
  readonly log: Log;
  row(id: string): ScheduleRow | null;
  /** The run exists, or cannot; `fault` says why. */
  done(id: string, key: string, fault: string): void;
}

/** Waiting does not help against these. */
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

/** Workflows that fell due: each is handed over once, in its order, and tried again while nobody takes it. */
export class OwedRuns {
  readonly #deps: OwedRunsDeps;
  readonly #handing = new Map<string, Promise<void>>();
  #left = false;
  #stopped = false;

  constructor(deps: OwedRunsDeps) {
    this.#deps = deps;
  }

  /** Some were not taken; the next look offers them again. */
  waiting(): boolean {
    return this.#left;
  }

  offer(row: ScheduleRow): void {
    if (this.#stopped || row.owed.length === 0 || this.#handing.has(row.id)) return;
    const handing = this.#hand(row.id)
      .catch((error: unknown) => this.#deps.log.error('schedule_not_handed_over', { id: row.id, error }))
      .finally(() => {
        this.#handing.delete(row.id);
        // What fell due while the last one was handed over.
        const now = this.#left ? null : this.#deps.row(row.id);
        if (now) this.offer(now);
      });
    this.#handing.set(row.id, handing);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#handing.values());
  }

  async #hand(id: string): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const row = this.#deps.row(id);
      const run = row?.owed.find(({ key }) => !tried.has(key));
      if (!row || !run || this.#stopped) return;
      tried.add(run.key);
      await this.#start(row, run);
    }
  }

  async #start(row: ScheduleRow, run: OwedRun): Promise<void> {
    const { starts } = row;
    // Changed to a task meanwhile: it is no longer wanted.
    if (starts.kind !== 'workflow') return this.#deps.done(row.id, run.key, '');
    const args = run.path === null ? starts.args : withPath(starts.args, run.path);
    const started = await this.#deps.handOver({ file: starts.file, args, key: run.key });
    this.#left = false;
    if (started.ok) return this.#deps.done(row.id, run.key, '');
    const { code, message } = started.error;
    this.#deps.log.warn('schedule_run_refused', { id: row.id, code });
    if (forGood.includes(code))
      this.#deps.done(row.id, run.key, `The workflow ${starts.file} did not start: ${message}`);
    else this.#left = true;
  }
}
