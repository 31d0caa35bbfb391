/**
 * The folders that one caller watches. Events are hints only: systems drop them, and some file systems send
 * none, so the caller sweeps as well, and a folder that cannot be watched is only swept.
 */
import { watch } from 'node:fs';
import { systemErrorCode } from './system-error.ts';

export interface FolderWatcher {
  close(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** `name` is the changed entry; `null` if the system does not tell. */
export type WatchFolder = (path: string, hint: (name: string | null) => void) => FolderWatcher;

const byFsWatch: WatchFolder = (path, hint) =>
  watch(path, { persistent: false }, (_event, name) => hint(name));

export type WatchRefusal = { readonly reason: 'missing' | 'refused'; readonly code: string };

export class FolderWatches {
  readonly #watchers = new Map<string, FolderWatcher>();
  readonly #watchFolder: WatchFolder;

  constructor(watchFolder: WatchFolder = byFsWatch) {
    this.#watchFolder = watchFolder;
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Does nothing for a key that is watched; returns why the folder is not watched, or `null`. */
  add(key: string, path: string, hint: (name: string | null) => void): WatchRefusal | null {
    if (this.#watchers.has(key)) return null;
    try {
      const watcher = this.#watchFolder(path, hint);
      watcher.on('error', () => this.drop(key));
      this.#watchers.set(key, watcher);
      return null;
    } catch (error) {
      const code = systemErrorCode(error);
      return { reason: code === 'ENOENT' ? 'missing' : 'refused', code };
    }
  }

  drop(key: string): void {
    this.#watchers.get(key)?.close();
    this.#watchers.delete(key);
  }

  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of [...this.#watchers.keys()]) if (!keys.has(key)) this.drop(key);
  }

  close(): void {
    this.keepOnly(new Set());
  }
}
