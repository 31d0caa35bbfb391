import type { Command } from 'commander';
import { act, type Exit } from './act.ts';
import type { TaskVerb } from './commands/task.ts';
import { listByDefault } from './list-by-default.ts';

const tasks = async () => import('./commands/task.ts');
const logs = async () => import('./commands/task-log.ts');

export const addBudgetFlags = (command: Command): Command =>
  command
    .option(
      '--budget-steps <number>',
      'at most so many steps; what a turn of the agent may take unless you say otherwise',
    )
    .option('--budget-tokens <number>', 'at most so many tokens')
    .option('--budget-usd <sum>', 'at most so many US dollars');

const addPlaceFlags = (command: Command): Command =>
  addBudgetFlags(
    command
      .option('--project <name>', 'the project it belongs to')
      .option('--priority <number>', 'higher goes first; 0 unless you say otherwise')
      .option('--due <time>', 'not before: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"; "none" for at once'),
  );

const waitFlag = '--wait [seconds]';

function addMakers(task: Command, exit: Exit): void {
  const add = task.command('add <goal...>').description('add a task');
  add.option('--agent <id>', 'who is to do it; any agent unless you say otherwise');
  addPlaceFlags(add)
    .option('--key <text>', 'a second task with the same key is the first one')
    .option('--to <room>', 'post the result there')
    .option(waitFlag, 'wait for its end and print the result');
  act(add, exit, async () => (await tasks()).runTaskAdd);
  const change = task.command('change <task>').description('change a task that has not ended');
  act(addPlaceFlags(change), exit, async () => (await tasks()).runTaskChange);
  act(
    task
      .command('import <file>')
      .description('take over the tasks.json of a Personal Agent; all of it or nothing'),
    exit,
    async () => (await logs()).runTaskImport,
  );
}

function addReaders(task: Command, exit: Exit): void {
  const list = listByDefault(task).description('the tasks');
  list
    .option('--status <state>', 'pending, running, waiting, paused, done, error or cancelled')
    .option('--project <name>', 'of one project')
    .option('--agent <id>', 'for one agent')
    .option('--text <words>', 'that have this in goal, result or project')
    .option('--before <task>', 'older than this one')
    .option('--limit <number>', 'how many, at most 500', '100');
  act(list, exit, async () => (await tasks()).runTaskList);
  act(
    task.command('status').description('how many tasks are in each state'),
    exit,
    async () => (await tasks()).runTaskStatus,
  );
  act(
    task.command('show <task>').description('one task and its result'),
    exit,
    async () => (await tasks()).runTaskShow,
  );
  act(
    task.command('logs <task>').description('what was done for it, step by step'),
    exit,
    async () => (await logs()).runTaskLogs,
  );
  act(
    task.command('stream <task>').description('the same while it happens, to its end'),
    exit,
    async () => (await logs()).runTaskStream,
  );
}

const verbs: readonly (readonly [TaskVerb, string])[] = [
  ['pause', 'stop after the step it is at'],
  ['resume', 'let a paused task go on'],
  ['cancel', 'end it now, also in the middle of a step; what it did is kept'],
  ['retry', 'let a task that failed go on behind its last step'],
];

function addChangers(task: Command, exit: Exit): void {
  const run = task.command('run').description('look for tasks now; with --task, do this one next');
  run.option('--task <number>', 'this one, also before it is due').option(waitFlag, 'follow it to its end');
  act(run, exit, async () => (await tasks()).runTaskRun);
  for (const [verb, what] of verbs) {
    act(task.command(`${verb} <task>`).description(what), exit, async () =>
      (await tasks()).runTaskVerb(verb),
    );
  }
  const fork = task.command('fork <task>').description('a new task that begins after one of its steps');
  fork.option('--after <step>', 'the last step they have in common; 0 starts over', '0');
  act(fork, exit, async () => (await tasks()).runTaskFork);
  act(
    task
      .command('settle <task> <step> <yes|no>')
      .description('say whether a step happened that was interrupted'),
    exit,
    async () => (await tasks()).runTaskSettle,
  );
}

export function addTaskCommands(program: Command, exit: Exit): void {
  const task = program.command('task').description('what agents are to do without being talked to');
  addMakers(task, exit);
  addReaders(task, exit);
  addChangers(task, exit);
  const workers = program.command('workers').description('how many tasks are worked on at once, and which');
  workers
    .option('--set <number>', 'so many workers, at most 64; "auto" for what suits this computer')
    .option('--agent <id>', 'with --concurrency')
    .option('--concurrency <number>', 'so many tasks of that agent at once, at most 16');
  act(workers, exit, async () => (await logs()).runWorkers);
}
