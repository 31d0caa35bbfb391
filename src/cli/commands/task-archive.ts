import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { parseDays, taskNumber } from '../whole-number.ts';

interface ArchiveFlags {
  readonly json?: boolean;
  readonly olderThan?: string;
}

async function runArchive(args: readonly string[], flags: ArchiveFlags): Promise<number> {
  if ((args.length === 0) === (flags.olderThan === undefined))
    throw commandFailure('invalid_input', 'cliTasks.nameTasks');
  const which =
    flags.olderThan === undefined
      ? { tasks: args.map(taskNumber) }
      : { olderThanDays: parseDays('--older-than', flags.olderThan) };
  return withHost('running-host', async ({ call }) => {
    const { tasks } = await call('tasks.archive', { archived: true, ...which });
    const key = tasks.length === 0 ? 'cliTasks.archived' : 'cliTasks.archivedBack';
    show(flags.json === true, { tasks }, copy(key, { count: tasks.length }));
    return exitOk;
  });
}

async function runUnarchive(args: readonly string[], flags: ArchiveFlags): Promise<number> {
  const named = args.map(taskNumber);
  return withHost('running-host', async ({ call }) => {
    const { tasks } = await call('tasks.archive', { archived: false, tasks: named });
    show(flags.json === true, { tasks }, copy('cliTasks.broughtBack', { count: tasks.length }));
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
