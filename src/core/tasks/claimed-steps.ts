/** The stored steps of one task under one claim: nothing is written once the claim is over. */
import type { Result } from '../../contract/result.ts';
import type { Clock } from '../ports.ts';
import type { Claim } from './lifecycle.ts';
import type { Task } from './task.ts';
import type { TaskStore } from './task-ports.ts';
import type { StepChange, StepDraft, StepEnd, TaskStep } from './task-step.ts';

export interface ClaimedStepsDeps {
  readonly store: TaskStore;
  readonly taskId: number;
  readonly claim: Claim;
  readonly clock: Pick<Clock, 'now'>;
}

export interface ClaimedSteps {
  all(): readonly TaskStep[];
  /** The task as stored now. */
  task(): Task | null;
  /** The task as stored now, or `null` if it does not run under this claim any more. */
  claimedTask(): Task | null;
  start(draft: StepDraft): Result<StepChange>;
  end(step: number, end: StepEnd): Result<StepChange>;
}

const pageSize = 500;

export function createClaimedSteps({ store, taskId, claim, clock }: ClaimedStepsDeps): ClaimedSteps {
  return {
    all() {
      const steps: TaskStep[] = [];
      for (;;) {
        const page = store.steps(taskId, steps.at(-1)?.number ?? 0, pageSize);
        steps.push(...page);
        if (page.length < pageSize) return steps;
      }
    },
    task: () => store.task(taskId),
    claimedTask() {
      const now = store.task(taskId);
      return now?.status === 'running' && now.claim === claim.claim ? now : null;
    },
    start: (draft) => store.startStep(taskId, claim, draft, clock.now()),
    end: (step, end) => store.endStep(taskId, claim, step, end, clock.now()),
  };
}
