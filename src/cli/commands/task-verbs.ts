import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';
import { taskStatusText } from './task-status-text.ts';

// Commands that change the course of a task.

interface Json {
  readonly json?: boolean;
}

type TaskVerb = 'pause' | 'resume' | 'cancel' | 'retry';

function runTaskVerb(verb: TaskVerb) {
  return async (args: readonly string[], flags: Json): Promise<number> => {
    const id = taskNumber(args[0]);
    return withHost('running-host', async ({ call }) => {
      const task = await call(`tasks.${verb}`, { task: id });
      show(flags.json === true, { task }, taskStatusText(task));
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
    show(flags.json === true, { task }, taskStatusText(task));
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
    show(flags.json === true, { task }, taskStatusText(task));
    return exitOk;
  });
}

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

export const taskVerbs: readonly CommandSpec[] = [pause, resume, cancel, retry, fork, settle];
