import type { Command } from 'commander';
import { act, type Exit } from './act.ts';
import { listByDefault } from './list-by-default.ts';
import { addBudgetFlags } from './task-commands.ts';

// Commands about schedules and file triggers.

const load = async () => import('./commands/schedule.ts');

function addWhenFlags(command: Command): Command {
  return command
    .option('--at <time>', 'once: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"')
    .option('--cron <expression>', 'again and again: "0 9 * * 1-5" is at nine, Monday to Friday')
    .option('--time-zone <name>', "of the expression; this computer's unless you say otherwise")
    .option('--file <path>', 'when this file, or one in this folder, is made or changed')
    .option('--glob <pattern>', 'of a folder only these: "*.csv", "**/*.md"')
    .option('--rest <time>', 'how long the file must not have changed; 2s unless you say otherwise');
}

function addStartFlags(command: Command): Command {
  const flags = command
    .option('--task <goal>', 'start a task; {{path}} stands for the file that changed')
    .option('--agent <id>', 'who is to do it; any agent unless you say otherwise')
    .option('--project <name>', 'the project of the task')
    .option('--priority <number>', 'higher goes first');
  return addBudgetFlags(flags)
    .option('--to <room>', 'post the result there')
    .option('--workflow <file>', 'start a workflow instead')
    .option('--args <json>', 'its arguments, as a JSON object');
}

export function addScheduleCommands(program: Command, exit: Exit): void {
  const schedule = program.command('schedule').description('manage schedules');
  const add = schedule.command('add <name>').description('make a schedule');
  addStartFlags(addWhenFlags(add)).option('--catch-up', 'what was missed runs, once; else it is only listed');
  act(add, exit, async () => (await load()).runScheduleAdd);
  const change = schedule.command('change <schedule>').description('change a schedule, by its id or name');
  addStartFlags(addWhenFlags(change.option('--name <name>', 'call it so')))
    .option('--catch-up', 'what was missed runs, once')
    .option('--no-catch-up', 'what was missed is only listed');
  act(change, exit, async () => (await load()).runScheduleChange);
  const list = listByDefault(schedule).description('all schedules');
  act(list, exit, async () => (await load()).runScheduleList);
  act(
    schedule.command('show <schedule>').description('one schedule, and what was missed'),
    exit,
    async () => (await load()).runScheduleShow,
  );
  act(schedule.command('pause <schedule>').description('start nothing until it is resumed'), exit, async () =>
    (await load()).runScheduleEnabled(false),
  );
  act(schedule.command('resume <schedule>').description('go on from now'), exit, async () =>
    (await load()).runScheduleEnabled(true),
  );
  act(
    schedule.command('remove <schedule>').description('remove it; what it started goes on'),
    exit,
    async () => (await load()).runScheduleRemove,
  );
  const run = schedule.command('run <schedule>').description('start it now, besides its times');
  run.option('--missed <time>', 'in place of this run that was missed, or of the "latest"');
  act(run, exit, async () => (await load()).runScheduleRun);
  act(
    schedule.command('put-away <schedule>').description('what was missed is not listed any more'),
    exit,
    async () => (await load()).runSchedulePutAway,
  );
  const preview = schedule.command('preview <expression...>').description('when an expression is due');
  preview
    .option('--time-zone <name>', "this computer's unless you say otherwise")
    .option('--count <number>', 'how many times, at most 20', '5');
  act(preview, exit, async () => (await load()).runSchedulePreview);
}
