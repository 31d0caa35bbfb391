import type { Result } from '../../contract/result.ts';
import type { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { ApprovalGate } from '../../core/approvals/approval-gate.ts';
import type { Clock } from '../../core/ports.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { UntilTaken } from './retry-write.ts';

export interface TaskApprovals {
  gate(): ApprovalGate;
  /** An error while the vault is closed. */
  parts(): Result<{ readonly centre: Pick<ApprovalCentre, 'find' | 'withdraw'> }>;
}

export interface TaskQuestionsDeps {
  readonly approvals: Pick<TaskApprovals, 'parts'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Pick<TaskStore, 'list' | 'change'>;
  readonly untilTaken: Pick<UntilTaken, 'take'>;
  onAnswered(task: number): void;
}

const mostWaiting = 10_000;

/** The questions to the operator that tasks wait for. */
export class TaskQuestions {
  readonly #deps: TaskQuestionsDeps;

  constructor(deps: TaskQuestionsDeps) {
    this.#deps = deps;
  }

  isOpen(approvalId: string): boolean {
    const parts = this.#deps.approvals.parts();
    const found = parts.ok ? parts.value.centre.find(approvalId) : parts;
    return found.ok && found.value.approval.state === 'waiting';
  }

  /** Resumes the tasks that wait for this question. */
  answered(approvalId: string): void {
    this.#deps.untilTaken.take(() => {
      for (const one of this.#waiting()) if (one.approvalId === approvalId) this.#resume(one);
    });
  }

  /** Resumes tasks whose question was answered or expired just before the last host ended. */
  resumeAnswered(): void {
    const waiting = this.#waiting();
    if (waiting.length === 0 || !this.#deps.approvals.parts().ok) return;
    for (const one of waiting) if (!this.isOpen(one.approvalId)) this.#resume(one);
  }

  withdraw({ waitingFor }: Pick<Task, 'waitingFor'>): void {
    if (waitingFor?.kind !== 'approval') return;
    const parts = this.#deps.approvals.parts();
    if (parts.ok) parts.value.centre.withdraw(waitingFor.approvalId);
  }

  #waiting(): readonly { readonly id: number; readonly approvalId: string }[] {
    return (['waiting', 'paused'] as const)
      .flatMap((status) => this.#deps.store.list({ status, limit: mostWaiting }))
      .flatMap(({ id, waitingFor }) =>
        waitingFor?.kind === 'approval' ? [{ id, approvalId: waitingFor.approvalId }] : [],
      );
  }

  #resume({ id, approvalId }: { readonly id: number; readonly approvalId: string }): void {
    const { store, clock, onAnswered } = this.#deps;
    store.change(id, { type: 'approval-answered', approvalId }, clock.now());
    onAnswered(id);
  }
}
