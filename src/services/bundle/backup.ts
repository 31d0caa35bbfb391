/**
 * Copies a whole data folder, databases in step with their logs, with a hash of every file; and verifies such
 * a copy before any of it is used. A backup or a restored folder is complete or absent (F26).
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import { isInside } from '../../core/policy/paths.ts';
import { say } from '../../language/say.ts';
import { asResult, BundleFault } from './bundle-fault.ts';
import { checkNames } from './entry-names.ts';
import { fileChunks } from './folder-files.ts';

const manifestSchema = z.object({
  kennel_backup: z.number().int(),
  version: z.string(),
  /** ms since the epoch. */
  made_at: z.number(),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string(), runs: z.boolean() })),
  links: z.array(z.object({ path: z.string(), to: z.string() })),
});
type Manifest = z.infer<typeof manifestSchema>;

const format = 1;
const manifestName = 'manifest.json';
const contentName = 'data';
const maxManifestBytes = 256 * 1024 * 1024;

/**
 * Files of the running process, rebuilt at start, or of another program are not worth keeping. A lock file
 * must not even be opened: POSIX drops all of a process's locks on a file when it closes any descriptor of
 * it.
 */
function isFleeting(path: string, name: string): boolean {
  if (
    /^host[.](lock|json|sock)/.test(name) ||
    /[.]db[.]lock(-journal)?$/.test(name) ||
    /^[.].*[.](tmp|next)$/.test(name)
  )
    return true;
  if (/^(logs|cache|team-relay|transfers)$/.test(path)) return true;
  return /^agents\/[.](new|deleting)-/.test(path);
}

const isDatabase = (name: string): boolean => name.endsWith('.db');
const isDatabaseLog = (name: string): boolean => /[.]db-(wal|shm|journal)$/.test(name);

interface Listing {
  readonly folders: string[];
  readonly files: string[];
  readonly links: { path: string; to: string }[];
}

function list(root: string): Listing {
  const found: Listing = { folders: [], files: [], links: [] };
  const visit = (prefix: string): void => {
    for (const entry of readdirSync(join(root, prefix), { withFileTypes: true })) {
      const path = `${prefix}${entry.name}`;
      if (isFleeting(path, entry.name) || isDatabaseLog(entry.name)) continue;
      if (entry.isDirectory()) {
        found.folders.push(path);
        visit(`${path}/`);
      } else if (entry.isSymbolicLink()) found.links.push({ path, to: readlinkSync(join(root, path)) });
      else if (entry.isFile()) found.files.push(path);
    }
  };
  visit('');
  return found;
}

/**
 * Synchronous: meanwhile this process writes nothing, and no other process owns the folder. A database copied
 * with its log equals the state after a crash at this moment, which SQLite recovers. The index (-shm), on
 * which SQLite holds its locks, is not touched.
 */
function copyInStep(from: string, to: string, path: string): string[] {
  const names = isDatabase(path) ? [path, `${path}-wal`] : [path];
  const copied = names.filter((name) => existsSync(join(from, name)));
  for (const name of copied) {
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    copyFileSync(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
  }
  return copied;
}

async function sumOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of fileChunks(path)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function sync(path: string): void {
  if (process.platform === 'win32' && lstatSync(path).isDirectory()) return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function copyAll(
  home: string,
  to: string,
): Promise<Omit<Manifest, 'kennel_backup' | 'version' | 'made_at'>> {
  const { folders, files, links } = list(home);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const folder of folders) mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
  const sums: Manifest['files'] = [];
  for (const path of files) {
    for (const name of copyInStep(home, to, path)) {
      const copy = join(to, name);
      sync(copy);
      sums.push({ path: name, ...(await sumOf(copy)), runs: (lstatSync(copy).mode & 0o100) !== 0 });
    }
    await pause();
  }
  return { folders, files: sums, links };
}

export interface BackupOptions {
  readonly home: string;
  readonly target: string;
  readonly version: string;
  /** ms since the epoch. */
  readonly now: number;
}

export interface BackupSize {
  readonly files: number;
  readonly bytes: number;
}

/** Builds under a temporary name and renames to `target` when complete. */
async function whole<T>(target: string, work: (building: string) => Promise<T>): Promise<T> {
  const building = join(
    dirname(target),
    `.${basename(target)}.${process.pid}.${Math.trunc(performance.now())}.tmp`,
  );
  try {
    mkdirSync(building, { recursive: true, mode: 0o700 });
    const done = await work(building);
    sync(building);
    renameSync(building, target);
    sync(dirname(target));
    return done;
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw error;
  }
}

const sizeOf = (files: Manifest['files']): BackupSize => ({
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
});

export function makeBackup({ home, target, version, now }: BackupOptions): Promise<Result<BackupSize>> {
  return asResult(target, async () => {
    if (existsSync(target)) {
      throw new BundleFault('conflict', say('moving.nameTaken'), {
        where: target,
      });
    }
    if (isInside(home, target)) {
      throw new BundleFault('invalid_input', say('moving.backupInsideSource'), {
        where: target,
      });
    }
    return whole(target, async (building) => {
      const content = await copyAll(home, join(building, contentName));
      const manifest: Manifest = { kennel_backup: format, version, made_at: now, ...content };
      const path = join(building, manifestName);
      writeFileSync(path, `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
      sync(path);
      return sizeOf(content.files);
    });
  });
}

const notBackup = (from: string) =>
  new BundleFault('invalid_input', say('moving.invalidBackup'), { where: from });

function readManifest(from: string): Manifest {
  const path = join(from, manifestName);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > maxManifestBytes) throw notBackup(from);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw notBackup(from);
  }
  const newer = z.object({ kennel_backup: z.number() }).safeParse(json);
  if (newer.success && newer.data.kennel_backup > format) {
    throw new BundleFault('unsupported', say('moving.backupTooNew'));
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw notBackup(from);
  checkNames([...parsed.data.files, ...parsed.data.links].map(({ path: name }) => name));
  for (const folder of parsed.data.folders) checkNames([folder]);
  return parsed.data;
}

const damaged = (path: string) =>
  new BundleFault('corrupt', say('moving.backupDamaged'), {
    where: path,
  });

async function takeFile(from: string, to: string, file: Manifest['files'][number]): Promise<void> {
  const target = join(to, file.path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const found = lstatSync(join(from, file.path), { throwIfNoEntry: false });
  if (!found?.isFile()) throw damaged(file.path);
  copyFileSync(join(from, file.path), target, constants.COPYFILE_FICLONE);
  sync(target);
  const sum = await sumOf(target);
  if (sum.bytes !== file.bytes || sum.sha256 !== file.sha256) throw damaged(file.path);
}

export interface BackupContents extends BackupSize {
  /** The Kennel version that made it. */
  readonly version: string;
  /** ms since the epoch. */
  readonly madeAt: number;
}

/** Reads the backup's own manifest; its files are checked when they are used. */
export function lookAtBackup(from: string): Promise<Result<BackupContents>> {
  return asResult(from, async () => {
    const { version, made_at: madeAt, files } = readManifest(from);
    return { ...sizeOf(files), version, madeAt };
  });
}

export interface RestoreOptions {
  readonly from: string;
  readonly home: string;
  /** The existing folder is moved here. */
  readonly aside: string;
  readonly beforeSwap: () => void;
  /** Number of files copied and checked so far. */
  readonly onProgress?: (files: number, of: number) => void;
}

export interface Restored extends BackupSize {
  /** Time of the backup, ms since the epoch. */
  readonly madeAt: number;
}

/**
 * Copies and checks everything first; then the existing folder is moved aside, and nothing of it is deleted.
 */
export function restoreBackup({
  from,
  home,
  aside,
  beforeSwap,
  onProgress = () => undefined,
}: RestoreOptions): Promise<Result<Restored>> {
  return asResult(home, async () => {
    const manifest = readManifest(from);
    const content = join(from, contentName);
    const building = join(dirname(home), `.${basename(home)}.${process.pid}.restoring`);
    try {
      mkdirSync(building, { recursive: true, mode: 0o700 });
      for (const folder of manifest.folders)
        mkdirSync(join(building, folder), { recursive: true, mode: 0o700 });
      for (const [index, file] of manifest.files.entries()) {
        await takeFile(content, building, file);
        onProgress(index + 1, manifest.files.length);
      }
      // Links come last, so that no file is written through a link from the backup.
      for (const { path, to } of manifest.links) symlinkSync(to, join(building, path));
      sync(building);
    } catch (error) {
      rmSync(building, { recursive: true, force: true });
      throw error;
    }
    beforeSwap();
    if (existsSync(home)) renameSync(home, aside);
    renameSync(building, home);
    sync(dirname(home));
    return { ...sizeOf(manifest.files), madeAt: manifest.made_at };
  });
}
