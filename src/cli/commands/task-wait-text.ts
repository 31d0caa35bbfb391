import type { TaskLane, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { type TaskWait, waitOf } from '../../contract/task-waits.ts';
import { cliMessage } from '../../language/cli-message.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { copy, shown } from '../copy.ts';
import type { HostSession } from '../host-call.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { shownTime } from '../when.ts';

function messageFor(wait: TaskWait): HostMessage {
  switch (wait.type) {
    case 'time':
      return cliMessage('cliTasks.wait_time', { time: shownTime(wait.at) });
    case 'agent':
      return cliMessage('cliTasks.wait_agent', {
        name: visibleTerminalLine(wait.name),
        state: cliMessage(`cliTasks.life_${wait.life}`),
      });
    case 'place':
      return cliMessage('cliTasks.wait_place', { name: visibleTerminalLine(wait.name) });
    case 'any-agent':
      return cliMessage('cliTasks.wait_anyAgent');
    case 'worker':
      return cliMessage('cliTasks.wait_worker');
  }
}

/** Why the task has not started yet, or `null` if nothing delays it. */
export function waitMessage(task: TaskSummary, workers: TaskWorkers, now: number): HostMessage | null {
  const wait = waitOf(task, workers, now);
  return wait && messageFor(wait);
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
  return (task) => {
    const message = waitMessage(task, workers, Date.now());
    return message && shown(message);
  };
}
