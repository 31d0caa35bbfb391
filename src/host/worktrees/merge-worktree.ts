/** Merges the files of a worktree into the branch of the workspace. Nothing changes unless all of it fits. */
import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskWorktree } from '../../contract/task-methods.ts';
import { type CommitAuthor, type Git, gitFolder, isThere } from './git.ts';
import { inWorktree } from './worktree-diff.ts';

export type MergeHow = 'fast-forward' | 'merge' | 'nothing';

/** Files that git keeps while it waits for the end of an operation. */
const unfinished = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'BISECT_LOG',
];

const mostNamed = 10;
const listed = (names: readonly string[]): string =>
  [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ['…'] : [])].join(', ');

/** Branch of the workspace, or `null` if none is checked out. */
export async function branchOf(git: Git, repository: string): Promise<Result<string | null>> {
  const head = await git.tryRun({ repository }, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return head.ok ? ok(head.value.code === 0 ? head.value.stdout.trim() : null) : head;
}

async function checkWorkspace(git: Git, repository: string): Promise<Result<void>> {
  if (unfinished.some((name) => isThere(join(gitFolder(repository), name))))
    return err(fail('conflict', 'worktrees.unfinished', { folder: repository }));
  const branch = await branchOf(git, repository);
  if (!branch.ok) return branch;
  if (branch.value === null) return err(fail('conflict', 'worktrees.noBranch', { folder: repository }));
  const status = await git.run({ repository }, [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=all',
  ]);
  if (!status.ok) return status;
  const names = status.value.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  return names.length === 0
    ? ok(undefined)
    : err(fail('conflict', 'worktrees.unclean', { folder: repository, files: listed(names) }));
}

/** A commit with this tree on the branch of the worktree; the last one if it has the same files. */
async function commitTree(
  git: Git,
  worktree: TaskWorktree,
  { tree, message, author }: MergeOf,
): Promise<Result<string>> {
  const call = { ...inWorktree(worktree), author };
  const head = await git.run(call, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (!head.ok) return head;
  const before = await git.run(call, ['rev-parse', '--verify', 'HEAD^{tree}']);
  if (!before.ok || before.value === tree) return before.ok ? head : before;
  const commit = await git.run(call, ['commit-tree', tree, '-p', head.value, '-m', message]);
  if (!commit.ok) return commit;
  const moved = await git.run(call, ['update-ref', `refs/heads/${worktree.branch}`, commit.value]);
  return moved.ok ? commit : moved;
}

export interface MergeOf {
  readonly tree: string;
  readonly message: string;
  readonly author: CommitAuthor;
}

export async function mergeWorktree(
  git: Git,
  worktree: TaskWorktree,
  merge: MergeOf,
): Promise<Result<MergeHow>> {
  const call = { repository: worktree.repository, author: merge.author };
  const clean = await checkWorkspace(git, worktree.repository);
  if (!clean.ok) return clean;
  const commit = await commitTree(git, worktree, merge);
  if (!commit.ok) return commit;
  const head = await git.run(call, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (!head.ok) return head;
  const isMerged = await git.tryRun(call, ['merge-base', '--is-ancestor', commit.value, head.value]);
  if (!isMerged.ok) return isMerged;
  if (isMerged.value.code === 0) return ok('nothing');
  // Before any file is touched. Older versions of git lack the command and find conflicts below.
  const trial = await git.tryRun(call, [
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    head.value,
    commit.value,
  ]);
  if (!trial.ok) return trial;
  if (trial.value.code === 1) return conflictsIn(trial.value.stdout.split('\n').slice(1));
  const merged = await git.tryRun(call, [
    'merge',
    '--no-verify',
    '--no-stat',
    '-m',
    merge.message,
    commit.value,
  ]);
  if (!merged.ok) return merged;
  if (merged.value.code !== 0) return undoMerge(git, worktree.repository, merged.value.stderr);
  const after = await git.run(call, ['rev-parse', '--verify', 'HEAD^{commit}']);
  return after.ok ? ok(after.value === commit.value ? 'fast-forward' : 'merge') : after;
}

function conflictsIn(lines: readonly string[]): Result<never> {
  const files = [...new Set(lines.filter((line) => line !== ''))];
  return err(
    fail('conflict', 'worktrees.conflicts', { files: listed(files) }, { help: 'worktrees.solveConflicts' }),
  );
}

async function undoMerge(git: Git, repository: string, why: string): Promise<Result<never>> {
  const call = { repository };
  const open = await git.tryRun(call, ['diff', '--name-only', '--diff-filter=U', '--no-ext-diff']);
  if (isThere(join(gitFolder(repository), 'MERGE_HEAD'))) await git.tryRun(call, ['merge', '--abort']);
  const files = open.ok ? open.value.stdout.split('\n').filter((line) => line !== '') : [];
  if (files.length > 0) return conflictsIn(files);
  return err(fail('conflict', 'worktrees.gitRefused', { command: 'merge', why: why.split('\n').join(' ') }));
}
