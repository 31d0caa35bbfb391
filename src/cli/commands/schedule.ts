import { resolve } from 'node:path';
import type { MethodInput } from '../../contract/methods.ts';
import type { ScheduleStartsView, ScheduleView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { columns } from '../columns.ts';
import { scheduleCells, scheduleFacts } from '../schedule-text.ts';
import { withHost } from '../session.ts';
import { exitOk, show, usage } from '../terminal.ts';
import { readSpan, readWhen, shownTime, whenForms } from '../when.ts';
import { budgetOf, type PlaceFlags, placeOf, wholeNumber } from './task-words.ts';

interface Json {
  readonly json?: boolean;
}

interface WhenFlags {
  readonly at?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly file?: string;
  readonly glob?: string;
  readonly rest?: string;
}

interface StartFlags extends PlaceFlags {
  readonly task?: string;
  readonly agent?: string;
  readonly to?: string;
  readonly workflow?: string;
  readonly args?: string;
}

type AddFlags = Json & WhenFlags & StartFlags & { readonly catchUp?: boolean };

const one = 'Give one of --at, --cron and --file.';
const shortestRestMs = 100;
const longestRestMs = 3_600_000;

function restOf(text: string | undefined): number {
  if (text === undefined) return 2_000;
  const ms = readSpan(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
  if (ms === null || ms < shortestRestMs || ms > longestRestMs)
    throw usage('--rest takes a time from 0.1 s to an hour, like "5s".');
  return ms;
}

function whenOf({ at, cron, timeZone, file, glob, rest }: WhenFlags, now: number): ScheduleWhenView | null {
  const given = [at, cron, file].filter((flag) => flag !== undefined);
  if (given.length > 1) throw usage(one);
  if (at !== undefined) {
    const time = readWhen(at, now);
    if (time === null) throw usage(`--at does not understand "${at}".`, whenForms);
    if (time < now) throw usage(`--at "${at}" is over already (${shownTime(time)}).`, whenForms);
    return { kind: 'once', at: time };
  }
  if (cron !== undefined) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { kind: 'cron', expression: cron, timeZone: timeZone ?? own };
  }
  if (file !== undefined)
    return { kind: 'file', path: resolve(file), glob: glob ?? null, restMs: restOf(rest) };
  return null;
}

function argsOf(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Said below.
  }
  throw usage('--args takes a JSON object.', `For example: --args '{"depth": 2}'`);
}

function startsOf(flags: StartFlags): ScheduleStartsView | null {
  const { task, workflow, agent = null, to = null } = flags;
  if (task !== undefined && workflow !== undefined) throw usage('Give one of --task and --workflow.');
  // A name alone is one of the folder of workflows; a path is taken from here.
  if (workflow !== undefined)
    return {
      kind: 'workflow',
      file: /[\\/]/.test(workflow) ? resolve(workflow) : workflow,
      args: argsOf(flags.args),
    };
  if (task === undefined) return null;
  const { priority = 0, project = null } = placeOf(flags);
  const budget = { steps: 100, tokens: null, usd: null, ...budgetOf(flags) };
  return { kind: 'task', goal: task, agent, project, priority, budget, room: to };
}

const tell = (json: boolean | undefined, schedule: ScheduleView): void =>
  show(json === true, { schedule }, scheduleFacts(schedule));

export async function runScheduleAdd(args: readonly string[], flags: AddFlags): Promise<number> {
  const when = whenOf(flags, Date.now());
  const starts = startsOf(flags);
  if (!when) throw usage(one, 'For example: --cron "0 9 * * 1-5"');
  if (!starts) throw usage('Say what to start: --task or --workflow.');
  const input: MethodInput<'schedules.add'> = {
    ...{ name: args[0] ?? '', when, starts },
    catchUp: flags.catchUp ? 'latest' : 'show',
  };
  return withHost('running-host', async ({ call }) => {
    tell(flags.json, await call('schedules.add', input));
    return exitOk;
  });
}

type ChangeFlags = Json & WhenFlags & StartFlags & { readonly catchUp?: boolean; readonly name?: string };

export async function runScheduleChange(args: readonly string[], flags: ChangeFlags): Promise<number> {
  const when = whenOf(flags, Date.now());
  const starts = startsOf(flags);
  const change = {
    ...(when ? { when } : {}),
    ...(starts ? { starts } : {}),
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.catchUp === undefined
      ? {}
      : { catchUp: flags.catchUp ? ('latest' as const) : ('show' as const) }),
  };
  if (Object.keys(change).length === 0) throw usage('Nothing to change: give a flag.', 'Run with --help.');
  return withHost('running-host', async ({ call }) => {
    tell(flags.json, await call('schedules.set', { id: args[0] ?? '', ...change }));
    return exitOk;
  });
}

export async function runScheduleList(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const list = await call('schedules.list', {});
    const none = 'No schedules. "kennel schedule add" makes one.';
    const problems = list.schedules.filter(({ problem }) => problem !== '');
    const lines = [
      list.schedules.length === 0 ? none : columns(list.schedules.map(scheduleCells)),
      ...(problems.length === 0 ? [] : ['(!) "kennel schedule show" says what is wrong.']),
    ];
    show(flags.json === true, list, lines.join('\n'));
    return exitOk;
  });
}

export async function runScheduleShow(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { schedules } = await call('schedules.list', {});
    const found =
      schedules.find(({ id }) => id === args[0]) ?? schedules.find(({ name }) => name === args[0]);
    if (!found)
      throw usage(`There is no schedule "${args[0] ?? ''}".`, 'List them with "kennel schedule list".');
    tell(flags.json, found);
    return exitOk;
  });
}

export function runScheduleEnabled(enabled: boolean) {
  return async (args: readonly string[], flags: Json): Promise<number> =>
    withHost('running-host', async ({ call }) => {
      tell(flags.json, await call('schedules.set', { id: args[0] ?? '', enabled }));
      return exitOk;
    });
}

export async function runScheduleRemove(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('schedules.remove', { id: args[0] ?? '' });
    show(flags.json === true, {}, 'Removed. What it started before goes on.');
    return exitOk;
  });
}

/** The missed run that is shown as this; the shown times are to the minute. */
function missedAt({ missed }: ScheduleView, text: string): number {
  const [newest] = missed;
  if (newest === undefined) throw usage('Nothing was missed.', 'Without --missed it starts now.');
  if (text === 'latest') return newest;
  const found = missed.find((at) => shownTime(at) === text.trim() || at === readWhen(text, Date.now()));
  if (found === undefined)
    throw usage(
      `Nothing was missed at "${text}".`,
      '"kennel schedule show" lists what was; or say "latest".',
    );
  return found;
}

export async function runScheduleRun(
  args: readonly string[],
  flags: Json & { readonly missed?: string },
): Promise<number> {
  const id = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    let missed: number | undefined;
    if (flags.missed !== undefined) {
      const { schedules } = await call('schedules.list', {});
      const found = schedules.find((each) => each.id === id || each.name === id);
      if (found) missed = missedAt(found, flags.missed);
    }
    tell(flags.json, await call('schedules.runNow', { id, ...(missed === undefined ? {} : { missed }) }));
    return exitOk;
  });
}

export async function runSchedulePutAway(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    tell(flags.json, await call('schedules.putAway', { id: args[0] ?? '' }));
    return exitOk;
  });
}

export async function runSchedulePreview(
  args: readonly string[],
  flags: Json & { readonly timeZone?: string; readonly count: string },
): Promise<number> {
  const count = wholeNumber('--count', flags.count, 1, 20);
  const timeZone = flags.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Unquoted, a shell hands the five fields over one by one.
  const expression = args.join(' ');
  return withHost('look', async ({ call }) => {
    const { next } = await call('schedules.preview', { expression, timeZone, count });
    const lines = next.map((at) =>
      new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
    );
    show(flags.json === true, { next, timeZone }, lines.join('\n') || 'Never.');
    return exitOk;
  });
}
