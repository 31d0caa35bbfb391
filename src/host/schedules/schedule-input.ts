import { isAbsolute, resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ScheduleStartsView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { readWatchedUri } from '../../core/agentd/watched-uri.ts';
import { type NextRun, type ScheduleWhen, startSchedule } from '../../core/tasks/schedule.ts';
import type { ScheduleRow, ScheduleStarts } from '../../core/tasks/schedule-row.ts';
import type { TaskAgents } from '../tasks/task-agents.ts';
import type { TaskRooms } from '../tasks/task-rooms.ts';
import { defaultStepLimit, type TaskSettings } from '../tasks/task-settings.ts';

import type { Schedules } from './schedules.ts';

export interface ScheduleStartsDeps {
  readonly agents: Pick<TaskAgents, 'find'>;
  readonly rooms: Pick<TaskRooms, 'origin'>;
  readonly schedules: Pick<Schedules, 'controlledByAgents'>;
  readonly settings: TaskSettings;
}

/** Resolves agent and room to the ids of the store; fails if one does not exist. */
export async function startsFromInput(
  { agents, rooms, schedules, settings }: ScheduleStartsDeps,
  starts: ScheduleStartsView,
): Promise<Result<ScheduleStarts>> {
  if (starts.kind === 'workflow') {
    if (!isAbsolute(starts.file) && starts.file.split(/[\\/]/).includes('..')) {
      return err(fail('invalid_input', 'schedules.workflowPathRequired', {}, { where: 'file' }));
    }
    const held = await schedules.controlledByAgents(starts.file);
    return held ? err(held) : ok(starts);
  }
  const { room, agent, budget, ...rest } = starts;
  const found = agent === null ? ok(null) : agents.find(agent);
  if (!found.ok) return found;
  const origin = rooms.origin('schedule', found.value, room === null ? {} : { room });
  if (!origin.ok) return origin;
  const { steps = defaultStepLimit(settings), tokens = null, usd = null } = budget;
  const { threadKey } = origin.value;
  return ok({ ...rest, agent: found.value, budget: { steps, tokens, usd }, threadKey });
}

/** Resolves the agent of a server to its id. */
export function whenFromInput(
  { agents }: Pick<ScheduleStartsDeps, 'agents'>,
  when: ScheduleWhenView,
): Result<ScheduleWhen> {
  if (when.kind !== 'resource' || when.agent === null) return ok(when);
  const found = agents.find(when.agent);
  return found.ok ? ok({ ...when, agent: found.value }) : found;
}

function checkedWhen(when: ScheduleWhen): Result<ScheduleWhen> {
  if (when.kind === 'resource' && readWatchedUri(when.uri)?.kind !== 'resource')
    return err(fail('invalid_input', 'schedules.resourceUriRequired', {}, { where: 'uri' }));
  if (when.kind !== 'file') return ok(when);
  if (!isAbsolute(when.path)) {
    return err(fail('invalid_input', 'schedules.absolutePathRequired', {}, { where: 'path' }));
  }
  return ok({ ...when, path: resolve(when.path) });
}

/** Starts counting now; earlier times are ignored. */
export function timing(
  when: ScheduleWhen,
  now: number,
  nextRun: NextRun,
): Result<Pick<ScheduleRow, 'when' | 'state'>> {
  const checked = checkedWhen(when);
  if (!checked.ok) return checked;
  const state = startSchedule(checked.value, now, nextRun);
  if (!state.ok) return state;
  if (checked.value.kind === 'cron' && state.value.next === null) {
    return err(fail('invalid_input', 'schedules.neverDue', {}, { where: 'expression' }));
  }
  return ok({ when: checked.value, state: state.value });
}
