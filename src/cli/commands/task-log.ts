import { resolve } from 'node:path';
import type { TaskStepView } from '../../contract/task-methods.ts';
import { taskLog, workerList } from '../../contract/task-text.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';
import { endCode, followKnown } from './task-follow.ts';
import { laneLines } from './task-wait-text.ts';

interface Json {
  readonly json?: boolean;
}

async function allSteps({ call }: HostSession, task: number): Promise<TaskStepView[]> {
  const all: TaskStepView[] = [];
  for (let more = true; more; ) {
    const page = await call('tasks.steps', { task, after: all.at(-1)?.number ?? 0 });
    for (const step of page.steps) {
      const whole = step.cut ? await call('tasks.step', { task, step: step.number }) : null;
      all.push(whole ? { ...step, ...whole, cut: false } : step);
    }
    more = page.hasMore && page.steps.length > 0;
  }
  return all;
}

const seen = (step: TaskStepView): TaskStepView => ({
  ...step,
  action: visibleTerminalLine(step.action),
  result: step.result && visibleText(step.result),
  error: step.error && visibleText(step.error),
});

async function runTaskLogs(args: readonly string[], flags: Json): Promise<number> {
  const id = taskNumber(args[0]);
  return withHost('running-host', async (session) => {
    const { task } = await session.call('tasks.get', { task: id });
    const steps = await allSteps(session, id);
    const text = taskLog({ ...task, goal: visibleTerminalLine(task.goal) }, steps.map(seen), shown);
    show(flags.json === true, { task, steps }, text);
    return exitOk;
  });
}

async function runTaskStream(args: readonly string[], flags: Json): Promise<number> {
  const id = taskNumber(args[0]);
  return withHost('running-host', async (session) =>
    endCode(await followKnown(session, id, { json: flags.json === true })),
  );
}

async function runTaskImport(args: readonly string[], flags: Json): Promise<number> {
  const path = resolve(args[0] ?? '');
  return withHost('running-host', async ({ call }) => {
    const imported = await call('tasks.import', { path });
    const { added, known, notes } = imported;
    const count = added.length;
    const numbers = `${added.slice(0, 20).join(', ')}${count > 20 ? ' …' : ''}`;
    const lines = [
      count === 0 ? copy('cliTasks.imported', { count }) : copy('cliTasks.importedList', { count, numbers }),
      ...(known === 0 ? [] : [copy('cliTasks.alreadyHere', { known })]),
      ...notes.map(visibleTerminalLine),
    ];
    show(flags.json === true, imported, lines.join('\n'));
    return exitOk;
  });
}

interface WorkerFlags extends Json {
  readonly set?: string;
  readonly agent?: string;
  readonly concurrency?: string;
}

async function runWorkers(_args: readonly string[], flags: WorkerFlags): Promise<number> {
  const { set, agent, concurrency } = flags;
  const workers = set === undefined ? null : set === 'auto' ? 'auto' : parseWholeNumber('--set', set, 0, 64);
  if ((agent === undefined) !== (concurrency === undefined))
    throw commandFailure('invalid_input', 'cliTasks.together', {}, { help: 'cliTasks.exampleConcurrency' });
  const each = concurrency === undefined ? null : parseWholeNumber('--concurrency', concurrency, 1, 16);
  return withHost('running-host', async ({ call }) => {
    if (workers !== null) await call('tasks.setWorkers', { workers: workers === 'auto' ? null : workers });
    if (agent !== undefined && each !== null)
      await call('tasks.setWorkers', { agent: { agent, concurrency: each } });
    const view = await call('tasks.workers', {});
    const { ready, forWorker, forAgent, lanes } = view;
    const lines = [
      workerList(view.workers, shown),
      ...(ready === 0 ? [] : [copy('cliTasks.waiting', { ready, forWorker, forAgent })]),
      ...laneLines(lanes),
    ];
    show(flags.json === true, view, lines.join('\n'));
    return exitOk;
  });
}

export const logsTask = defineCommand({
  verb: 'logs',
  args: '<task>',
  examples: ['task logs 12', 'task logs 12 --json', 'task stream 12'],
  run: runTaskLogs,
});

export const streamTask = defineCommand({
  verb: 'stream',
  args: '<task>',
  examples: ['task stream 12', 'task stream 12 --json', 'task stream 12 && echo done'],
  run: runTaskStream,
});

export const importTasks = defineCommand({
  verb: 'import',
  args: '<file>',
  progress: 'cliProgress.importing',
  examples: ['task import ~/.personal-agent/tasks.json', 'task import tasks.json --json', 'task list'],
  run: runTaskImport,
});

export const workersCommand = defineCommand({
  verb: '',
  options: [{ flags: '--set <number>' }, { flags: '--agent <agent>' }, { flags: '--concurrency <number>' }],
  examples: ['workers', 'workers --set 4', 'workers --agent guide --concurrency 2'],
  run: runWorkers,
});
