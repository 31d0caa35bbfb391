import type { MethodInput } from '../../contract/methods.ts';
import type { TaskState, TaskSummary } from '../../contract/task-methods.ts';
import { statusCounts, taskLine, taskList } from '../../contract/task-text.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand, type OptionSpec } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { namesOf } from '../names-of.ts';
import { hasEnded, pauseNote } from '../task-stream.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';
import { archiveTasks, unarchiveTasks } from './task-archive.ts';
import { endCode, followTask } from './task-follow.ts';
import { importTasks, logsTask, streamTask } from './task-log.ts';
import {
  budgetOptions,
  dueOf,
  type PlaceFlags,
  taskFacts,
  taskNotes,
  taskPlaceText,
} from './task-options.ts';
import { waitWords } from './task-wait-text.ts';

interface Json {
  readonly json?: boolean;
}

interface WaitFlags extends Json {
  readonly wait?: string | boolean;
}

interface AddFlags extends WaitFlags, PlaceFlags {
  readonly agent?: string;
  readonly due?: string;
  readonly key?: string;
  readonly to?: string;
}

interface ListFlags extends Json {
  readonly status?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly text?: string;
  readonly before?: string;
  readonly sort?: string;
  readonly archived?: boolean;
  readonly limit: string;
}

function waitMs(flag: string | boolean | undefined): number | null {
  if (flag === undefined) return null;
  const seconds = flag === true ? Number.POSITIVE_INFINITY : Number(flag);
  if (!(seconds > 0)) throw commandFailure('invalid_input', 'cliTerminal.takesSeconds', { flag: '--wait' });
  return Math.min(seconds * 1_000, 2_147_483_647);
}

const line = (task: TaskSummary): string =>
  taskLine({ ...task, goal: visibleTerminalLine(task.goal) }, shown).trimStart();

/** The status alone would suggest a failure. */
const endNote = ({ id, failure }: TaskSummary): string | null =>
  failure?.kind === 'cancelled' ? copy('cliTasks.keptWork', { why: failure.message, id }) : null;

/** The status after a change, with an explanation if it is not obvious. */
function told(task: TaskSummary): string {
  const note = hasEnded(task) ? endNote(task) : pauseNote(task);
  return [line(task), ...(note === null ? [] : [note])].join('\n');
}

async function runTaskAdd(args: readonly string[], flags: AddFlags): Promise<number> {
  const goal = args.join(' ').trim();
  if (goal === '')
    throw commandFailure('invalid_input', 'cliTasks.needsGoal', {}, { help: 'cliTasks.exampleGoal' });
  const wait = waitMs(flags.wait);
  const input: MethodInput<'tasks.add'> = {
    goal,
    ...taskPlaceText(flags),
    ...dueOf('--due', flags.due, Date.now()),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...(flags.to === undefined ? {} : { room: flags.to }),
  };
  return withHost('running-host', async (session) => {
    const added = await session.call('tasks.add', input);
    const json = flags.json === true;
    const first = added.isNew ? line(added.task) : `${line(added.task)}\n${copy('cliTasks.again')}`;
    if (wait === null) {
      show(json, added, first);
      return exitOk;
    }
    if (!json) process.stderr.write(`${first}\n`);
    const ended = await followTask(session, added.task.id, { json, quiet: true, timeoutMs: wait });
    const { task, result } = await session.call('tasks.get', { task: ended.id });
    const why = task.failure ? visibleText(shown(task.failure.message)) : '';
    show(json, { task, result, isNew: added.isNew }, task.status === 'done' ? (result ?? '') : why);
    return endCode(task);
  });
}

const states = namesOf<TaskState>({
  pending: true,
  running: true,
  waiting: true,
  paused: true,
  done: true,
  error: true,
});

/** Like the window: cancelled tasks are separate from failed ones. */
function stateAsked(text: string | undefined): Pick<MethodInput<'tasks.list'>, 'status' | 'cancelled'> {
  if (text === undefined) return {};
  if (text === 'cancelled') return { status: 'error', cancelled: true };
  const status = states.find((each) => each === text);
  if (!status)
    throw commandFailure('invalid_input', 'cliTerminal.takesOneOf', {
      flag: '--status',
      names: [...states, 'cancelled'].join(', '),
    });
  return status === 'error' ? { status, cancelled: false } : { status };
}

async function waitsOf(
  { call }: Pick<HostSession, 'call'>,
  tasks: readonly TaskSummary[],
): Promise<(task: TaskSummary) => string | null> {
  if (tasks.every(({ status }) => status !== 'pending')) return () => null;
  const workers = await call('tasks.workers', {});
  return (task) => waitWords(task, workers, Date.now());
}

const namedAtMost = 10;

/** One line per reason of waiting, on standard error because programs parse the list. */
function heldBack(tasks: readonly TaskSummary[], waitFor: (task: TaskSummary) => string | null): string {
  const ids = new Map<string, number[]>();
  for (const task of tasks) {
    const why = waitFor(task);
    if (why !== null) ids.set(why, [...(ids.get(why) ?? []), task.id]);
  }
  return [...ids]
    .map(([why, all]) => {
      const ids = all.slice(0, namedAtMost).join(', ');
      const count = all.length - namedAtMost;
      return `${count > 0 ? copy('cliTasks.andMore', { ids, count }) : ids}: ${visibleTerminalLine(why)}\n`;
    })
    .join('');
}

type TaskCompare = (a: TaskSummary, b: TaskSummary) => number;

const oldestFirst: TaskCompare = (a, b) => a.id - b.id;

/** Ascending, because the end of a list is what a terminal shows. */
const taskOrders: Readonly<Record<string, TaskCompare>> = {
  number: oldestFirst,
  name: (a, b) => a.goal.localeCompare(b.goal) || oldestFirst(a, b),
  state: (a, b) => states.indexOf(b.status) - states.indexOf(a.status) || oldestFirst(a, b),
  activity: (a, b) => a.updatedAt - b.updatedAt || oldestFirst(a, b),
  spend: (a, b) =>
    a.used.usd + a.used.simulatedUsd - b.used.usd - b.used.simulatedUsd ||
    a.used.tokens - b.used.tokens ||
    oldestFirst(a, b),
};

function taskOrder(name = 'number'): TaskCompare {
  const order = Object.entries(taskOrders).find(([key]) => key === name)?.[1];
  if (!order)
    throw commandFailure('invalid_input', 'cliTerminal.takesOneOf', {
      flag: '--sort',
      names: Object.keys(taskOrders).join(', '),
    });
  return order;
}

async function runTaskList(_args: readonly string[], flags: ListFlags): Promise<number> {
  const limit = parseWholeNumber('--limit', flags.limit, 1, 500);
  const state = stateAsked(flags.status);
  const order = taskOrder(flags.sort);
  return withHost('running-host', async (session) => {
    const { call } = session;
    const page = await call('tasks.list', {
      limit,
      ...state,
      ...(flags.project === undefined ? {} : { project: flags.project }),
      ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      ...(flags.text === undefined ? {} : { text: flags.text }),
      ...(flags.archived === true ? { archived: true } : {}),
      ...(flags.before === undefined ? {} : { before: taskNumber(flags.before) }),
    });
    const tasks = [...page.tasks].sort(order);
    show(
      flags.json === true,
      flags.sort === undefined ? page : { ...page, tasks },
      taskList(
        tasks.map((task) => ({ ...task, goal: visibleTerminalLine(task.goal) })),
        shown,
      ),
    );
    if (flags.json) return exitOk;
    const oldest = page.tasks.at(-1);
    if (page.hasMore && oldest) process.stderr.write(`${copy('cliTasks.earlier', { id: oldest.id })}\n`);
    process.stderr.write(heldBack(tasks, await waitsOf(session, tasks)));
    return exitOk;
  });
}

async function runTaskStatus(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { counts, cancelled } = await call('tasks.list', { limit: 1 });
    show(flags.json === true, { counts, cancelled }, statusCounts(counts, cancelled, shown));
    return exitOk;
  });
}

async function runTaskShow(args: readonly string[], flags: Json): Promise<number> {
  const id = taskNumber(args[0]);
  return withHost('running-host', async (session) => {
    const { call } = session;
    const view = await call('tasks.get', { task: id });
    const { task, result } = view;
    const noted = taskNotes(view.memoryJson);
    const wait = (await waitsOf(session, [task]))(task);
    const lines = [
      told(task),
      ...(wait === null ? [] : [copy('cliTasks.waitsNow', { wait })]),
      ...taskFacts(task).map(visibleTerminalLine),
      ...(task.failure && task.failure.kind !== 'cancelled'
        ? ['', visibleText(copy('cliTasks.failed', { why: task.failure.message }))]
        : []),
      ...(noted.length === 0 ? [] : ['', copy('cliTasks.noted'), ...noted.map(visibleTerminalLine)]),
      ...(result === null ? [] : ['', visibleText(result)]),
    ];
    show(flags.json === true, view, lines.join('\n'));
    return exitOk;
  });
}

interface RunFlags extends WaitFlags {
  readonly task?: string;
}

async function runTaskRun(_args: readonly string[], flags: RunFlags): Promise<number> {
  const id = flags.task === undefined ? null : taskNumber(flags.task);
  const wait = waitMs(flags.wait);
  if (wait !== null && id === null) throw commandFailure('invalid_input', 'cliTasks.waitNeedsTask');
  return withHost('running-host', async (session) => {
    const { task } = await session.call('tasks.run', id === null ? {} : { task: id });
    const json = flags.json === true;
    if (wait !== null && task) {
      return endCode(await followTask(session, task.id, { json, timeoutMs: wait }));
    }
    show(json, { task }, task ? told(task) : copy('cliTasks.workersLook'));
    return exitOk;
  });
}

export type TaskVerb = 'pause' | 'resume' | 'cancel' | 'retry';

function runTaskVerb(verb: TaskVerb) {
  return async (args: readonly string[], flags: Json): Promise<number> => {
    const id = taskNumber(args[0]);
    return withHost('running-host', async ({ call }) => {
      const task = await call(`tasks.${verb}`, { task: id });
      show(flags.json === true, { task }, told(task));
      return exitOk;
    });
  };
}

async function runTaskFork(
  args: readonly string[],
  flags: Json & { readonly after: string },
): Promise<number> {
  const id = taskNumber(args[0]);
  const after = parseWholeNumber('--after', flags.after, 0, 100_000);
  return withHost('running-host', async ({ call }) => {
    const task = await call('tasks.fork', { task: id, after });
    show(flags.json === true, { task }, told(task));
    return exitOk;
  });
}

async function runTaskSettle(args: readonly string[], flags: Json): Promise<number> {
  const [number, step = '', happened = ''] = args;
  const id = taskNumber(number);
  if (happened !== 'yes' && happened !== 'no')
    throw commandFailure('invalid_input', 'cliTasks.sayHappened', { id }, { help: 'cliTasks.exampleSettle' });
  return withHost('running-host', async ({ call }) => {
    const task = await call('tasks.settle', {
      task: id,
      happened,
      step: parseWholeNumber(cliMessage('cliTasks.theStep'), step, 1, 100_000),
    });
    show(flags.json === true, { task }, told(task));
    return exitOk;
  });
}

async function runTaskChange(
  args: readonly string[],
  flags: Json & PlaceFlags & { readonly due?: string },
): Promise<number> {
  const id = taskNumber(args[0]);
  const change = { ...taskPlaceText(flags), ...dueOf('--due', flags.due, Date.now()) };
  if (Object.keys(change).length === 0)
    throw commandFailure('invalid_input', 'cliTasks.changeNeedsFlag', {}, { help: 'cliTasks.runWithHelp' });
  return withHost('running-host', async ({ call }) => {
    const task = await call('tasks.amend', { task: id, ...change });
    show(flags.json === true, { task }, [told(task), ...taskFacts(task).map(visibleTerminalLine)].join('\n'));
    return exitOk;
  });
}

const placeOptions: readonly OptionSpec[] = [
  { flags: '--project <name>' },
  { flags: '--priority <number>' },
  {
    flags: '--due <time>',
  },
  ...budgetOptions,
];

const add = defineCommand({
  verb: 'add',
  args: '<goal...>',
  options: [
    { flags: '--agent <agent>' },
    ...placeOptions,
    { flags: '--key <text>' },
    { flags: '--to <room>' },
    { flags: '--wait [seconds]' },
  ],
  examples: [
    'task add "Sort the inbox"',
    'task add "Sort the inbox" --agent guide --wait',
    'task add "Weekly report" --due "monday 9:00" --budget-usd 0.50',
  ],
  run: runTaskAdd,
});

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  options: [
    {
      flags: '--status <pending|running|waiting|paused|done|error|cancelled>',
    },
    { flags: '--project <name>' },
    { flags: '--agent <agent>' },
    { flags: '--text <text>' },
    {
      flags: `--sort <${Object.keys(taskOrders).join('|')}>`,
    },
    { flags: '--archived' },
    { flags: '--before <task>' },
    { flags: '--limit <number>', fallback: '100' },
  ],
  examples: ['task list', 'task list --status waiting', 'task list --agent guide --json'],
  run: runTaskList,
});

const showTask = defineCommand({
  verb: 'show',
  args: '<task>',
  examples: ['task show 12', 'task show 12 --json', "task show 12 --json | jq -r '.result'"],
  run: runTaskShow,
});

const status = defineCommand({
  verb: 'status',
  examples: ['task status', 'task status --json', "task status --json | jq '.counts.waiting'"],
  run: runTaskStatus,
});

const run = defineCommand({
  verb: 'run',
  options: [{ flags: '--task <number>' }, { flags: '--wait [seconds]' }],
  examples: ['task run', 'task run --task 12', 'task run --task 12 --wait'],
  run: runTaskRun,
});

const pause = defineCommand({
  verb: 'pause',
  args: '<task>',
  examples: ['task pause 12', 'task resume 12', 'task pause 12 --json'],
  run: runTaskVerb('pause'),
});

const resume = defineCommand({
  verb: 'resume',
  args: '<task>',
  examples: ['task resume 12', 'task list --status paused', 'task resume 12 --json'],
  run: runTaskVerb('resume'),
});

const cancel = defineCommand({
  verb: 'cancel',
  args: '<task>',
  examples: ['task cancel 12', 'task retry 12', 'task cancel 12 --json'],
  run: runTaskVerb('cancel'),
});

const retry = defineCommand({
  verb: 'retry',
  args: '<task>',
  examples: ['task retry 12', 'task list --status error', 'task retry 12 --json'],
  run: runTaskVerb('retry'),
});

const fork = defineCommand({
  verb: 'fork',
  args: '<task>',
  options: [{ flags: '--after <step>', fallback: '0' }],
  examples: ['task fork 12', 'task fork 12 --after 3', 'task logs 12'],
  run: runTaskFork,
});

const settle = defineCommand({
  verb: 'settle',
  args: '<task> <step> <yes|no>',
  examples: ['task settle 12 3 yes', 'task settle 12 3 no', 'task logs 12'],
  run: runTaskSettle,
});

const change = defineCommand({
  verb: 'change',
  args: '<task>',
  options: placeOptions,
  examples: [
    'task change 12 --priority 5',
    'task change 12 --due "in 2h"',
    'task change 12 --budget-usd none',
  ],
  run: runTaskChange,
});

export const taskCommands: readonly CommandSpec[] = [
  add,
  list,
  showTask,
  status,
  logsTask,
  streamTask,
  run,
  pause,
  resume,
  cancel,
  retry,
  fork,
  settle,
  change,
  archiveTasks,
  unarchiveTasks,
  importTasks,
];
