import { resolve } from 'node:path';
import type { ScheduleStartsView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { commandFailure } from '../terminal.ts';
import { readSpan, readWhen, shownTime } from '../when.ts';
import { type PlaceFlags, taskPlaceText } from './task-options.ts';

// Start time and target of a schedule from flags, for a new schedule or a change. A flag without effect is
// rejected.

export interface WhenFlags {
  readonly at?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly file?: string;
  readonly glob?: string;
  readonly watch?: string;
  readonly server?: string;
  readonly poll?: string;
  readonly rest?: string;
}

export interface StartFlags extends PlaceFlags {
  readonly task?: string;
  readonly agent?: string;
  readonly to?: string;
  readonly workflow?: string;
  readonly args?: string;
}

const restMs = { usual: 2_000, shortest: 100, longest: 3_600_000 };

const said = (...flags: readonly (string | undefined)[]): boolean => flags.some((flag) => flag !== undefined);

export const saysWhen = ({ at, cron, timeZone, file, glob, watch, server, poll, rest }: WhenFlags): boolean =>
  said(at, cron, timeZone, file, glob, watch, server, poll, rest);

const saysOfTask = (flags: StartFlags): boolean =>
  said(flags.agent, flags.to, flags.project, flags.priority) || saysBudget(flags);
const saysBudget = ({ budgetSteps, budgetTokens, budgetUsd }: PlaceFlags): boolean =>
  said(budgetSteps, budgetTokens, budgetUsd);

export const saysStarts = (flags: StartFlags): boolean =>
  said(flags.task, flags.workflow, flags.args) || saysOfTask(flags);

const pollMs = { usual: 60_000, shortest: 1_000, longest: 86_400_000 };

/** A number alone is seconds. */
function spanOf(
  text: string | undefined,
  { usual, shortest, longest }: typeof restMs,
  form: 'cliSchedules.restForm' | 'cliSchedules.pollForm',
): number {
  if (text === undefined) return usual;
  const ms = readSpan(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
  if (ms === null || ms < shortest || ms > longest) throw commandFailure('invalid_input', form);
  return ms;
}

function timeOf(at: string, now: number): number {
  const time = readWhen(at, now);
  if (time === null)
    throw commandFailure(
      'invalid_input',
      'cliTasks.notUnderstood',
      { flag: '--at', text: at },
      { help: 'cliTerminal.timeForms' },
    );
  if (time < now)
    throw commandFailure(
      'invalid_input',
      'cliTasks.isOver',
      { flag: '--at', text: at, time: shownTime(time) },
      { help: 'cliTerminal.timeForms' },
    );
  return time;
}

function resourceOf(uri: string, { server = '', poll, rest }: WhenFlags): ScheduleWhenView {
  if (server === '') throw commandFailure('invalid_input', 'cliSchedules.watchOnly');
  const slash = server.lastIndexOf('/');
  return {
    kind: 'resource',
    uri,
    server: server.slice(slash + 1),
    agent: slash === -1 ? null : server.slice(0, slash),
    restMs: spanOf(rest, restMs, 'cliSchedules.restForm'),
    pollMs: spanOf(poll, pollMs, 'cliSchedules.pollForm'),
  };
}

function checkTogether({ cron, timeZone, file, glob, watch, server, poll, rest }: WhenFlags): void {
  if (cron === undefined && said(timeZone)) throw commandFailure('invalid_input', 'cliSchedules.zoneOnly');
  if (file === undefined && said(glob)) throw commandFailure('invalid_input', 'cliSchedules.globOnly');
  if (file === undefined && watch === undefined && said(rest))
    throw commandFailure('invalid_input', 'cliSchedules.restOnly');
  if (watch === undefined && said(server, poll))
    throw commandFailure('invalid_input', 'cliSchedules.watchOnly');
}

export function whenOf(flags: WhenFlags, now: number): ScheduleWhenView {
  const { at, cron, timeZone, file, glob, watch, rest } = flags;
  if ([at, cron, file, watch].filter((flag) => said(flag)).length > 1)
    throw commandFailure('invalid_input', 'cliSchedules.oneOfThree');
  checkTogether(flags);
  if (watch !== undefined) return resourceOf(watch, flags);
  if (at !== undefined) return { kind: 'once', at: timeOf(at, now) };
  if (cron !== undefined) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { kind: 'cron', expression: cron, timeZone: timeZone ?? own };
  }
  if (file === undefined)
    throw commandFailure(
      'invalid_input',
      'cliSchedules.oneOfThree',
      {},
      { help: 'cliSchedules.cronExample' },
    );
  const stable = spanOf(rest, restMs, 'cliSchedules.restForm');
  return { kind: 'file', path: resolve(file), glob: glob || null, restMs: stable };
}

type ResourceWhen = Extract<ScheduleWhenView, { kind: 'resource' }>;

const serverText = ({ server, agent }: ResourceWhen): string =>
  agent === null ? server : `${agent}/${server}`;

function flagsOfWhen(when: ScheduleWhenView): WhenFlags {
  switch (when.kind) {
    case 'once':
      return {};
    case 'cron':
      return { cron: when.expression, timeZone: when.timeZone };
    case 'file':
      return { file: when.path, glob: when.glob ?? '', rest: String(when.restMs / 1_000) };
    case 'resource':
      return {
        watch: when.uri,
        server: serverText(when),
        rest: String(when.restMs / 1_000),
        poll: String(when.pollMs / 1_000),
      };
  }
}

/** Unspecified flags keep their value while the kind of trigger stays the same. */
export function changedWhen(before: ScheduleWhenView, flags: WhenFlags, now: number): ScheduleWhenView {
  const { at, cron, file, watch } = flags;
  const named = { once: at, cron, file, resource: watch } as const;
  const kinds = ['once', 'cron', 'file', 'resource'] as const;
  const kind = kinds.find((each) => said(named[each])) ?? before.kind;
  return whenOf({ ...(kind === before.kind ? flagsOfWhen(before) : {}), ...flags }, now);
}

function argsOf(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Reported below.
  }
  throw commandFailure('invalid_input', 'cliSchedules.argsForm', {}, { help: 'cliSchedules.argsExample' });
}

export function startsFromFlags(flags: StartFlags): ScheduleStartsView {
  const { task, workflow, agent, to, args = '{}' } = flags;
  if (task !== undefined && workflow !== undefined)
    throw commandFailure('invalid_input', 'cliSchedules.oneOfTwo');
  if (task === undefined && workflow === undefined)
    throw commandFailure('invalid_input', 'cliSchedules.saysStart');
  if (task === undefined && saysOfTask(flags)) throw commandFailure('invalid_input', 'cliSchedules.taskOnly');
  if (workflow === undefined && said(flags.args))
    throw commandFailure('invalid_input', 'cliSchedules.argsOnly');
  if (task !== undefined) {
    const { priority = 0, project = null, budget = {} } = taskPlaceText(flags);
    // An empty value means any agent, or no room.
    return { kind: 'task', goal: task, agent: agent || null, project, priority, budget, room: to || null };
  }
  // A plain name refers to the workflow folder; a path is relative to the current folder.
  const file = workflow === undefined ? '' : /[\\/]/.test(workflow) ? resolve(workflow) : workflow;
  return { kind: 'workflow', file, args: argsOf(args) };
}

function flagsOfStarts(starts: ScheduleStartsView): StartFlags {
  if (starts.kind === 'workflow') return { workflow: starts.file, args: JSON.stringify(starts.args) };
  const { goal, agent, project, priority, budget, room } = starts;
  return {
    task: goal,
    agent: agent ?? '',
    project: project ?? '',
    priority: String(priority),
    to: room ?? '',
    budgetSteps: String(budget.steps ?? 'none'),
    budgetTokens: String(budget.tokens ?? 'none'),
    budgetUsd: String(budget.usd ?? 'none'),
  };
}

/** Unspecified flags keep their value while the kind of target stays the same. */
export function changedStarts(before: ScheduleStartsView, flags: StartFlags): ScheduleStartsView {
  const kind = said(flags.task) ? 'task' : said(flags.workflow) ? 'workflow' : before.kind;
  return startsFromFlags({ ...(kind === before.kind ? flagsOfStarts(before) : {}), ...flags });
}
