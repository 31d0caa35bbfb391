import { defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { exitOk, show, usageError } from '../terminal.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';

interface ArchiveFlags {
  readonly json?: boolean;
  readonly olderThan?: string;
}

const counted = (tasks: readonly number[]): string =>
  tasks.length === 1 ? '1 task' : `${tasks.length} tasks`;

async function runArchive(args: readonly string[], flags: ArchiveFlags): Promise<number> {
  if ((args.length === 0) === (flags.olderThan === undefined))
    throw usageError('Name the tasks to archive, or give --older-than DAYS.');
  const days = /^(\d+)d?$/.exec(flags.olderThan ?? '')?.[1] ?? flags.olderThan;
  const which =
    days === undefined
      ? { tasks: args.map(taskNumber) }
      : { olderThanDays: parseWholeNumber('--older-than', days, 0, 3_650) };
  return withHost('running-host', async ({ call }) => {
    const { tasks } = await call('tasks.archive', { archived: true, ...which });
    const back = tasks.length === 0 ? '' : ' "kennel task unarchive" brings them back.';
    show(flags.json === true, { tasks }, `Archived ${counted(tasks)}.${back}`);
    return exitOk;
  });
}

async function runUnarchive(args: readonly string[], flags: ArchiveFlags): Promise<number> {
  const named = args.map(taskNumber);
  return withHost('running-host', async ({ call }) => {
    const { tasks } = await call('tasks.archive', { archived: false, tasks: named });
    show(flags.json === true, { tasks }, `Brought back ${counted(tasks)}.`);
    return exitOk;
  });
}

export const archiveTasks = defineCommand({
  verb: 'archive',
  args: '[task...]',
  options: [{ flags: '--older-than <days>' }],
  examples: ['task archive 12 13', 'task archive --older-than 30d', 'task list --archived'],
  run: runArchive,
});

export const unarchiveTasks = defineCommand({
  verb: 'unarchive',
  args: '<task...>',
  examples: ['task unarchive 12', 'task unarchive 12 13', 'task list --archived'],
  run: runUnarchive,
});
