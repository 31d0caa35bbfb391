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
  summary: 'Move finished tasks out of the lists; nothing is deleted',
  options: [{ flags: '--older-than <days>', summary: 'all that ended earlier, for example 30d' }],
  examples: [
    ['task archive 12 13', 'Archive two tasks'],
    ['task archive --older-than 30d', 'Archive all that ended over a month ago'],
    ['task list --archived', 'See the archive'],
  ],
  run: runArchive,
});

export const unarchiveTasks = defineCommand({
  verb: 'unarchive',
  args: '<task...>',
  summary: 'Bring archived tasks back into the lists',
  examples: [
    ['task unarchive 12', 'Bring a task back'],
    ['task unarchive 12 13', 'Bring two back'],
    ['task list --archived', 'Find their numbers'],
  ],
  run: runUnarchive,
});
