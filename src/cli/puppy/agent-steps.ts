import type { MethodOutput } from '../../contract/methods.ts';
import type { TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { cliMessage } from '../../language/cli-message.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { waitMessage } from '../commands/task-wait-text.ts';
import type { HostSession } from '../host-call.ts';
import { visibleTerminalLine } from '../visible-text.ts';

// Current state of the tasks of `agent` steps: the worker, or the reason for waiting.

type Steps = MethodOutput<'runs.get'>['steps'];

export function currentStepText(task: TaskSummary, workers: TaskWorkers, now: number): HostMessage {
  const { id, status, steps, waitingFor, runnerName } = task;
  switch (status) {
    case 'pending':
      return waitOfStep(id, waitMessage(task, workers, now));
    case 'running':
      return cliMessage('cliPuppy.stepRuns', { id, name: visibleTerminalLine(runnerName), steps });
    case 'waiting':
      return waitingFor?.kind === 'run'
        ? cliMessage('cliPuppy.stepWaitsForRun', { id, run: waitingFor.run })
        : cliMessage('cliPuppy.stepWaitsForYou', { id });
    case 'paused':
      return cliMessage('cliPuppy.stepPaused', { id });
    case 'done':
    case 'error':
      return cliMessage('cliPuppy.stepEnded', { id });
  }
}

const waitOfStep = (id: number, why: HostMessage | null): HostMessage =>
  why === null ? cliMessage('cliPuppy.stepBegins', { id }) : cliMessage('cliPuppy.stepWaits', { id, why });

/** By path; makes no call if no agent step is running. */
export async function agentSteps(
  { call }: Pick<HostSession, 'call'>,
  steps: Steps,
): Promise<ReadonlyMap<string, HostMessage>> {
  const going = steps.flatMap(({ path, state, task }) =>
    task === null || state !== 'running' ? [] : [{ path, task }],
  );
  if (going.length === 0) return new Map();
  const workers = await call('tasks.workers', {});
  const told = going.map(async ({ path, task }) => {
    const { task: summary } = await call('tasks.get', { task });
    return [path, currentStepText(summary, workers, Date.now())] as const;
  });
  return new Map(await Promise.all(told));
}
