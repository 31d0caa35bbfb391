/**
 * Takes snapshots of trees of files. It promises bounded work: folders of generated files are skipped, and a
 * tree larger than the limits is covered folder by folder from the top, so that each folder is covered whole
 * or not at all. It yields to other work at short intervals.
 */
import { lstatSync, type Stats } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { StoreError } from '../../../core/lib/store-error.ts';
import { absent, type PathState, type Snapshot } from '../../../core/undo/path-state.ts';
import type { ContentStore } from '../../../core/undo/snapshot-port.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { Refused } from '../confined/confined-errors.ts';
import { type FolderHandle, openFolder, parentOf } from '../confined/folder-handle.ts';
import { namesIn } from '../confined/trees.ts';
import type { HashCache } from './hash-cache.ts';
import { modeOf, readState, uncovered } from './path-reader.ts';

export interface ScanLimits {
  readonly entries: number;
  readonly bytes: number;
}

export const scanLimits: ScanLimits = { entries: 50_000, bytes: 256 * 1024 * 1024 };

/** Generated, large, and made again by their tool. Matched by name below a captured path, never the path itself. */
export const ignoredFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.gradle',
  '.cache',
  '.next',
  '.turbo',
  '.pnpm-store',
]);

/** Files of a write in progress; see one-file.ts. */
const temporary = /^[.]kennel-[0-9a-f-]{36}[.]tmp$/;
/** Contents stored in one transaction, in bytes. */
const batchBytes = 4 * 1024 * 1024;
/** ms without a pause for other work. */
const sliceMs = 8;

export interface ScanDeps {
  readonly contents: ContentStore;
  readonly cache: HashCache;
  readonly byHandles: boolean;
  readonly limits: ScanLimits;
  readonly signal?: AbortSignal | undefined;
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Scan {
  readonly found = new Map<string, PathState>();
  readonly #deps: ScanDeps;
  #batch: { hash: string; bytes: Uint8Array }[] = [];
  #stored: (() => void)[] = [];
  #batched = 0;
  #bytes = 0;
  #since = performance.now();

  constructor(deps: ScanDeps) {
    this.#deps = deps;
  }

  get aborted(): boolean {
    return this.#deps.signal?.aborted === true;
  }

  /** Asked for each entry; waiting for a promise each time would cost more. */
  get isDue(): boolean {
    return performance.now() - this.#since >= sliceMs;
  }

  async breathe(): Promise<void> {
    await pause();
    this.#since = performance.now();
  }

  /**
   * Records the path; returns its state. A known file is recognised by its plain path, which costs half of a look
   * by the handle: no other file has its device, inode and times.
   */
  read(folder: FolderHandle, name: string, path: string): PathState {
    const { cache } = this.#deps;
    const known = (stats: Stats): string | null => cache.find(path, stats);
    const seen = cache.has(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    const hash = seen?.isFile() && seen.nlink === 1 ? known(seen) : null;
    if (seen && hash !== null)
      return this.#count(path, { kind: 'file', hash, size: seen.size, mode: modeOf(seen) });
    const { state, bytes, stats } = readState(folder, name, known);
    if (bytes && stats && state.kind === 'file' && this.#bytes + state.size <= this.#deps.limits.bytes)
      this.#keep(path, stats, { hash: state.hash, bytes });
    return this.#count(path, state);
  }

  /** A file beyond the limit of bytes is not covered. */
  #count(path: string, state: PathState): PathState {
    if (state.kind !== 'file') return this.#note(path, state);
    if (this.#bytes + state.size > this.#deps.limits.bytes) return this.#note(path, uncovered('limit'));
    this.#bytes += state.size;
    return this.#note(path, state);
  }

  skip(path: string, why: 'ignored' | 'limit' | 'unreadable'): PathState {
    return this.#note(path, uncovered(why));
  }

  #note(path: string, state: PathState): PathState {
    if (state.kind !== 'absent') this.found.set(path, state);
    return state;
  }

  #keep(path: string, stats: Stats, content: { readonly hash: string; readonly bytes: Uint8Array }): void {
    const { hash, bytes } = content;
    const readAt = Date.now();
    this.#batch.push({ hash, bytes });
    this.#stored.push(() => this.#deps.cache.note(path, stats, hash, readAt));
    this.#batched += bytes.length;
    if (this.#batched >= batchBytes) this.store();
  }

  store(): void {
    if (this.#batch.length > 0) this.#deps.contents.put(this.#batch);
    // The cache knows a hash only once its content is stored.
    for (const note of this.#stored) note();
    this.#stored = [];
    this.#batch = [];
    this.#batched = 0;
  }
}

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The parent folder, or `null` if it is missing or not a folder any more. Throws if it cannot be opened. */
export function openParent(path: string, byHandles: boolean): { folder: FolderHandle; name: string } | null {
  const { folder, name } = parentOf(path);
  try {
    return { folder: openFolder(folder, byHandles), name };
  } catch (error) {
    if (error instanceof Refused || missing.has(systemErrorCode(error))) return null;
    throw error;
  }
}

function readOne(scan: Scan, path: string, byHandles: boolean): PathState {
  let parent: ReturnType<typeof openParent> = null;
  try {
    parent = openParent(path, byHandles);
    return parent ? scan.read(parent.folder, parent.name, path) : absent;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return scan.skip(path, 'unreadable');
  } finally {
    parent?.folder.close();
  }
}

/** Reads a folder's entries; returns the folders among them that are to be looked into. */
async function readFolder(scan: Scan, path: string, deps: ScanDeps): Promise<readonly string[]> {
  let folder: FolderHandle;
  try {
    folder = openFolder(path, deps.byHandles);
  } catch {
    scan.skip(path, 'unreadable');
    return [];
  }
  try {
    const room = deps.limits.entries - scan.found.size;
    const { names, more } = namesIn(folder, Math.max(0, room));
    if (more) {
      scan.skip(path, 'limit');
      return [];
    }
    const below: string[] = [];
    // The result of `join`, which costs more.
    const prefix = path.endsWith(sep) ? path : path + sep;
    for (const name of names.sort()) {
      if (temporary.test(name)) continue;
      const full = prefix + name;
      if (scan.read(folder, name, full).kind === 'folder') {
        if (ignoredFolders.has(name)) scan.skip(full, 'ignored');
        else below.push(full);
      }
      if (scan.isDue) await scan.breathe();
      if (scan.aborted) return [];
    }
    return below;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    scan.skip(path, 'unreadable');
    return [];
  } finally {
    folder.close();
  }
}

export async function scanTrees(
  paths: readonly string[],
  how: 'tree' | 'self',
  deps: ScanDeps,
): Promise<Result<Snapshot>> {
  deps.cache.valid(deps.contents, deps.contents.generation);
  const scan = new Scan(deps);
  let level: string[] = [];
  for (const path of paths) {
    if (readOne(scan, path, deps.byHandles).kind === 'folder' && how === 'tree') level.push(path);
    if (scan.isDue) await scan.breathe();
  }
  while (level.length > 0 && !scan.aborted) {
    const next: string[] = [];
    for (const folder of level) next.push(...(await readFolder(scan, folder, deps)));
    level = next;
  }
  if (scan.aborted) return err(fail('cancelled', 'undo.cancelledBeforeStart'));
  scan.store();
  return ok(scan.found);
}

/** The path itself, or the topmost folder below `root` on the way to it that is missing. */
export function topmostMissing(path: string, root: string): string {
  let found = path;
  for (let at = dirname(path); at !== root && at.length > root.length; at = dirname(at))
    if (!lstatSync(at, { throwIfNoEntry: false })) found = at;
  return found;
}
