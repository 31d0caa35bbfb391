import type { TaskLane, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { type TaskWait, waitOf } from '../../contract/task-waits.ts';
import { copy } from '../copy.ts';
import type { HostSession } from '../host-call.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { shownTime } from '../when.ts';

function words(wait: TaskWait): string {
  switch (wait.type) {
    case 'time':
      return copy('cliTasks.wait_time', { time: shownTime(wait.at) });
    case 'agent':
      return copy('cliTasks.wait_agent', {
        name: visibleTerminalLine(wait.name),
        state: copy(`cliTasks.life_${wait.life}`),
      });
    case 'place':
      return copy('cliTasks.wait_place', { name: visibleTerminalLine(wait.name) });
    case 'any-agent':
      return copy('cliTasks.wait_anyAgent');
    case 'worker':
      return copy('cliTasks.wait_worker');
  }
}

/** Why the task has not started yet, or `null` if nothing delays it. */
export function waitWords(task: TaskSummary, workers: TaskWorkers, now: number): string | null {
  const wait = waitOf(task, workers, now);
  return wait && words(wait);
}

export function laneLines(lanes: readonly TaskLane[]): readonly string[] {
  return lanes
    .filter(({ ready }) => ready > 0)
    .map(({ agentName, life, running, places, ready }) => {
      const state =
        life === 'running' ? copy('cliTasks.laneWorks', { running, places }) : copy(`cliTasks.life_${life}`);
      return `  ${copy('cliTasks.lane', { name: visibleTerminalLine(agentName), state, ready })}`;
    });
}

/** The reasons of several tasks, with one call of the host. */
export async function waitsOf(
  { call }: Pick<HostSession, 'call'>,
  tasks: readonly TaskSummary[],
): Promise<(task: TaskSummary) => string | null> {
  if (tasks.every(({ status }) => status !== 'pending')) return () => null;
  const workers = await call('tasks.workers', {});
  return (task) => waitWords(task, workers, Date.now());
}
