/**
 * Copies the skills of the operator into an agent's workspace: whole folders, each with a mark beside it. A folder
 * without the mark is the agent's or a person's own and stays as it is; a marked one that the operator has removed
 * goes. The agent can write its workspace, so every copy is compared with its source and no link is followed (T14).
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ok, type Result } from '../../../contract/result.ts';
import { skillName } from '../../../core/agents/skills.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { InstalledRecord } from './installed.ts';

const base = '.claude/skills';
const mark = 'host-synced.md';
const markText =
  'Kennel copied this skill from the folder of its operator and renews it. Changes here are lost.\n';
/** Keeps the copy out of commits, also out of those of a task's worktree. */
const ignoreFile = '.gitignore';
const ignoreText = '*\n';
const [maxSkills, maxFiles, maxBytes] = [200, 200, 4 * 1024 * 1024];

/** Bytes by path below the folder of the skill. */
type SkillFiles = ReadonlyMap<string, Uint8Array>;

function entriesOf(folder: string, recursive: boolean): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive });
  } catch {
    return [];
  }
}

/** `null` if the folder is no skill or larger than a skill may be. */
function readFiles(folder: string): SkillFiles | null {
  const found = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const entry of entriesOf(folder, true)) {
    // A link may lead out of the folder.
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += statSync(path).size;
    if (found.size >= maxFiles || bytes > maxBytes) return null;
    found.set(relative(folder, path), readFileSync(path));
  }
  return found.has('SKILL.md') ? found.set(ignoreFile, utf8(ignoreText)) : null;
}

/** The skills of these folders; of two with one name, that of the first folder. */
function readSources(folders: readonly string[]): ReadonlyMap<string, SkillFiles> {
  const skills = new Map<string, SkillFiles>();
  for (const folder of folders)
    for (const entry of entriesOf(folder, false)) {
      if (!entry.isDirectory() || !skillName.test(entry.name) || skills.has(entry.name)) continue;
      const files = readFiles(join(folder, entry.name));
      if (files && skills.size < maxSkills) skills.set(entry.name, files);
    }
  return skills;
}

const isThere = async (files: ConfinedFiles, path: string): Promise<boolean> => (await files.stat(path)).ok;

async function isSame(files: ConfinedFiles, folder: string, wanted: SkillFiles): Promise<boolean> {
  for (const [path, bytes] of wanted) {
    const found = await files.read(`${folder}/${path}`, { maxBytes: bytes.length + 1 });
    if (!found.ok || Buffer.compare(found.value.bytes, bytes) !== 0) return false;
  }
  return true;
}

async function copySkill(files: ConfinedFiles, folder: string, wanted: SkillFiles): Promise<Result<void>> {
  if (await isThere(files, folder)) {
    const removed = await files.remove(folder, true);
    if (!removed.ok) return removed;
  }
  // The mark comes first, so that a copy cut off by a crash is renewed.
  for (const [path, bytes] of [[mark, utf8(markText)] as const, ...wanted]) {
    const inside = path.includes('/') ? `${folder}/${path.slice(0, path.lastIndexOf('/'))}` : folder;
    const made = (await isThere(files, inside)) ? ok(undefined) : await files.makeFolder(inside, true);
    const written = made.ok ? await files.write(`${folder}/${path}`, bytes, 'create') : made;
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** Removes the copies whose source is gone. */
async function prune(
  files: ConfinedFiles,
  record: InstalledRecord,
  wanted: ReadonlyMap<string, SkillFiles>,
): Promise<Result<void>> {
  const present = await files.list(base, maxSkills);
  for (const { name } of present.ok ? present.value.entries : []) {
    const folder = `${base}/${name}`;
    if (wanted.has(name) || !(await isThere(files, `${folder}/${mark}`))) continue;
    const removed = await files.remove(folder, true);
    if (!removed.ok) return removed;
    record.skill(name, null);
  }
  return ok(undefined);
}

async function renew(
  files: ConfinedFiles,
  record: InstalledRecord,
  name: string,
  source: SkillFiles,
): Promise<Result<void>> {
  const folder = `${base}/${name}`;
  const isOwn = (await isThere(files, folder)) && !(await isThere(files, `${folder}/${mark}`));
  if (isOwn) return ok(undefined);
  const isCopied = await isSame(files, folder, source);
  const copied = isCopied ? ok(undefined) : await copySkill(files, folder, source);
  if (!copied.ok) return copied;
  const text = Buffer.from(source.get('SKILL.md') ?? []).toString('utf8');
  return record.knows(name, text) ? ok(undefined) : record.skill(name, text);
}

/** The operator chose these skills, so their texts count as approved (T12). */
export async function syncSkills(
  files: ConfinedFiles,
  record: InstalledRecord,
  folders: readonly string[],
): Promise<Result<void>> {
  const wanted = readSources(folders);
  const pruned = await prune(files, record, wanted);
  if (!pruned.ok) return pruned;
  for (const [name, source] of wanted) {
    const renewed = await renew(files, record, name, source);
    if (!renewed.ok) return renewed;
  }
  return ok(undefined);
}
