/** A schedule as text fields, validated only as a whole. */
import type { ScheduleStartsView, ScheduleView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { budgetIn, localInput, newBudget, type Plan, planOf, timeIn, wholePlan } from '../tasks/plan.ts';
import { choiceOf, expressionOf, type Often } from './cron-choice.ts';

export interface ScheduleDraft {
  readonly name: string;
  readonly starts: ScheduleStartsView['kind'];
  readonly goal: string;
  /** Empty for any agent. */
  readonly agent: string;
  /** Empty for no room. */
  readonly room: string;
  readonly plan: Plan;
  readonly file: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly when: ScheduleWhenView['kind'];
  readonly once: string;
  readonly often: Often | 'expression';
  /** Format `HH:MM`. */
  readonly time: string;
  readonly minute: string;
  readonly day: string;
  readonly date: string;
  readonly expression: string;
  readonly timeZone: string;
  readonly path: string;
  readonly glob: string;
  readonly uri: string;
  /** Name of the server of the resource, after `AGENT/` if it is that of one agent. */
  readonly server: string;
  /** Seconds between looks at a resource of a server that does not tell of changes. */
  readonly poll: string;
  /** Seconds that what is watched must stay unchanged before the start. */
  readonly rest: string;
  readonly catchUp: ScheduleView['catchUp'];
}

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (n: number): string => String(n).padStart(2, '0');

/** Tomorrow at 09:00, a default that starts nothing at once. */
function tomorrow(now: number): string {
  const at = new Date(now);
  at.setDate(at.getDate() + 1);
  at.setHours(9, 0, 0, 0);
  return localInput(at.getTime());
}

const begun = (now: number): ScheduleDraft => ({
  name: '',
  starts: 'task',
  goal: '',
  agent: '',
  room: '',
  plan: planOf(),
  file: '',
  args: {},
  when: 'cron',
  once: tomorrow(now),
  often: 'daily',
  time: '09:00',
  minute: '0',
  day: '1',
  date: '1',
  expression: '0 9 * * *',
  timeZone: ownTimeZone(),
  path: '',
  glob: '',
  uri: '',
  server: '',
  poll: '60',
  rest: '2',
  catchUp: 'show',
});

function cronDraft(expression: string, timeZone: string): Partial<ScheduleDraft> {
  const choice = choiceOf(expression);
  const base = { when: 'cron', expression, timeZone } as const;
  if (choice === null) return { ...base, often: 'expression' };
  const { often, minute } = choice;
  return {
    ...base,
    often,
    minute: String(minute),
    ...('hour' in choice ? { time: `${two(choice.hour)}:${two(minute)}` } : {}),
    ...('day' in choice ? { day: String(choice.day) } : {}),
    ...('date' in choice ? { date: String(choice.date) } : {}),
  };
}

function whenDraft(when: ScheduleWhenView): Partial<ScheduleDraft> {
  switch (when.kind) {
    case 'once':
      return { when: 'once', once: localInput(when.at) };
    case 'cron':
      return cronDraft(when.expression, when.timeZone);
    case 'file':
      return {
        when: 'file',
        path: when.path,
        glob: when.glob ?? '',
        rest: String(when.restMs / 1_000),
      };
    case 'resource':
      return {
        when: 'resource',
        uri: when.uri,
        server: when.agent === null ? when.server : `${when.agent}/${when.server}`,
        poll: String(when.pollMs / 1_000),
        rest: String(when.restMs / 1_000),
      };
  }
}

function startsDraft(starts: ScheduleStartsView): Partial<ScheduleDraft> {
  if (starts.kind === 'workflow') return { starts: 'workflow', file: starts.file, args: starts.args };
  const { goal, agent, room, project, priority, budget } = starts;
  const limits = { steps: budget.steps ?? '', tokens: budget.tokens ?? '', usd: budget.usd ?? '' };
  const plan = planOf({
    project: project ?? '',
    priority: String(priority),
    steps: String(limits.steps),
    tokens: String(limits.tokens),
    usd: String(limits.usd),
  });
  return { starts: 'task', goal, agent: agent ?? '', room: room ?? '', plan };
}

/** `schedule` is `null` for a new draft. */
export function draftOf(schedule: ScheduleView | null, now: number): ScheduleDraft {
  if (schedule === null) return begun(now);
  const { name, catchUp, when, starts } = schedule;
  return { ...begun(now), name, catchUp, ...whenDraft(when), ...startsDraft(starts) };
}

const numberIn = (text: string, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(Number(text)) || least));

/** Cron expression from the choices, or the typed one. */
export function expressionIn({ often, time, minute, day, date, expression }: ScheduleDraft): string {
  if (often === 'expression') return expression.trim();
  if (often === 'hourly') return expressionOf({ often, minute: numberIn(minute, 0, 59) });
  const [hours = '9', minutes = '0'] = time.split(':');
  const at = { hour: numberIn(hours, 0, 23), minute: numberIn(minutes, 0, 59) };
  if (often === 'weekly') return expressionOf({ often, ...at, day: numberIn(day, 0, 6) });
  if (often === 'monthly') return expressionOf({ often, ...at, date: numberIn(date, 1, 31) });
  return expressionOf({ often, ...at });
}

const leastRest = 100;
const mostRest = 3_600_000;
const leastPoll = 1_000;
const mostPoll = 86_400_000;

const restIn = ({ rest }: ScheduleDraft): number =>
  numberIn(String(Number(rest) * 1_000), leastRest, mostRest);

function resourceIn(draft: ScheduleDraft): ScheduleWhenView | null {
  const [uri, named] = [draft.uri.trim(), draft.server.trim()];
  const slash = named.lastIndexOf('/');
  const server = named.slice(slash + 1);
  if (uri === '' || server === '') return null;
  const agent = slash === -1 ? null : named.slice(0, slash);
  const pollMs = numberIn(String(Number(draft.poll) * 1_000), leastPoll, mostPoll);
  return { kind: 'resource', uri, server, agent, restMs: restIn(draft), pollMs };
}

function whenIn(draft: ScheduleDraft): ScheduleWhenView | null {
  switch (draft.when) {
    case 'once': {
      const at = timeIn(draft.once);
      return at === null ? null : { kind: 'once', at };
    }
    case 'cron': {
      const expression = expressionIn(draft);
      const timeZone = draft.timeZone.trim();
      return expression === '' || timeZone === '' ? null : { kind: 'cron', expression, timeZone };
    }
    case 'file': {
      const path = draft.path.trim();
      const glob = draft.glob.trim() === '' ? null : draft.glob.trim();
      return path === '' ? null : { kind: 'file', path, glob, restMs: restIn(draft) };
    }
    case 'resource':
      return resourceIn(draft);
  }
}

/** Keeps the stored time if the form still shows it, because the fields have no seconds. */
function whenNow(draft: ScheduleDraft, before: ScheduleView | null): ScheduleWhenView | null {
  const when = whenIn(draft);
  if (before === null) return when;
  const shown = whenIn({ ...draft, ...whenDraft(before.when) });
  return JSON.stringify(when) === JSON.stringify(shown) ? before.when : when;
}

function startsIn(draft: ScheduleDraft, isNew: boolean): ScheduleStartsView | null {
  const { goal, agent, room, plan, file, args } = draft;
  if (draft.starts === 'workflow') return file === '' ? null : { kind: 'workflow', file, args };
  if (goal.trim() === '') return null;
  const { project, priority } = wholePlan(plan);
  return {
    kind: 'task',
    goal: goal.trim(),
    agent: agent === '' ? null : agent,
    project,
    priority,
    budget: isNew ? newBudget(plan) : budgetIn(plan),
    room: room === '' ? null : room,
  };
}

const nameLength = 60;

/** Default name: the first line of the goal, or the file's name. */
function nameIn({ name, starts, goal, file }: ScheduleDraft): string {
  const given = name.trim();
  if (given !== '') return given;
  const text = starts === 'task' ? goal.trim() : (file.split(/[\\/]/).at(-1) ?? '');
  return [...(text.split(/[\r\n]/)[0] ?? '')].slice(0, nameLength).join('').trim();
}

/** The required field that is empty. */
export type Missing = 'goal' | 'file' | 'time' | 'path' | 'resource';

export type ReadDraft =
  | { readonly missing: Missing }
  | {
      readonly name: string;
      readonly when: ScheduleWhenView;
      readonly starts: ScheduleStartsView;
      readonly catchUp: ScheduleView['catchUp'];
    };

/** `before` is the edited schedule, or `null` for a new one. */
export function readDraft(draft: ScheduleDraft, before: ScheduleView | null): ReadDraft {
  const starts = startsIn(draft, before === null);
  if (starts === null) return { missing: draft.starts === 'task' ? 'goal' : 'file' };
  const when = whenNow(draft, before);
  if (when === null) {
    const of = { once: 'time', cron: 'time', file: 'path', resource: 'resource' } as const;
    return { missing: of[draft.when] };
  }
  return { name: nameIn(draft), when, starts, catchUp: draft.catchUp };
}
