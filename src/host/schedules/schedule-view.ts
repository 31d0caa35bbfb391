import { dmRoomId } from '../../contract/room-id.ts';
import type { ScheduleStartsView, ScheduleView } from '../../contract/schedule-methods.ts';
import { readConversation } from '../../core/agents/thread-key.ts';
import { maxStartsOfAll, maxStartsOfOne } from '../../core/tasks/file-trigger.ts';
import type { ScheduleRow, ScheduleStarts } from '../../core/tasks/schedule-row.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { TaskAgents } from '../tasks/task-agents.ts';

export type ScheduledAgents = Pick<TaskAgents, 'exists' | 'runner'>;

/** The room id from the operator's side. */
function roomOf(agents: ScheduledAgents, agent: string | null, threadKey: string | null): string | null {
  const place = threadKey === null ? null : readConversation(threadKey);
  if (place?.kind !== 'dm') return place?.channelId ?? null;
  const slug = agent === null ? undefined : agents.runner(agent)?.slug;
  return slug ? dmRoomId(slug, place.conversationId) : null;
}

function startsView(agents: ScheduledAgents, starts: ScheduleStarts): ScheduleStartsView {
  if (starts.kind === 'workflow') return { ...starts, args: { ...starts.args } };
  const { threadKey, budget, ...rest } = starts;
  return { ...rest, budget: { ...budget }, room: roomOf(agents, starts.agent, threadKey) };
}

export const heldText = (path: string): HostText =>
  say('schedules.held', { one: maxStartsOfOne, all: maxStartsOfAll, path });

function problemOf(agents: ScheduledAgents, row: ScheduleRow, watched: HostText): HostText {
  const { starts, files, fault } = row;
  if (files.held !== null) return heldText(files.held);
  if (starts.kind === 'task' && starts.agent !== null && !agents.exists(starts.agent)) {
    return say('schedules.agentGone', { id: starts.agent });
  }
  return fault || watched;
}

/** `watched` is the error of its file watch, or empty. */
export function scheduleView(agents: ScheduledAgents, row: ScheduleRow, watched: HostText): ScheduleView {
  const { id, name, enabled, when, catchUp, state } = row;
  return {
    id,
    name,
    enabled,
    when,
    catchUp,
    starts: startsView(agents, row.starts),
    next: enabled ? state.next : null,
    lastRun: row.lastRun,
    missed: [...state.missed].reverse(),
    missedCount: state.missedCount,
    problem: problemOf(agents, row, watched),
  };
}
