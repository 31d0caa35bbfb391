import type { MethodInput } from '../../contract/methods.ts';
import type { ScheduleStartsView, ScheduleView } from '../../contract/schedule-methods.ts';
import { type CommandSpec, defineCommand, type OptionSpec } from '../command.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { scheduleCells, scheduleFacts, scheduleHeads } from '../schedule-text.ts';
import { columnsText } from '../table.ts';
import { exitOk, show, usageError } from '../terminal.ts';
import { readWhen, shownTime } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';
import {
  changedStarts,
  changedWhen,
  type StartFlags,
  saysStarts,
  saysWhen,
  startsFromFlags,
  type WhenFlags,
  whenOf,
} from './schedule-flags.ts';
import { budgetOptions } from './task-options.ts';

interface Json {
  readonly json?: boolean;
}

type AddFlags = Json & WhenFlags & StartFlags & { readonly catchUp?: boolean };

const tell = (json: boolean | undefined, schedule: ScheduleView): void =>
  show(json === true, { schedule }, scheduleFacts(schedule));

type Asking = Pick<HostSession, 'call'>;

/** By id or name; for a misspelled one the host suggests another. */
async function named({ call }: Asking, wanted = ''): Promise<ScheduleView> {
  const [found] = (await call('schedules.list', { id: wanted })).schedules;
  if (!found) throw usageError(`There is no schedule "${wanted}".`);
  return found;
}

/** Checks the name now, because no person watches when the schedule is due. */
async function mustBeThere({ call }: Asking, starts: ScheduleStartsView): Promise<void> {
  if (starts.kind === 'workflow') await call('workflows.read', { file: starts.file });
}

async function runScheduleAdd(args: readonly string[], flags: AddFlags): Promise<number> {
  const input: MethodInput<'schedules.add'> = {
    name: args[0] ?? '',
    when: whenOf(flags, Date.now()),
    starts: startsFromFlags(flags),
    catchUp: flags.catchUp ? 'latest' : 'show',
  };
  return withHost('running-host', async (session) => {
    await mustBeThere(session, input.starts);
    tell(flags.json, await session.call('schedules.add', input));
    return exitOk;
  });
}

type ChangeFlags = Json & WhenFlags & StartFlags & { readonly catchUp?: boolean; readonly name?: string };

async function runScheduleChange(args: readonly string[], flags: ChangeFlags): Promise<number> {
  const change = {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.catchUp === undefined
      ? {}
      : { catchUp: flags.catchUp ? ('latest' as const) : ('show' as const) }),
  };
  if (Object.keys(change).length === 0 && !saysWhen(flags) && !saysStarts(flags))
    throw usageError('Nothing to change: give a flag.', 'Run with --help.');
  return withHost('running-host', async (session) => {
    const { id, when, starts } = await named(session, args[0]);
    const more = {
      ...(saysWhen(flags) ? { when: changedWhen(when, flags, Date.now()) } : {}),
      ...(saysStarts(flags) ? { starts: changedStarts(starts, flags) } : {}),
    };
    if (flags.workflow !== undefined && more.starts) await mustBeThere(session, more.starts);
    tell(flags.json, await session.call('schedules.set', { id, ...change, ...more }));
    return exitOk;
  });
}

async function runScheduleList(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const list = await call('schedules.list', {});
    const none = 'No schedules. "kennel schedule add" makes one.';
    const problems = list.schedules.filter(({ problem }) => problem !== '');
    const lines = [
      list.schedules.length === 0 ? none : columnsText(scheduleHeads, list.schedules.map(scheduleCells)),
      ...(problems.length === 0 ? [] : ['"kennel schedule show NAME" explains the problem.']),
    ];
    show(flags.json === true, list, lines);
    return exitOk;
  });
}

async function runScheduleShow(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async (session) => {
    tell(flags.json, await named(session, args[0]));
    return exitOk;
  });
}

function runScheduleEnabled(enabled: boolean) {
  return async (args: readonly string[], flags: Json): Promise<number> =>
    withHost('running-host', async ({ call }) => {
      tell(flags.json, await call('schedules.set', { id: args[0] ?? '', enabled }));
      return exitOk;
    });
}

async function runScheduleRemove(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('schedules.remove', { id: args[0] ?? '' });
    show(flags.json === true, {}, 'Removed. What it started before goes on.');
    return exitOk;
  });
}

/** The missed run displayed as this text; displayed times have no seconds. */
function missedAt({ missed }: ScheduleView, text: string): number {
  const [newest] = missed;
  if (newest === undefined) throw usageError('Nothing was missed.', 'Without --missed it starts now.');
  if (text === 'latest') return newest;
  const found = missed.find((at) => shownTime(at) === text.trim() || at === readWhen(text, Date.now()));
  if (found === undefined)
    throw usageError(
      `Nothing was missed at "${text}".`,
      '"kennel schedule show" lists what was; or say "latest".',
    );
  return found;
}

async function runScheduleRun(
  args: readonly string[],
  flags: Json & { readonly missed?: string },
): Promise<number> {
  const id = args[0] ?? '';
  return withHost('running-host', async (session) => {
    let missed: number | undefined;
    if (flags.missed !== undefined) missed = missedAt(await named(session, id), flags.missed);
    tell(
      flags.json,
      await session.call('schedules.runNow', { id, ...(missed === undefined ? {} : { missed }) }),
    );
    return exitOk;
  });
}

async function runSchedulePutAway(args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    tell(flags.json, await call('schedules.putAway', { id: args[0] ?? '' }));
    return exitOk;
  });
}

async function runSchedulePreview(
  args: readonly string[],
  flags: Json & { readonly timeZone?: string; readonly count: string },
): Promise<number> {
  const count = parseWholeNumber('--count', flags.count, 1, 20);
  const timeZone = flags.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  // An unquoted expression arrives as five arguments.
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

const whenOptions: readonly OptionSpec[] = [
  { flags: '--at <time>', summary: 'once: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"' },
  { flags: '--cron <expression>', summary: 'repeatedly: "0 9 * * 1-5" is 9:00, Monday to Friday' },
  { flags: '--time-zone <name>', summary: 'of the expression; default that of this computer' },
  { flags: '--file <path>', summary: 'when this file, or one in this folder, is made or changed' },
  { flags: '--glob <pattern>', summary: 'only these files of a folder: "*.csv", "**/*.md"' },
  { flags: '--rest <time>', summary: 'wait until the file was unchanged for this time; default 2s' },
];

const startOptions: readonly OptionSpec[] = [
  { flags: '--task <goal>', summary: 'start a task; {{path}} is the file that changed' },
  { flags: '--agent <agent>', summary: 'the agent that does it; default any' },
  { flags: '--project <name>', summary: 'the project of the task' },
  { flags: '--priority <number>', summary: 'higher goes first' },
  ...budgetOptions,
  { flags: '--to <room>', summary: 'post the result in this room' },
  { flags: '--workflow <file>', summary: 'start a workflow instead' },
  { flags: '--args <json>', summary: 'its arguments, as a JSON object' },
];

const add = defineCommand({
  verb: 'add',
  args: '<name>',
  summary: 'Add a schedule',
  options: [
    ...whenOptions,
    ...startOptions,
    { flags: '--catch-up', summary: 'run once for missed times; otherwise they are only listed' },
  ],
  examples: [
    ['schedule add daily --cron "0 9 * * 1-5" --task "Sort the inbox"', 'Start a task every weekday'],
    ['schedule add review --at "friday 16:00" --workflow weekly-review', 'Start a workflow once'],
    ['schedule add files --file ~/Inbox --glob "*.csv" --task "Import {{path}}"', 'Watch a folder'],
  ],
  run: runScheduleAdd,
});

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  summary: 'List all schedules',
  examples: [
    ['schedule list', 'List all schedules'],
    ['schedule list --json', 'Print them as JSON'],
    ["schedule list --json | jq -r '.schedules[].name'", 'Print only their names'],
  ],
  run: runScheduleList,
});

const showSchedule = defineCommand({
  verb: 'show',
  args: '<schedule>',
  summary: 'Show a schedule and its missed runs',
  examples: [
    ['schedule show daily', 'Show a schedule by its name'],
    ['schedule show daily --json', 'Print it as JSON'],
    ['schedule run daily --missed latest', 'Run a missed one'],
  ],
  run: runScheduleShow,
});

const change = defineCommand({
  verb: 'change',
  args: '<schedule>',
  summary: 'Change a schedule, by its id or name',
  options: [
    { flags: '--name <name>', summary: 'another name' },
    ...whenOptions,
    ...startOptions,
    { flags: '--catch-up', summary: 'run once for missed times' },
    { flags: '--no-catch-up', summary: 'only list missed times' },
  ],
  examples: [
    ['schedule change daily --cron "30 8 * * 1-5"', 'Start at another time'],
    ['schedule change daily --agent guide', 'Let another agent do it'],
    ['schedule change daily --catch-up', 'Run once after missed times'],
  ],
  run: runScheduleChange,
});

const pause = defineCommand({
  verb: 'pause',
  args: '<schedule>',
  summary: 'Pause a schedule',
  examples: [
    ['schedule pause daily', 'Start nothing until it is resumed'],
    ['schedule resume daily', 'Resume it'],
    ['schedule pause daily --json', 'Print the schedule as JSON'],
  ],
  run: runScheduleEnabled(false),
});

const resume = defineCommand({
  verb: 'resume',
  args: '<schedule>',
  summary: 'Resume a schedule from now',
  examples: [
    ['schedule resume daily', 'Resume a paused schedule'],
    ['schedule show daily', 'See when it starts next'],
    ['schedule resume daily --json', 'Print the schedule as JSON'],
  ],
  run: runScheduleEnabled(true),
});

const remove = defineCommand({
  verb: 'remove',
  args: '<schedule>',
  summary: 'Remove a schedule; what it started continues',
  examples: [
    ['schedule remove daily', 'Remove a schedule'],
    ['schedule pause daily', 'Pause it instead'],
    ['schedule remove daily --json', 'Remove it in a script'],
  ],
  run: runScheduleRemove,
});

const run = defineCommand({
  verb: 'run',
  args: '<schedule>',
  summary: 'Start a schedule now, besides its times',
  options: [{ flags: '--missed <time>', summary: 'in place of this missed run, or of the "latest"' }],
  examples: [
    ['schedule run daily', 'Start it now'],
    ['schedule run daily --missed latest', 'Run the latest missed one'],
    ['schedule run daily --missed "2026-11-20 09:00"', 'Run a certain missed one'],
  ],
  run: runScheduleRun,
});

const putAway = defineCommand({
  verb: 'put-away',
  args: '<schedule>',
  summary: 'Remove missed runs from the list',
  examples: [
    ['schedule put-away daily', 'Forget the missed runs of a schedule'],
    ['schedule show daily', 'Look at them first'],
    ['schedule put-away daily --json', 'Print the schedule as JSON'],
  ],
  run: runSchedulePutAway,
});

const preview = defineCommand({
  verb: 'preview',
  args: '<expression...>',
  summary: 'Print the next times of a cron expression',
  options: [
    { flags: '--time-zone <name>', summary: 'default that of this computer' },
    { flags: '--count <number>', summary: 'how many times, at most 20', fallback: '5' },
  ],
  examples: [
    ['schedule preview "0 9 * * 1-5"', 'Print the next five times'],
    ['schedule preview "0 9 1 * *" --count 12', 'Print the next twelve'],
    ['schedule preview "0 9 * * *" --time-zone Asia/Tokyo', 'Use another time zone'],
  ],
  run: runSchedulePreview,
});

export const scheduleCommands: readonly CommandSpec[] = [
  add,
  list,
  showSchedule,
  change,
  pause,
  resume,
  remove,
  run,
  putAway,
  preview,
];
