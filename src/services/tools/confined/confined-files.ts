/**
 * An agent's files and nothing else (T14). Every path is resolved, checked against roots that were pinned at
 * creation, and opened without following links (folder-handle.ts states what each system guarantees). `copy`
 * and `move` take `to` as the exact new name: an existing file is replaced, an existing folder is a `conflict`. New
 * files and folders inherit the permissions of their parent folder.
 */
import { closeSync, fstatSync, lstatSync, mkdirSync, renameSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { FileRoots } from '../../../core/policy/assessment.ts';
import { isInside } from '../../../core/policy/paths.ts';
import type { ConfinedFiles, FileEntry } from '../../../core/tools/confined-files.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { fileError, isRoot, manyNames, Refused } from './confined-errors.ts';
import { type FolderHandle, handlesWork, openFolder, parentOf, withFolder } from './folder-handle.ts';
import { type LocatedPath, locate, locateTarget } from './locate.ts';
import {
  clearTemporaryFiles,
  folderMode,
  lookAt,
  openForReading,
  readRange,
  replaceFile,
  syncFolderHandle,
  touchFile,
} from './one-file.ts';
import { holdsRoot, type PinnedRoots, pinRoots } from './roots.ts';
import { copyFolder, copyOne, countTree, maxCopyBytes, namesIn, removeTree } from './trees.ts';

/** Maximum number of names read to sort a folder. */
const maxListed = 20_000;

function entryOf(name: string, stats: Stats): FileEntry {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other';
  return { name, kind, size: stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
}

async function attempt<T>(asked: string, work: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof Refused) && systemErrorCode(error) === '') throw error;
    return err(fileError(error, asked));
  }
}

class Confined implements ConfinedFiles {
  readonly roots: FileRoots;
  readonly #pinned: PinnedRoots;
  readonly #byHandles: boolean;
  /** Folders that were already cleared of temporary files from a crash. */
  readonly #swept = new Set<string>();

  constructor(roots: FileRoots, byHandles: boolean, windowsNames: boolean) {
    this.#pinned = pinRoots(roots, windowsNames);
    const { cwd, readable, writable } = this.#pinned;
    this.roots = { cwd, readable, writable };
    this.#byHandles = byHandles;
  }

  resolve(path: string, access: 'read' | 'write' | 'entry'): Result<string> {
    const place =
      access === 'read'
        ? locate(this.#pinned, path, 'read')
        : locateTarget(this.#pinned, path, access === 'entry' ? 'entry' : 'whole');
    if (!place.ok) return place;
    if (access === 'read' && place.value.missing.length > 0)
      return err(fileError(Object.assign(new Error(path), { code: 'ENOENT' }), path));
    return ok(place.value.real);
  }

  async read(path: string, range: { readonly offset?: number; readonly maxBytes: number }) {
    return this.#inParent(locate(this.#pinned, path, 'read'), async (folder, name, place) => {
      const fd = openForReading(folder, name, place.asked);
      try {
        const bytes = await readRange(fd, range.offset ?? 0, range.maxBytes);
        return { bytes, size: fstatSync(fd).size };
      } finally {
        closeSync(fd);
      }
    });
  }

  async write(path: string, content: Uint8Array, how: 'create' | 'replace') {
    return this.#inParent(locateTarget(this.#pinned, path, 'whole'), (folder, name, place) => {
      this.#sweep(folder);
      return replaceFile(folder, name, place.asked, how, (put) => put(content));
    });
  }

  async list(path: string, limit: number) {
    const place = locate(this.#pinned, path, 'read');
    if (!place.ok) return place;
    return attempt(path, () =>
      withFolder(place.value.real, this.#byHandles, (folder) => {
        const { names, more } = namesIn(folder, maxListed);
        const entries = names
          .sort()
          .slice(0, limit)
          .flatMap((name) => {
            const stats = lookAt(folder, name);
            return stats ? [entryOf(name, stats)] : [];
          });
        return { entries, more: more || names.length > limit };
      }),
    );
  }

  async stat(path: string) {
    const place = locate(this.#pinned, path, 'read');
    if (!place.ok) return place;
    const { real } = place.value;
    return attempt(path, () => {
      if (holdsRoot(this.#pinned, real))
        return withFolder(real, this.#byHandles, ({ self }) => entryOf(basename(real), lstatSync(self)));
      return this.#below(real, (folder, name) => entryOf(name, lstatSync(folder.at(name))));
    });
  }

  async makeFolder(path: string, parents: boolean, access?: 'private') {
    const place = locate(this.#pinned, path, 'write');
    if (!place.ok) return place;
    const { real, missing } = place.value;
    return attempt(path, async () => {
      if (missing.length === 0) {
        const there = lstatSync(real);
        if (!parents || !there.isDirectory()) throw Object.assign(new Error(path), { code: 'EEXIST' });
        return;
      }
      if (missing.length > 1 && !parents) throw Object.assign(new Error(path), { code: 'ENOENT' });
      let at = missing.reduce((path) => dirname(path), real);
      for (const name of missing) {
        await withFolder(at, this.#byHandles, async (folder) => {
          mkdirSync(folder.at(name), access === 'private' ? 0o700 : folderMode(folder));
          await syncFolderHandle(folder);
        });
        at = join(at, name);
      }
    });
  }

  async touch(path: string) {
    return this.#inParent(locateTarget(this.#pinned, path, 'whole'), (folder, name, place) =>
      touchFile(folder, name, place.asked),
    );
  }

  async copy(from: string, to: string, recursive: boolean) {
    const source = locate(this.#pinned, from, 'read');
    if (!source.ok) return source;
    const target = locateTarget(this.#pinned, to, 'whole');
    if (!target.ok) return target;
    return attempt(from, () => this.#copy(source.value, target.value, recursive));
  }

  async move(from: string, to: string) {
    const source = locateTarget(this.#pinned, from, 'entry');
    if (!source.ok) return source;
    const target = locateTarget(this.#pinned, to, 'entry');
    if (!target.ok) return target;
    return attempt(from, () => this.#move(source.value, target.value));
  }

  async remove(path: string, recursive: boolean) {
    return this.#inParent(locateTarget(this.#pinned, path, 'entry'), async (folder, name, place) => {
      const stats = lstatSync(folder.at(name));
      if (stats.isDirectory() && !recursive) throw Object.assign(new Error(path), { code: 'EISDIR' });
      const walk = { byHandles: this.#byHandles, asked: place.asked };
      if (stats.isDirectory())
        await withFolder(place.real, this.#byHandles, (below) => countTree(below, walk, false));
      await removeTree(folder, name, walk);
      await syncFolderHandle(folder);
    });
  }

  async #copy(source: LocatedPath, target: LocatedPath, recursive: boolean): Promise<void> {
    const byHandles = this.#byHandles;
    const walk = { byHandles, asked: source.asked };
    const bytes = { left: maxCopyBytes };
    if (source.real === target.real) throw sameThing(source);
    await this.#below(source.real, (from, name) =>
      this.#below(target.real, async (to, newName) => {
        const stats = lstatSync(from.at(name));
        const there = lookAt(to, newName);
        if (there?.isDirectory() || (there && stats.isDirectory()))
          throw Object.assign(new Error(target.asked), { code: 'EEXIST' });
        if (!stats.isDirectory()) {
          await copyOne(from, name, to, newName, source.asked, bytes);
          return;
        }
        if (!recursive) throw Object.assign(new Error(source.asked), { code: 'EISDIR' });
        if (isInside(source.real, target.real)) throw sameThing(source);
        await withFolder(source.real, byHandles, (tree) => countTree(tree, walk, true));
        await copyFolder(from, name, to, newName, walk, bytes);
        await syncFolderHandle(to);
      }),
    );
  }

  async #move(source: LocatedPath, target: LocatedPath): Promise<void> {
    if (isInside(source.real, target.real)) throw sameThing(source);
    const across = await this.#below(source.real, (from, name) =>
      this.#below(target.real, async (to, newName) => {
        const stats = lstatSync(from.at(name));
        const there = lookAt(to, newName);
        if (there && (there.isDirectory() || stats.isDirectory()))
          throw Object.assign(new Error(target.asked), { code: 'EEXIST' });
        // Under its new name every later access would be refused.
        if (stats.isFile() && stats.nlink > 1) throw new Refused(manyNames(source.asked));
        try {
          renameSync(from.at(name), to.at(newName));
        } catch (error) {
          if (systemErrorCode(error) === 'EXDEV') return true;
          throw error;
        }
        await syncFolderHandle(to);
        await syncFolderHandle(from);
        return false;
      }),
    );
    if (!across) return;
    await this.#copy(source, target, true);
    const removed = await this.remove(source.asked, true);
    if (!removed.ok) throw new Refused(removed.error);
  }

  #sweep(folder: FolderHandle): void {
    const id = `${folder.device}:${folder.inode}`;
    if (this.#swept.has(id) || this.#swept.size > maxListed) return;
    this.#swept.add(id);
    clearTemporaryFiles(folder, namesIn(folder, maxListed).names);
  }

  async #inParent<T>(
    place: Result<LocatedPath>,
    work: (folder: FolderHandle, name: string, place: LocatedPath) => T | Promise<T>,
  ): Promise<Result<T>> {
    if (!place.ok) return place;
    if (holdsRoot(this.#pinned, place.value.real)) {
      const folder = fail('invalid_input', 'tools.folderNotFile', {}, { where: place.value.asked });
      return err(folder);
    }
    return attempt(place.value.asked, () =>
      this.#below(place.value.real, (folder, name) => work(folder, name, place.value)),
    );
  }

  /** Opens the parent folder of a real path inside the roots; a root itself is refused as a target. */
  async #below<T>(real: string, work: (folder: FolderHandle, name: string) => T | Promise<T>): Promise<T> {
    if (holdsRoot(this.#pinned, real)) throw new Refused(isRoot(real));
    const { folder: path, name } = parentOf(real);
    const folder = openFolder(path, this.#byHandles);
    try {
      return await work(folder, name);
    } finally {
      folder.close();
    }
  }
}

const sameThing = (source: LocatedPath): Refused =>
  new Refused(fail('invalid_input', 'tools.putIntoItself', {}, { where: source.asked }));

/**
 * `byHandles` and `windowsNames` let tests select the behaviour of other systems. Create it once per start of
 * an agent.
 */
export function createConfinedFiles(
  roots: FileRoots,
  options: { byHandles?: boolean; windowsNames?: boolean } = {},
): ConfinedFiles {
  const { byHandles = true, windowsNames = process.platform === 'win32' } = options;
  return new Confined(roots, handlesWork && byHandles, windowsNames);
}
