/**
 * Bounds how many database files are open at once: of more, the one that was not used for the longest time is closed.
 * A thousand agents that start together would otherwise hold a thousand page caches, which the C library's allocator
 * does not give back afterwards, and three descriptors each (F7).
 */

/** A file that can be closed any time it is not in use. */
export interface ClosableFile {
  readonly busy: boolean;
  close(): void;
}

export interface OpenFiles {
  /** Called at every use; may close others, never the one that is used. */
  used(file: ClosableFile): void;
  closed(file: ClosableFile): void;
}

export function createOpenFiles(limit: number): OpenFiles {
  // A set keeps the order of insertion: the first is the one longest unused.
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
