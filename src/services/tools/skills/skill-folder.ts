/**
 * The files of one skill: read from a folder of the operator or from an agent's workspace, within limits, and never
 * through a link (T14). The digest covers every file, so that a changed script is noticed like a changed text (T12).
 */
import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { ConfinedFiles, FileEntry } from '../../../core/tools/confined-files.ts';
import { sha256Hex } from '../../../platform/sha256.ts';

export const skillFileName = 'SKILL.md';
/** Written beside a skill by Kennel; no part of it. */
export const syncedMark = 'host-synced.md';
export const installedMark = 'agent-installed.md';
export const ignoreFile = '.gitignore';

export const skillLimits = { skills: 200, files: 200, bytes: 4 * 1024 * 1024, depth: 6 } as const;

/** Bytes by path below the folder of the skill, with `/`. */
export type SkillFiles = ReadonlyMap<string, Uint8Array>;

const ownNames: ReadonlySet<string> = new Set([syncedMark, installedMark, ignoreFile]);
export const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules']);
/** Whether a path with `/` leads through a folder that is no part of a skill. */
export const isSkippedPath = (path: string): boolean =>
  path.split('/').some((part) => skippedFolders.has(part));

/** `depth` 1: beside SKILL.md. */
const isLeftOut = (entry: string, depth: number): boolean =>
  skippedFolders.has(entry) || (depth === 1 && ownNames.has(entry));

export const skillTooLarge = (name: string) =>
  fail('too_large', 'skills.tooLarge', {
    name,
    files: skillLimits.files,
    size: skillLimits.bytes / 1024 ** 2,
  });
const noSkillFile = (name: string) => fail('not_found', 'skills.noSkillFile', { name });

export const skillText = (files: SkillFiles): string =>
  new TextDecoder().decode(files.get(skillFileName) ?? new Uint8Array());

/** A skill of one file has the digest of this file, which older records hold. */
export function digestOfSkill(files: SkillFiles): string {
  const own = [...files].filter(([path]) => !ownNames.has(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const [only] = own;
  if (own.length === 1 && only?.[0] === skillFileName) return sha256Hex(only[1]);
  return sha256Hex(own.map(([path, bytes]) => `${path}\0${sha256Hex(bytes)}\n`).join(''));
}

/** Counts what is read; false once the skill is larger than a skill may be. */
function createMeter(): (bytes: number) => boolean {
  let files = 0;
  let total = 0;
  return (bytes) => {
    files += 1;
    total += bytes;
    return files <= skillLimits.files && total <= skillLimits.bytes;
  };
}

export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Reads a folder of the operator. Links are left out: they may lead anywhere. */
export function readSkillFolder(folder: string, name: string): Result<SkillFiles> {
  const found = new Map<string, Uint8Array>();
  const fits = createMeter();
  const take = (path: string): boolean => {
    const full = join(folder, path);
    if (!fits(lstatSync(full).size)) return false;
    found.set(path, readFileSync(full));
    return true;
  };
  const visit = (below: string, depth: number): boolean =>
    depth <= skillLimits.depth &&
    entriesOf(join(folder, below)).every((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isLeftOut(entry.name, depth)) return true;
      if (entry.isDirectory()) return visit(path, depth + 1);
      return !entry.isFile() || take(path);
    });
  try {
    if (!visit('', 1)) return err(skillTooLarge(name));
  } catch {
    return err(fail('io_error', 'skills.unreadable', { name }));
  }
  return found.has(skillFileName) ? ok(found) : err(noSkillFile(name));
}

/** Reads a folder of a workspace. A link makes the skill unusable: what it names could change after a look at it. */
export async function readWorkspaceSkill(
  files: ConfinedFiles,
  folder: string,
  name: string,
): Promise<Result<SkillFiles>> {
  const found = new Map<string, Uint8Array>();
  const fits = createMeter();
  const take = async (path: string): Promise<Result<void>> => {
    const read = await files.read(`${folder}/${path}`, { maxBytes: skillLimits.bytes });
    if (!read.ok) return read;
    if (!fits(read.value.size)) return err(skillTooLarge(name));
    found.set(path, read.value.bytes);
    return ok(undefined);
  };
  const visit = async (below: string, depth: number): Promise<Result<void>> => {
    const listed = await files.list(below === '' ? folder : `${folder}/${below}`, skillLimits.files + 10);
    if (!listed.ok) return listed;
    if (listed.value.more || depth > skillLimits.depth) return err(skillTooLarge(name));
    for (const { name: entry, kind } of listed.value.entries) {
      if (isLeftOut(entry, depth)) continue;
      const path = below === '' ? entry : `${below}/${entry}`;
      const seen = await look(path, kind, depth);
      if (!seen.ok) return seen;
    }
    return ok(undefined);
  };
  const look = async (path: string, kind: FileEntry['kind'], depth: number): Promise<Result<void>> => {
    if (kind === 'folder') return visit(path, depth + 1);
    return kind === 'file' ? take(path) : err(fail('unsupported', 'skills.hasLink', { name }));
  };
  const visited = await visit('', 1);
  if (!visited.ok) return visited;
  return found.has(skillFileName) ? ok(found) : err(noSkillFile(name));
}
