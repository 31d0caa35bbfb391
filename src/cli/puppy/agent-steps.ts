import type { MethodOutput } from '../../contract/methods.ts';
import type { TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { waitWords } from '../commands/task-wait-text.ts';
import type { HostSession } from '../host-call.ts';
import { visibleTerminalLine } from '../visible-text.ts';

// Current state of the tasks of `agent` steps: the worker, or the reason for waiting.

type Steps = MethodOutput<'runs.get'>['steps'];

/** Text after "task 12". */
export function currentStepText(task: TaskSummary, workers: TaskWorkers, now: number): string {
  const { status, steps, waitingFor, runnerName } = task;
  switch (status) {
    case 'pending':
      return waitWords(task, workers, now) ?? 'is about to begin';
    case 'running':
      return `is worked on by ${visibleTerminalLine(runnerName)}, at step ${steps}`;
    case 'waiting':
      return waitingFor?.kind === 'run' ? `waits for the run ${waitingFor.run}` : 'waits for your answer';
    case 'paused':
      return `is paused: "kennel task resume ${task.id}" lets it go on`;
    case 'done':
    case 'error':
      return 'has ended';
  }
}

/** By path; makes no call if no agent step is running. */
export async function agentSteps(
  { call }: Pick<HostSession, 'call'>,
  steps: Steps,
): Promise<ReadonlyMap<string, string>> {
  const going = steps.flatMap(({ path, state, task }) =>
    task === null || state !== 'running' ? [] : [{ path, task }],
  );
  if (going.length === 0) return new Map();
  const workers = await call('tasks.workers', {});
  const told = going.map(async ({ path, task }) => {
    const { task: summary } = await call('tasks.get', { task });
    return [path, `task ${task} ${currentStepText(summary, workers, Date.now())}`] as const;
  });
  return new Map(await Promise.all(told));
}
