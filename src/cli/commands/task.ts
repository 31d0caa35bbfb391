import type { MethodInput } from '../../contract/methods.ts';
import { type CommandSpec, defineCommand, type OptionSpec } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';
import { taskNumber } from '../whole-number.ts';
import { archiveTasks, unarchiveTasks } from './task-archive.ts';
import { endCode, followTask, type WaitFlags, waitMs } from './task-follow.ts';
import { countTasks, listTasks } from './task-list.ts';
import { importTasks, logsTask, streamTask } from './task-log.ts';
import {
  budgetOptions,
  dueOf,
  type PlaceFlags,
  taskFacts,
  taskNotes,
  taskPlaceText,
} from './task-options.ts';
import { taskLineText, taskStatusText } from './task-status-text.ts';
import { taskVerbs } from './task-verbs.ts';
import { waitsOf } from './task-wait-text.ts';
import { taskWorktreeCommands } from './task-worktree.ts';

interface Json {
  readonly json?: boolean;
}

interface AddFlags extends WaitFlags, PlaceFlags {
  readonly agent?: string;
  readonly due?: string;
  readonly key?: string;
  readonly to?: string;
  readonly worktree?: string;
}

function worktreeOf(text: string | undefined): { worktree?: boolean } {
  if (text === undefined) return {};
  if (text !== 'on' && text !== 'off') throw commandFailure('invalid_input', 'cliTasks.onOrOff');
  return { worktree: text === 'on' };
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
    ...worktreeOf(flags.worktree),
  };
  return withHost('running-host', async (session) => {
    const added = await session.call('tasks.add', input);
    const json = flags.json === true;
    const first = added.isNew
      ? taskLineText(added.task)
      : `${taskLineText(added.task)}\n${copy('cliTasks.again')}`;
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

async function runTaskShow(args: readonly string[], flags: Json): Promise<number> {
  const id = taskNumber(args[0]);
  return withHost('running-host', async (session) => {
    const { call } = session;
    const view = await call('tasks.get', { task: id });
    const { task, result } = view;
    const noted = taskNotes(view.memoryJson);
    const wait = (await waitsOf(session, [task]))(task);
    const lines = [
      taskStatusText(task),
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
    show(json, { task }, task ? taskStatusText(task) : copy('cliTasks.workersLook'));
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
    show(
      flags.json === true,
      { task },
      [taskStatusText(task), ...taskFacts(task).map(visibleTerminalLine)].join('\n'),
    );
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
    { flags: '--worktree <on|off>' },
    { flags: '--wait [seconds]' },
  ],
  examples: [
    'task add "Sort the inbox"',
    'task add "Sort the inbox" --agent guide --wait',
    'task add "Weekly report" --due "monday 9:00" --budget-usd 0.50',
  ],
  run: runTaskAdd,
});

const showTask = defineCommand({
  verb: 'show',
  args: '<task>',
  examples: ['task show 12', 'task show 12 --json', "task show 12 --json | jq -r '.result'"],
  run: runTaskShow,
});

const run = defineCommand({
  verb: 'run',
  options: [{ flags: '--task <number>' }, { flags: '--wait [seconds]' }],
  examples: ['task run', 'task run --task 12', 'task run --task 12 --wait'],
  run: runTaskRun,
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
  listTasks,
  showTask,
  countTasks,
  logsTask,
  streamTask,
  run,
  ...taskVerbs,
  change,
  ...taskWorktreeCommands,
  archiveTasks,
  unarchiveTasks,
  importTasks,
];
