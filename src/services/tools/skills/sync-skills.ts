/**
 * Copies the skills of the operator into an agent's workspace: whole folders, each with a mark beside it. A folder
 * without the mark is the agent's or a person's own and stays as it is; a marked one that the operator has removed
 * goes. The agent can write its workspace, so every copy is compared with its source and no link is followed (T14).
 */
import { ok, type Result } from '../../../contract/result.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { InstalledRecord } from './installed.ts';
import {
  digestOfSkill,
  ignoreFile,
  readWorkspaceSkill,
  type SkillFiles,
  skillLimits,
  syncedMark,
} from './skill-folder.ts';

const markText =
  'Kennel copied this skill from the folder of its operator and renews it. Changes here are lost.\n';
/** Keeps the copy out of commits, also out of those of a task's worktree. */
const ignoreText = '*\n';

/** Folder of a workspace in which a program looks for skills. */
export type SkillBase = '.claude/skills' | '.agents/skills';
const bases: readonly SkillBase[] = ['.claude/skills', '.agents/skills'];

const isThere = async (files: ConfinedFiles, path: string): Promise<boolean> => (await files.stat(path)).ok;

/** True if the copy has exactly the files of its source: a file that a script of the skill left there counts as a change. */
async function isSame(files: ConfinedFiles, folder: string, name: string, digest: string): Promise<boolean> {
  const ignore = await files.read(`${folder}/${ignoreFile}`, { maxBytes: ignoreText.length + 1 });
  if (!ignore.ok || Buffer.compare(ignore.value.bytes, utf8(ignoreText)) !== 0) return false;
  const copy = await readWorkspaceSkill(files, folder, name);
  return copy.ok && digestOfSkill(copy.value) === digest;
}

async function copySkill(files: ConfinedFiles, folder: string, wanted: SkillFiles): Promise<Result<void>> {
  if (await isThere(files, folder)) {
    const removed = await files.remove(folder, true);
    if (!removed.ok) return removed;
  }
  // The mark comes first, so that a copy cut off by a crash is renewed.
  for (const [path, bytes] of [[syncedMark, utf8(markText)] as const, ...wanted]) {
    const inside = path.includes('/') ? `${folder}/${path.slice(0, path.lastIndexOf('/'))}` : folder;
    const made = (await isThere(files, inside)) ? ok(undefined) : await files.makeFolder(inside, true);
    const written = made.ok ? await files.write(`${folder}/${path}`, bytes, 'create') : made;
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** Removes the copies that are not wanted here. */
async function prune(
  files: ConfinedFiles,
  record: InstalledRecord,
  base: SkillBase,
  wanted: ReadonlyMap<string, SkillFiles>,
): Promise<Result<void>> {
  const present = await files.list(base, skillLimits.skills);
  for (const { name } of present.ok ? present.value.entries : []) {
    const folder = `${base}/${name}`;
    if (wanted.has(name) || !(await isThere(files, `${folder}/${syncedMark}`))) continue;
    const removed = await files.remove(folder, true);
    if (!removed.ok) return removed;
    record.skill(name, null);
  }
  return ok(undefined);
}

async function renew(
  files: ConfinedFiles,
  record: InstalledRecord,
  folder: string,
  [name, source]: readonly [string, SkillFiles],
): Promise<Result<void>> {
  const isOwn = (await isThere(files, folder)) && !(await isThere(files, `${folder}/${syncedMark}`));
  if (isOwn) return ok(undefined);
  const digest = digestOfSkill(source);
  if (!(await isSame(files, folder, name, digest))) {
    const copied = await copySkill(files, folder, new Map([...source, [ignoreFile, utf8(ignoreText)]]));
    if (!copied.ok) return copied;
  }
  return record.knows(name, digest) ? ok(undefined) : record.skill(name, digest);
}

/** The operator chose these skills, so they count as approved (T12). */
export async function syncSkills(
  files: ConfinedFiles,
  record: InstalledRecord,
  wanted: ReadonlyMap<string, SkillFiles>,
  base: SkillBase = '.claude/skills',
): Promise<Result<void>> {
  for (const each of bases) {
    const pruned = await prune(files, record, each, each === base ? wanted : new Map());
    if (!pruned.ok) return pruned;
  }
  for (const skill of wanted) {
    const renewed = await renew(files, record, `${base}/${skill[0]}`, skill);
    if (!renewed.ok) return renewed;
  }
  return ok(undefined);
}
