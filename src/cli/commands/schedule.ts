import type { MethodInput } from '../../contract/methods.ts';
import type { ScheduleStartsView, ScheduleView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { type CommandSpec, defineCommand, type OptionSpec } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { scheduleCells, scheduleFacts, scheduleHeads } from '../schedule-text.ts';
import { columnsText } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
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
  if (!found) throw commandFailure('invalid_input', 'cliSchedules.notThere', { name: wanted });
  return found;
}

/** Checks the names now, because no person watches when the schedule is due. */
async function serverMustBeThere({ call }: Asking, when: ScheduleWhenView): Promise<void> {
  if (when.kind !== 'resource') return;
  const { server: name, agent } = when;
  await call('mcpServers.show', { name, ...(agent === null ? {} : { agent }) });
}

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
    await serverMustBeThere(session, input.when);
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
    throw commandFailure('invalid_input', 'cliTasks.changeNeedsFlag', {}, { help: 'cliTasks.runWithHelp' });
  return withHost('running-host', async (session) => {
    const { id, when, starts } = await named(session, args[0]);
    const more = {
      ...(saysWhen(flags) ? { when: changedWhen(when, flags, Date.now()) } : {}),
      ...(saysStarts(flags) ? { starts: changedStarts(starts, flags) } : {}),
    };
    if (more.when) await serverMustBeThere(session, more.when);
    if (flags.workflow !== undefined && more.starts) await mustBeThere(session, more.starts);
    tell(flags.json, await session.call('schedules.set', { id, ...change, ...more }));
    return exitOk;
  });
}

async function runScheduleList(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const list = await call('schedules.list', {});
    const problems = list.schedules.filter(({ problem }) => problem !== '');
    const lines = [
      list.schedules.length === 0
        ? copy('cliSchedules.none')
        : columnsText(scheduleHeads(), list.schedules.map(scheduleCells)),
      ...(problems.length === 0 ? [] : [copy('cliSchedules.explains')]),
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
    show(flags.json === true, {}, copy('cliSchedules.removed'));
    return exitOk;
  });
}

/** The missed run displayed as this text; displayed times have no seconds. */
function missedAt({ missed }: ScheduleView, text: string): number {
  const [newest] = missed;
  if (newest === undefined)
    throw commandFailure('invalid_input', 'cliSchedules.nothingMissed', {}, { help: 'cliSchedules.runsNow' });
  if (text === 'latest') return newest;
  const found = missed.find((at) => shownTime(at) === text.trim() || at === readWhen(text, Date.now()));
  if (found === undefined)
    throw commandFailure(
      'invalid_input',
      'cliSchedules.nothingMissedAt',
      { text },
      { help: 'cliSchedules.listsMissed' },
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
    show(flags.json === true, { next, timeZone }, lines.join('\n') || copy('cliSchedules.never'));
    return exitOk;
  });
}

const whenOptions: readonly OptionSpec[] = [
  { flags: '--at <time>' },
  { flags: '--cron <expression>' },
  { flags: '--time-zone <name>' },
  { flags: '--file <path>' },
  { flags: '--glob <pattern>' },
  { flags: '--watch <address>' },
  { flags: '--server <name>' },
  { flags: '--poll <time>' },
  { flags: '--rest <time>' },
];

const startOptions: readonly OptionSpec[] = [
  { flags: '--task <goal>' },
  { flags: '--agent <agent>' },
  { flags: '--project <name>' },
  { flags: '--priority <number>' },
  ...budgetOptions,
  { flags: '--to <room>' },
  { flags: '--workflow <file>' },
  { flags: '--args <json>' },
];

const add = defineCommand({
  verb: 'add',
  args: '<name>',
  options: [...whenOptions, ...startOptions, { flags: '--catch-up' }],
  examples: [
    'schedule add daily --cron "0 9 * * 1-5" --task "Sort the inbox"',
    'schedule add news --watch docs://news --server news --task "Tell what is new"',
    'schedule add files --file ~/Inbox --glob "*.csv" --task "Import {{path}}"',
  ],
  run: runScheduleAdd,
});

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  examples: ['schedule list', 'schedule list --json', "schedule list --json | jq -r '.schedules[].name'"],
  run: runScheduleList,
});

const showSchedule = defineCommand({
  verb: 'show',
  args: '<schedule>',
  examples: ['schedule show daily', 'schedule show daily --json', 'schedule run daily --missed latest'],
  run: runScheduleShow,
});

const change = defineCommand({
  verb: 'change',
  args: '<schedule>',
  options: [
    { flags: '--name <name>' },
    ...whenOptions,
    ...startOptions,
    { flags: '--catch-up' },
    { flags: '--no-catch-up' },
  ],
  examples: [
    'schedule change daily --cron "30 8 * * 1-5"',
    'schedule change daily --agent guide',
    'schedule change daily --catch-up',
  ],
  run: runScheduleChange,
});

const pause = defineCommand({
  verb: 'pause',
  args: '<schedule>',
  examples: ['schedule pause daily', 'schedule resume daily', 'schedule pause daily --json'],
  run: runScheduleEnabled(false),
});

const resume = defineCommand({
  verb: 'resume',
  args: '<schedule>',
  examples: ['schedule resume daily', 'schedule show daily', 'schedule resume daily --json'],
  run: runScheduleEnabled(true),
});

const remove = defineCommand({
  verb: 'remove',
  args: '<schedule>',
  examples: ['schedule remove daily', 'schedule pause daily', 'schedule remove daily --json'],
  run: runScheduleRemove,
});

const run = defineCommand({
  verb: 'run',
  args: '<schedule>',
  options: [{ flags: '--missed <time>' }],
  examples: [
    'schedule run daily',
    'schedule run daily --missed latest',
    'schedule run daily --missed "2026-11-20 09:00"',
  ],
  run: runScheduleRun,
});

const putAway = defineCommand({
  verb: 'put-away',
  args: '<schedule>',
  examples: ['schedule put-away daily', 'schedule show daily', 'schedule put-away daily --json'],
  run: runSchedulePutAway,
});

const preview = defineCommand({
  verb: 'preview',
  args: '<expression...>',
  options: [{ flags: '--time-zone <name>' }, { flags: '--count <number>', fallback: '5' }],
  examples: [
    'schedule preview "0 9 * * 1-5"',
    'schedule preview "0 9 1 * *" --count 12',
    'schedule preview "0 9 * * *" --time-zone Asia/Tokyo',
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
