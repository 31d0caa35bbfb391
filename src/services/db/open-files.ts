/**
 * Limits how many database files are open at once by closing the least recently used one. A thousand agents
 * that start together would otherwise hold a thousand page caches, which the C library's allocator does not
 * return afterwards, and three descriptors each (F7).
 */

/** A file that may be closed at any time it is not busy. */
export interface ClosableFile {
  readonly busy: boolean;
  close(): void;
}

export interface OpenFiles {
  /** Called at every use; may close other files, never this one. */
  used(file: ClosableFile): void;
  closed(file: ClosableFile): void;
}

export function createOpenFiles(limit: number): OpenFiles {
  // A set keeps insertion order: the first file is the least recently used.
  const open = new Set<ClosableFile>();
  const makeRoom = (): void => {
    for (const file of open) {
      if (open.size <= limit) return;
      if (!file.busy) file.close();
    }
  };
  return {
    used(file) {
      open.delete(file);
      open.add(file);
      if (open.size > limit) makeRoom();
    },
    closed: (file) => void open.delete(file),
  };
}
