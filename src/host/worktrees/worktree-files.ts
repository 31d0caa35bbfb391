/** Folders of worktrees in a repository. No link leads out of it (T14). */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TaskWorktree } from '../../contract/task-methods.ts';
import { gitFolder, isPlainFolder, isThere, readPlain } from './git.ts';

const ownFolder = '.kennel';

/** Folder of all worktrees of a repository; git ignores it, because it contains a rule to ignore itself. */
export const worktreesFolder = (repository: string): string => join(repository, ownFolder, 'worktrees');

/** Git's own record of a worktree, inside the repository. */
export const adminFolder = ({ repository, path }: Pick<TaskWorktree, 'repository' | 'path'>): string =>
  join(gitFolder(repository), 'worktrees', basename(path));

/** False if something that is no folder is in the way. */
export function makeWorktreesFolder(repository: string): boolean {
  const own = join(repository, ownFolder);
  for (const folder of [own, worktreesFolder(repository)]) {
    if (!isThere(folder)) mkdirSync(folder, { mode: 0o700 });
    if (!isPlainFolder(folder)) return false;
  }
  const ignore = join(own, '.gitignore');
  if (!isThere(ignore)) writeFileSync(ignore, '*\n', { flag: 'wx', mode: 0o600 });
  return true;
}

/** Whether git made this worktree where it was told to. */
export function isLinked(worktree: Pick<TaskWorktree, 'repository' | 'path'>): boolean {
  try {
    const admin = adminFolder(worktree);
    const link = readPlain(join(worktree.path, '.git')).trim();
    const back = readPlain(join(admin, 'gitdir')).trim();
    return link === `gitdir: ${admin}` && back === join(worktree.path, '.git');
  } catch {
    return false;
  }
}

/** Removes the folder and what git keeps of it; does nothing for what is gone. */
export async function removeWorktreeFolders(worktree: TaskWorktree): Promise<void> {
  const { path, repository } = worktree;
  const folder = worktreesFolder(repository);
  // A link in place of one of its folders could lead elsewhere.
  const isOurs =
    dirname(path) === folder && isPlainFolder(join(repository, ownFolder)) && isPlainFolder(folder);
  if (isOurs) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  const admin = adminFolder(worktree);
  if (isPlainFolder(dirname(admin)) && isPlainFolder(admin))
    await rm(admin, { recursive: true, force: true });
  removeIfEmpty(dirname(admin));
}

function removeIfEmpty(folder: string): void {
  try {
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  } catch {
    // The folder is gone, or in use again.
  }
}
