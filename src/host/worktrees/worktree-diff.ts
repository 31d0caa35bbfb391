/** Compares the files of a worktree with the commit at which its branch began. */
import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskDiff, TaskWorktree } from '../../contract/task-methods.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Git, GitCall } from './git.ts';
import { adminFolder } from './worktree-files.ts';

type Files = TaskDiff['files'];

const maxFiles = 300;
/** Characters of one diff. */
const maxDiff = 100_000;

/** The worktree as git sees it, without its own `.git` file. */
export const inWorktree = (worktree: TaskWorktree): GitCall => ({
  repository: worktree.repository,
  worktree: { path: worktree.path, gitDir: adminFolder(worktree) },
});

/**
 * Writes the files of the worktree, committed or not, as a tree and returns its id. Ignored files are left out. The
 * index of the worktree stays as it is.
 */
export async function writeTree(git: Git, worktree: TaskWorktree): Promise<Result<string>> {
  const call = { ...inWorktree(worktree), indexFile: join(adminFolder(worktree), 'kennel-index') };
  const read = await git.run(call, ['read-tree', 'HEAD']);
  if (!read.ok) return read;
  const added = await git.run(call, ['add', '--all', '--', '.']);
  if (!added.ok) return added;
  // Git would record only the commit of a repository inside, and not its files.
  const nested = await git.run(call, ['diff-index', '--cached', '--raw', '--no-renames', worktree.base]);
  if (!nested.ok) return nested;
  const inside = nested.value.split('\n').find((line) => /^:\d{6} 160000 /.test(line));
  if (inside !== undefined) {
    const name = inside.split('\t')[1] ?? '';
    return err(fail('conflict', 'worktrees.repositoryInside', { name }));
  }
  return git.run(call, ['write-tree']);
}

const changes = { A: 'created', D: 'removed' } as const;

/** The patch of each file in the order in which git lists them. */
const patchesOf = (patch: string): readonly string[] => patch.split(/^diff --git .*\n/m).slice(1);

/** Lines that say more than that the entry is a plain file. */
const modeLine = /^(?:(?:old|new) mode \d{6}|(?:new|deleted) file mode (?!100644$)\d{6})$/;

/** Without its head, which names the file again; modes stay, because a link or a program looks like a plain file. */
function hunksOf(patch: string): string {
  const start = patch.search(/^@@ /m);
  const [head, hunks] = start < 0 ? [patch, ''] : [patch.slice(0, start), patch.slice(start)];
  const modes = head.split('\n').filter((line) => modeLine.test(line));
  return [...modes, ...(hunks === '' ? [] : [hunks.replace(/\n$/, '')])].join('\n');
}

export async function changedFiles(
  git: Git,
  worktree: TaskWorktree,
  tree: string,
): Promise<Result<{ readonly files: Files; readonly more: number }>> {
  const call = { repository: worktree.repository };
  const between = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all', '-r'];
  const ends = [worktree.base, tree];
  const names = await git.run(call, ['diff-tree', ...between, '-z', '--name-status', ...ends]);
  if (!names.ok) return names;
  const patch = await git.tryRun(call, ['diff-tree', ...between, '--no-color', '-p', ...ends]);
  if (!patch.ok) return patch;
  const patches = patchesOf(patch.value.stdout);
  const fields = names.value.split('\0').filter((field) => field !== '');
  const all = fields.flatMap((kind, at) => {
    const path = at % 2 === 0 ? fields[at + 1] : undefined;
    return path === undefined ? [] : [{ kind, path }];
  });
  let at = 0;
  const files = all.slice(0, maxFiles).map(({ kind, path }): Files[number] => {
    // A file that became a link, or the other way round, is removed and made.
    const count = kind === 'T' ? 2 : 1;
    const hunks = patches
      .slice(at, at + count)
      .map(hunksOf)
      .join('\n');
    at += count;
    const diff = cutCodePoints(hunks, maxDiff);
    const isCut = diff !== hunks || (patch.value.isCut && at >= patches.length);
    return { path, change: changes[kind as keyof typeof changes] ?? 'changed', diff, cut: isCut };
  });
  return ok({ files, more: all.length - files.length });
}
