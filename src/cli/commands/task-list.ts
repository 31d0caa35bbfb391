import type { MethodInput } from '../../contract/methods.ts';
import type { TaskState, TaskSummary } from '../../contract/task-methods.ts';
import { statusCounts, taskList } from '../../contract/task-text.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { namesOf } from '../union-names.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';
import { waitsOf } from './task-wait-text.ts';

interface Json {
  readonly json?: boolean;
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

export const listTasks = defineCommand({
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

export const countTasks = defineCommand({
  verb: 'status',
  examples: ['task status', 'task status --json', "task status --json | jq '.counts.waiting'"],
  run: runTaskStatus,
});
