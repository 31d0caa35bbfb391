import { StoreError } from '../../core/lib/store-error.ts';
import { type ChangedFile, fileKey, firstSight, lookAtFiles } from '../../core/tasks/file-trigger.ts';
import { type ScheduleRow, scheduledStart } from '../../core/tasks/schedule-row.ts';
import type { TaskBody } from '../../core/tasks/task.ts';
import type { HostText } from '../../language/host-message.ts';
import { FileWatch } from '../../services/schedules/file-watch.ts';
import type { HostPorts } from '../host-ports.ts';
import { heldText } from './schedule-view.ts';

export interface TriggerDeps {
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'home'>;
  /** The stored row, or `null` if it was deleted. */
  row(id: string): ScheduleRow | null;
  /** Saves both in one transaction, then publishes the change. */
  keep(row: ScheduleRow, task: TaskBody | null): void;
  onHeld(row: ScheduleRow, text: HostText): void;
  onProblem(id: string): void;
}

interface Watched {
  readonly watch: FileWatch;
  /** The watched target as JSON, to detect changes. */
  readonly key: string;
  problem: HostText;
}

/** One file watch per enabled trigger that is not held. */
export class TriggerWatches {
  readonly #deps: TriggerDeps;
  readonly #watches = new Map<string, Watched>();

  constructor(deps: TriggerDeps) {
    this.#deps = deps;
  }

  problem(id: string): HostText {
    return this.#watches.get(id)?.problem ?? '';
  }

  /** Starts, stops or replaces the watch to match the row. */
  tend(id: string, row: ScheduleRow | null): void {
    const wanted = row?.when.kind === 'file' && row.enabled && row.files.held === null ? row.when : null;
    const key = JSON.stringify(wanted);
    const before = this.#watches.get(id);
    if (before && before.key === key) return;
    before?.watch.stop();
    this.#watches.delete(id);
    if (wanted === null) return;
    const { clock, log, home } = this.#deps.ports;
    const watch = new FileWatch({
      clock,
      log,
      target: { ...wanted, except: home },
      state: {
        seen: () => this.#deps.row(id)?.files.seen ?? null,
        first: (files) => this.#change(id, (current) => this.#first(current, files)),
        change: (files, gone) => this.#change(id, (current) => this.#changed(current, files, gone)),
      },
      onProblem: (problem) => {
        const watched = this.#watches.get(id);
        if (watched) watched.problem = problem;
        this.#deps.onProblem(id);
      },
    });
    this.#watches.set(id, { watch, key, problem: '' });
  }

  stop(): void {
    for (const { watch } of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }

  #change(id: string, work: (row: ScheduleRow) => void): void {
    const row = this.#deps.row(id);
    if (!row?.enabled || row.when.kind !== 'file') return;
    try {
      work(row);
    } catch (error) {
      // The next check sees the change again.
      if (!(error instanceof StoreError)) throw error;
      this.#deps.ports.log.warn('schedule_not_kept', { id, code: error.code });
    }
  }

  #first(row: ScheduleRow, files: readonly ChangedFile[]): void {
    this.#deps.keep({ ...row, files: firstSight(row.files, files) }, null);
  }

  /** A file and its start are saved in one transaction; files that start nothing are saved at the end. */
  #changed(before: ScheduleRow, files: readonly ChangedFile[], gone: readonly string[]): void {
    const { clock, log } = this.#deps.ports;
    let row = before;
    for (const file of files) {
      const now = clock.now();
      const look = lookAtFiles(row.files, [file], [], now);
      const held = row.files.held === null ? look.state.held : null;
      row = { ...row, files: look.state };
      const [start] = look.starts;
      if (start) {
        const begun = scheduledStart(
          row,
          { key: fileKey(row.id, start.count), at: now, path: start.path, change: null },
          now,
        );
        this.#deps.keep(begun.row, begun.task);
        row = this.#deps.row(row.id) ?? begun.row;
      }
      if (held !== null) {
        log.warn('schedule_held', { id: row.id });
        this.#deps.onHeld(row, heldText(held));
      }
    }
    row = { ...row, files: lookAtFiles(row.files, [], gone, clock.now()).state };
    this.#deps.keep(row, null);
  }
}
