import type { TaskLane, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { type TaskWait, waitOf } from '../../contract/task-waits.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { shownTime } from '../when.ts';

const lives: Readonly<Record<Exclude<TaskLane['life'], 'running'>, string>> = {
  starting: 'is starting',
  paused: 'is paused',
  not_connected: 'is not connected to a server yet',
  backing_off: 'failed and will be tried again',
  gave_up: 'gave up and waits for you',
  stopping: 'is stopping',
  broken: 'has settings that cannot be read',
  gone: 'is not here any more',
};

function words(wait: TaskWait): string {
  switch (wait.type) {
    case 'time':
      return `is not begun before ${shownTime(wait.at)}`;
    case 'agent':
      return `waits for ${visibleTerminalLine(wait.name)}, which ${lives[wait.life]}`;
    case 'place':
      return `waits until ${visibleTerminalLine(wait.name)} is free`;
    case 'any-agent':
      return 'waits until an agent is free';
    case 'worker':
      return 'waits for a worker';
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
      const state = life === 'running' ? `works on ${running} of at most ${places}` : lives[life];
      return `  ${visibleTerminalLine(agentName)} ${state}; ${ready} ${ready === 1 ? 'waits' : 'wait'} for it`;
    });
}
