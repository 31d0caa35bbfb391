import { longestShown } from '../../contract/task-excerpt.ts';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStep } from '../../core/tasks/task-step.ts';
import { stepWords } from '../../core/tasks/task-transcript.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskRooms } from './task-rooms.ts';

export interface TaskViewDeps {
  readonly agents: Pick<TaskAgents, 'name'>;
  readonly rooms: Pick<TaskRooms, 'placeOf'>;
}

/** Never cuts a surrogate pair. */
function beginning(text: string): string {
  if (text.length <= longestShown) return text;
  const cut = text.slice(0, longestShown);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function summaryOf({ agents, rooms }: TaskViewDeps, task: Task): TaskSummary {
  const { id, goal, status, agent, runner, project, priority, dueAt, parent, forkedAt, origin } = task;
  const {
    budget,
    used,
    steps,
    asked,
    waitingFor,
    result,
    failure,
    createdAt,
    updatedAt,
    archivedAt,
    worktree,
  } = task;
  return {
    id,
    goal,
    status,
    agentId: agent,
    agentName: agents.name(agent),
    runnerId: runner,
    runnerName: agents.name(runner),
    project,
    priority,
    dueAt,
    parent,
    forkedAt,
    via: origin.via,
    ...rooms.placeOf(task),
    budget,
    used,
    steps,
    asked,
    waitingFor,
    failure,
    result: result === null ? null : beginning(result),
    createdAt,
    updatedAt,
    archivedAt,
    worktree,
  };
}

/** The full text of a step, or `null` if it has no text yet. */
export const wholeStep = (step: TaskStep) => ({
  result: step.error === null ? stepWords(step) : null,
  error: step.error,
});

export function stepView(step: TaskStep): TaskStepView {
  const { number, kind, action, startedAt, endedAt } = step;
  const { result, error } = wholeStep(step);
  const cut = [result, error].some((text) => text !== null && text.length > longestShown);
  return {
    number,
    kind,
    action,
    startedAt,
    endedAt,
    cut,
    result: result === null ? null : beginning(result),
    error: error === null ? null : beginning(error),
  };
}
