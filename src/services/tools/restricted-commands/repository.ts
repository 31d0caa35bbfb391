/**
 * Inspects a repository before git does. Git starts programs and reads files that a repository names (clean
 * filters, included configuration, another work tree, objects elsewhere); this check refuses those that no
 * option disables.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../../../contract/result.ts';
import { type CommandRefusal, refuseCommand } from '../../../core/policy/commands/refusal.ts';
import { repositoryParts } from '../../../core/policy/control-files.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';

const maxConfigBytes = 1024 * 1024;
const maxNames = 5_000;

/** Conservative: any text that could be parsed as such a section or key counts. */
const dangerous: readonly (readonly [RegExp, string])[] = [
  [/\[\s*include(if)?\b/i, 'includes other files'],
  [/\[\s*filter\b/i, 'names a filter program'],
  [/(^|[\s\]])worktree\s*=/i, 'names another work tree'],
  [/(^|[\s\]])(partialclone|promisor|partialclonefilter)\b/i, 'fetches objects when they are wanted'],
  [/(^|[\s\]])worktreeconfig\s*(=|$)/im, 'uses a second configuration'],
];

const unfit = (why: string): ReturnType<typeof refuseCommand> =>
  refuseCommand('git_repository_not_allowed', `This repository ${why}; git was not started.`);

function kindOf(path: string): 'folder' | 'other' | 'missing' {
  try {
    return lstatSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return 'missing';
  }
}

function entries(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Git treats a folder with these entries as a repository, whatever its name. */
export const looksLikeRepository = (folder: string): boolean =>
  repositoryParts.every((name) => kindOf(join(folder, name)) !== 'missing');

/** Finds the folder with `.git` from `cwd` upwards, but never outside of the roots. */
function topOf(files: ConfinedFiles, cwd: string): Result<string, CommandRefusal> {
  for (let at = cwd; files.resolve(at, 'read').ok; at = dirname(at)) {
    const kind = kindOf(join(at, '.git'));
    if (kind === 'folder') return ok(at);
    if (kind === 'other') return unfit('is somewhere else: its .git is a file or a link');
    // Git would treat such a folder as a repository without a work tree.
    if (looksLikeRepository(at)) return unfit('has no work tree');
    if (dirname(at) === at) break;
  }
  return refuseCommand(
    'git_repository_not_allowed',
    'There is no repository in the folders that may be used; git was not started.',
  );
}

/** Links could lead git to files outside; git itself never creates any in `.git`. */
function linkIn(folder: string, depth: number, budget: { left: number }): boolean {
  for (const entry of entries(folder)) {
    budget.left -= 1;
    if (budget.left < 0 || entry.isSymbolicLink()) return true;
    if (depth > 0 && entry.isDirectory() && linkIn(join(folder, entry.name), depth - 1, budget)) return true;
  }
  return false;
}

function structure(git: string): string | null {
  for (const name of ['commondir', 'objects/info/alternates', 'objects/info/http-alternates'])
    if (kindOf(join(git, name)) !== 'missing') return 'takes parts of another one';
  const looked: readonly (readonly [string, number])[] = [
    ['', 0],
    ['objects', 0],
    ['objects/pack', 0],
    ['objects/info', 0],
    ['info', 0],
    ['refs', 6],
    ['logs', 0],
  ];
  const budget = { left: maxNames };
  return looked.some(([name, depth]) => linkIn(join(git, name), depth, budget))
    ? 'holds links (or too many names to look at)'
    : null;
}

/** The top folder of the repository around `cwd`, or a refusal if git must not start there. */
export async function inspectRepository(
  files: ConfinedFiles,
  cwd: string,
): Promise<Result<string, CommandRefusal>> {
  const top = topOf(files, cwd);
  if (!top.ok) return top;
  const git = join(top.value, '.git');
  const odd = structure(git);
  if (odd) return unfit(odd);
  for (const name of ['config', 'config.worktree']) {
    const read = await files.read(join(git, name), { maxBytes: maxConfigBytes });
    if (!read.ok && read.error.code === 'not_found') continue;
    if (!read.ok || read.value.size > maxConfigBytes) return unfit('has a configuration that cannot be read');
    const text = Buffer.from(read.value.bytes).toString('latin1');
    const found = dangerous.find(([pattern]) => pattern.test(text));
    if (found) return unfit(found[1]);
  }
  return top;
}
