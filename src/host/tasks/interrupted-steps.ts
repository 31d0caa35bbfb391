/** Shows a task step as a problem while only the operator can tell whether it happened before a crash. */
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { say } from '../../language/say.ts';
import { createThrottle } from '../feed/throttle.ts';
import type { Problems } from '../problems.ts';

export interface InterruptedStepsDeps {
  readonly clock: Clock;
  readonly problems: Problems;
  /** `null` while no task store is open. */
  readonly store: () => Pick<TaskStore, 'list'> | null;
}

export interface InterruptedSteps {
  /** Call it after a change of any task. */
  changed(): void;
  stop(): void;
}

const gatherMs = 50;
const most = 1_000;

const stepOf = ({ waitingFor }: Task): number | null =>
  waitingFor?.kind === 'unknown-step' ? waitingFor.step : null;

export function createInterruptedSteps({ clock, problems, store }: InterruptedStepsDeps): InterruptedSteps {
  let shown = new Set<string>();

  const show = (): void => {
    const waiting = despiteStore(() => store()?.list({ status: 'waiting', limit: most }) ?? [], []);
    const seen = new Set<string>();
    for (const task of waiting) {
      const step = stepOf(task);
      if (step === null) continue;
      const id = `task-step-${task.id}-${step}`;
      seen.add(id);
      const said = {
        message: say('tasks.stepInterrupted', { id: task.id, step }),
        hint: say('tasks.checkThenSettle', { id: task.id, step }),
      };
      problems.set(id, 'warning', said, { kind: 'task', task: task.id, step, agentId: task.runner });
    }
    for (const id of shown) if (!seen.has(id)) problems.clear(id);
    shown = seen;
  };
  const soon = createThrottle(clock, gatherMs, show);
  return {
    changed: soon.request,
    stop() {
      soon.cancel();
      for (const id of shown) problems.clear(id);
      shown = new Set();
    },
  };
}
