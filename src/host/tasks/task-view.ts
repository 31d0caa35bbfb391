import { dmRoomId } from '../../contract/room-id.ts';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import { longestShown } from '../../contract/task-text.ts';
import { readConversation } from '../../core/agents/thread-key.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStep } from '../../core/tasks/task-step.ts';
import { stepWords } from '../../core/tasks/task-transcript.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';

type Look = Pick<HostContext, 'agents' | 'fleet' | 'operator'>;

/** Never cuts a surrogate pair. */
function beginning(text: string): string {
  if (text.length <= longestShown) return text;
  const cut = text.slice(0, longestShown);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export const agentName = ({ agents }: Pick<HostContext, 'agents'>, id: string | null): string => {
  if (id === null) return '';
  const agent = agents.get(id);
  return (agent && configInForce(agent).display_name) || id;
};

/** The conversation for the result from the operator's side, or `null`s if they are not a member. */
function placeOf({ fleet, operator }: Look, { origin, runner, agent }: Task) {
  const nowhere = { roomId: null, rootId: null };
  const session = operator.session();
  const place = origin.threadKey === null ? null : readConversation(origin.threadKey);
  if (place === null || !session) return nowhere;
  const { rootId } = place;
  if (place.kind === 'dm') {
    const slug = fleet.post(runner ?? agent ?? '')?.slug;
    return slug && place.slug === session.self.slug ? { roomId: dmRoomId(slug), rootId } : nowhere;
  }
  const member = session.self.account.rooms().channels.some(({ id }) => id === place.channelId);
  return member ? { roomId: place.channelId, rootId } : nowhere;
}

export function summaryOf(look: Look, task: Task): TaskSummary {
  const { id, goal, status, agent, runner, project, priority, dueAt, parent, forkedAt, origin } = task;
  const { budget, used, steps, asked, waitingFor, result, failure, createdAt, updatedAt } = task;
  return {
    id,
    goal,
    status,
    agentId: agent,
    agentName: agentName(look, agent),
    runnerId: runner,
    runnerName: agentName(look, runner),
    project,
    priority,
    dueAt,
    parent,
    forkedAt,
    via: origin.via,
    ...placeOf(look, task),
    budget,
    used,
    steps,
    asked,
    waitingFor,
    failure,
    result: result === null ? null : beginning(result),
    createdAt,
    updatedAt,
  };
}

/** The full text of a step, or `null` if there is none yet. */
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
