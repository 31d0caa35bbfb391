import type { TaskDiff } from '../../contract/task-methods.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { askYes, canAsk, commandFailure, exitOk, show, usageError } from '../terminal.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { taskNumber } from '../whole-number.ts';

// The git worktree of a task: its changes, and what becomes of them.

interface Flags {
  readonly json?: boolean;
  readonly yes?: boolean;
}

function describe({ branch, into, files, more }: TaskDiff): string {
  const head = copy(into === null ? 'cliTasks.onBranch' : 'cliTasks.onBranchInto', {
    branch,
    into: into ?? '',
  });
  const changes = files.flatMap(({ path, change, diff, cut }) => [
    '',
    `${copy(`cliUndo.change_${change}`)} ${visibleTerminalLine(path)}`,
    ...(diff === '' ? [] : diff.split('\n').map((line) => `    ${visibleExactLine(line)}`)),
    ...(cut ? [`    ${copy('cliUndo.cut')}`] : []),
  ]);
  return [
    visibleTerminalLine(head),
    ...(files.length === 0 ? ['', copy('cliTasks.noChanges')] : changes),
    ...(more > 0 ? ['', copy('cliTasks.moreFiles', { more })] : []),
  ].join('\n');
}

async function runTaskDiff(args: readonly string[], flags: Flags): Promise<number> {
  const task = taskNumber(args[0]);
  return withHost('running-host', async ({ call }) => {
    const diff = await call('tasks.diff', { task });
    show(flags.json === true, diff, describe(diff));
    return exitOk;
  });
}

/** Merges what is there now; a file that changes in the meantime stops it. */
async function runTaskMerge(args: readonly string[], flags: Flags): Promise<number> {
  const task = taskNumber(args[0]);
  return withHost('running-host', async ({ call }) => {
    const { tree, into, branch } = await call('tasks.diff', { task });
    const merged = await call('tasks.merge', { task, tree });
    const said = copy(`cliTasks.merged_${merged.how}`, { branch, into: into ?? '' });
    show(flags.json === true, merged, visibleTerminalLine(said));
    return exitOk;
  });
}

async function confirmDiscard({ call }: HostSession, task: number, { yes }: Flags): Promise<void> {
  if (yes) return;
  const { worktree } = (await call('tasks.get', { task })).task;
  const what = cliMessage('cliTasks.discards', { id: task, branch: worktree?.branch ?? '' });
  if (!canAsk()) throw usageError(what, cliMessage('cliTerminal.addYes'));
  if (!(await askYes(copy('cliSpaces.goOn', { what }))))
    throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
}

async function runTaskDiscard(args: readonly string[], flags: Flags): Promise<number> {
  const id = taskNumber(args[0]);
  return withHost('running-host', async (session) => {
    await confirmDiscard(session, id, flags);
    const task = await session.call('tasks.discard', { task: id });
    show(flags.json === true, { task }, copy('cliTasks.discarded', { id }));
    return exitOk;
  });
}

export const taskWorktreeCommands: readonly CommandSpec[] = [
  defineCommand({
    verb: 'diff',
    args: '<task>',
    examples: ['task diff 12', 'task diff 12 --json', 'task merge 12'],
    run: runTaskDiff,
  }),
  defineCommand({
    verb: 'merge',
    args: '<task>',
    examples: ['task merge 12', 'task diff 12', 'task merge 12 --json'],
    run: runTaskMerge,
  }),
  defineCommand({
    verb: 'discard',
    args: '<task>',
    options: [{ flags: '--yes' }],
    examples: ['task discard 12', 'task discard 12 --yes', 'task diff 12'],
    run: runTaskDiscard,
  }),
];
