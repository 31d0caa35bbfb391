import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';

export interface EndReportsDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly store: Pick<TaskStore, 'list'>;
  tell(task: Task): Promise<boolean>;
}

/** Ended tasks of each status searched for unreported ones. */
const lookedThrough = 100;
/** ms; older ends are no longer reported. */
const stale = 7 * 86_400_000;

/** Reports recent ends in their conversations; a repeated report has the same id and changes nothing. */
export class EndReports {
  readonly #deps: EndReportsDeps;
  readonly #telling = new Set<number>();

  constructor(deps: EndReportsDeps) {
    this.#deps = deps;
  }

  tell(task: Task): void {
    const { clock, log, tell } = this.#deps;
    if (task.origin.threadKey === null || this.#telling.has(task.id)) return;
    if (clock.now() - task.updatedAt >= stale) return;
    this.#telling.add(task.id);
    tell(task)
      .catch((error: unknown) => log.error('task_end_not_told', { task: task.id, error: String(error) }))
      .finally(() => this.#telling.delete(task.id));
  }

  /** Reports ends whose agent was not available. */
  tellMissed(): void {
    despiteStore(() => {
      for (const status of ['done', 'error'] as const)
        for (const task of this.#deps.store.list({ status, limit: lookedThrough })) this.tell(task);
    }, undefined);
  }
}
