/**
 * Reads the skills of a folder, a zip archive or a git bundle of this computer. Nothing is unpacked beside the data of
 * Kennel: a zip is read entry by entry within limits (T16), a bundle by git in the sandbox, which turns it into a zip.
 */
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { readSkillFile } from '../../core/agents/skill-file.ts';
import { skillName } from '../../core/agents/skills.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { type ByteSource, fileSource } from '../../services/bundle/byte-source.ts';
import { readDirectory, type ZipEntry } from '../../services/bundle/zip-directory.ts';
import { entryContent } from '../../services/bundle/zip-entry.ts';
import {
  entriesOf,
  isSkippedPath,
  readSkillFolder,
  type SkillFiles,
  skillFileName,
  skillLimits,
  skillText,
  skillTooLarge,
  skippedFolders,
} from '../../services/tools/skills/skill-folder.ts';
import type { Git } from '../worktrees/git.ts';

export interface SkillSource {
  readonly from: 'folder' | 'zip' | 'bundle';
  /** Of a bundle. */
  readonly commit: string | null;
  /** Files by name of the skill. */
  readonly skills: ReadonlyMap<string, SkillFiles>;
}

const zipLimits = { entries: 4_000, totalBytes: 64 * 1024 * 1024, ratio: 100, ratioFromBytes: 1024 ** 2 };
const maxBundle = 256 * 1024 * 1024;

const noSkills = (path: string) => fail('not_found', 'skills.sourceWithoutSkill', { path });

/** The folder names a skill; at the top of an archive or folder the head does, because the folder is only a wrapping. */
function nameOf(files: SkillFiles, folder: string): string {
  if (folder !== '') return folder;
  return readSkillFile('', skillText(files)).head.name;
}

function named(
  found: readonly (readonly [folder: string, files: SkillFiles])[],
  path: string,
): Result<ReadonlyMap<string, SkillFiles>> {
  const skills = new Map<string, SkillFiles>();
  for (const [folder, files] of found) {
    const name = nameOf(files, folder);
    if (!skillName.test(name))
      return err(fail('invalid_input', 'skills.badNameInSource', { name: name.slice(0, 80) }));
    if (skills.has(name)) return err(fail('conflict', 'skills.twiceInSource', { name }));
    skills.set(name, files);
  }
  return skills.size === 0 ? err(noSkills(path)) : ok(skills);
}

function readFolder(path: string): Result<ReadonlyMap<string, SkillFiles>> {
  const found: (readonly [string, SkillFiles])[] = [];
  const visit = (folder: string, depth: number): Result<void> => {
    const entries = entriesOf(folder);
    if (entries.some((entry) => entry.name === skillFileName && entry.isFile())) {
      const read = readSkillFolder(folder, basename(folder));
      if (!read.ok) return read;
      found.push([basename(folder), read.value]);
      return found.length > skillLimits.skills
        ? err(fail('too_large', 'skills.tooManyInSource'))
        : ok(undefined);
    }
    for (const entry of entries) {
      if (!entry.isDirectory() || skippedFolders.has(entry.name) || depth >= skillLimits.depth) continue;
      const visited = visit(join(folder, entry.name), depth + 1);
      if (!visited.ok) return visited;
    }
    return ok(undefined);
  };
  const visited = visit(path, 1);
  return visited.ok ? named(found, path) : visited;
}

async function bytesOf(source: ByteSource, entry: ZipEntry): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of entryContent(source, entry)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** The folders that hold a skill; one inside another skill is part of it. */
function skillRoots(entries: readonly ZipEntry[]): readonly string[] {
  const roots = entries
    .filter(({ name }) => !isSkippedPath(name))
    .filter(({ name }) => name === skillFileName || name.endsWith(`/${skillFileName}`))
    .map(({ name }) => name.slice(0, -skillFileName.length))
    .sort((a, b) => a.length - b.length);
  return roots.filter((root, index) => !roots.slice(0, index).some((outer) => root.startsWith(outer)));
}

async function readZip(path: string, shown: string): Promise<Result<ReadonlyMap<string, SkillFiles>>> {
  return asResult(path, async () => {
    const source = fileSource(path);
    try {
      const entries = readDirectory(source, zipLimits);
      const found: (readonly [string, SkillFiles])[] = [];
      for (const root of skillRoots(entries)) {
        const inside = entries.filter(
          ({ name }) => name.startsWith(root) && !isSkippedPath(name.slice(root.length)),
        );
        const size = inside.reduce((sum, entry) => sum + entry.size, 0);
        const isDeep = inside.some(
          ({ name }) => name.slice(root.length).split('/').length > skillLimits.depth,
        );
        if (isDeep || inside.length > skillLimits.files || size > skillLimits.bytes) {
          const name = root === '' ? basename(shown) : root.slice(0, -1);
          return err(skillTooLarge(name));
        }
        const files = new Map<string, Uint8Array>();
        for (const entry of inside) files.set(entry.name.slice(root.length), await bytesOf(source, entry));
        found.push([basename(root), files]);
      }
      return named(found, shown);
    } finally {
      source.close();
    }
  }).then((read) => (read.ok ? read.value : read));
}

/** Commit of a bundle: what its HEAD names, else `main` or `master`, else its only branch. */
function commitOf(heads: string): string | null {
  const refs = new Map(
    heads.split('\n').flatMap((line) => {
      const [, commit = '', ref = ''] = /^([0-9a-f]{40,64}) (\S+)$/.exec(line) ?? [];
      return ref === '' ? [] : [[ref, commit] as const];
    }),
  );
  const wanted = ['HEAD', 'refs/heads/main', 'refs/heads/master'].find((ref) => refs.has(ref));
  return refs.get(wanted ?? (refs.size === 1 ? ([...refs.keys()][0] ?? '') : '')) ?? null;
}

async function readBundle(git: Git, path: string): Promise<Result<SkillSource>> {
  const repository = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-skills-')));
  try {
    if (statSync(path).size > maxBundle) return err(fail('too_large', 'skills.bundleTooLarge'));
    // The sandbox shows git this folder alone.
    copyFileSync(path, join(repository, 'source.bundle'));
    const run = (...args: readonly string[]) => git.run({ repository }, args);
    const made = await run('init', '--quiet', '--template=');
    if (!made.ok) return made;
    const heads = await run('bundle', 'list-heads', 'source.bundle');
    if (!heads.ok) return heads;
    const commit = commitOf(heads.value);
    if (commit === null) return err(fail('invalid_input', 'skills.bundleBranch'));
    // Not `fetch`: the settings of Kennel allow git no transport.
    const unpacked = await run('bundle', 'unbundle', 'source.bundle');
    if (!unpacked.ok) return unpacked;
    const packed = await run('archive', '--format=zip', '--output=tree.zip', commit);
    if (!packed.ok) return packed;
    const skills = await readZip(join(repository, 'tree.zip'), path);
    return skills.ok ? ok({ from: 'bundle', commit, skills: skills.value }) : skills;
  } finally {
    rmSync(repository, { recursive: true, force: true });
  }
}

function beginningOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, 16, 0)).toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

/** `path`: absolute path of a folder, a zip archive or a git bundle. */
export async function openSkillSource(
  path: string,
  loadGit: () => Promise<Git>,
): Promise<Result<SkillSource>> {
  if (!isAbsolute(path)) return err(fail('invalid_input', 'skills.sourceNotWhole', {}, { where: 'source' }));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return err(fail('not_found', 'skills.sourceMissing', { path }));
  if (stats.isDirectory()) {
    const skills = readFolder(realpathSync(path));
    return skills.ok ? ok({ from: 'folder', commit: null, skills: skills.value }) : skills;
  }
  if (!stats.isFile()) return err(fail('unsupported', 'skills.sourceKind', { path }));
  const beginning = beginningOf(path);
  if (/^# v[23] git bundle\n/.test(beginning)) return readBundle(await loadGit(), path);
  if (!beginning.startsWith('PK')) return err(fail('unsupported', 'skills.sourceKind', { path }));
  const skills = await readZip(path, path);
  return skills.ok ? ok({ from: 'zip', commit: null, skills: skills.value }) : skills;
}
