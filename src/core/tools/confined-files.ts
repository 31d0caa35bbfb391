/** Port of the files below the roots of an agent. */
import type { Result } from '../../contract/result.ts';
import type { FileRoots } from '../policy/assessment.ts';

export interface FileEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** ms since the epoch. */
  readonly modifiedAt: number;
}

/**
 * Confined files of an agent (T14): a path is resolved, checked against the roots, and then opened component
 * by component without following links, so that a swap between check and use reaches nothing outside. Only
 * regular files and folders; hard links to outside are refused if a file has more than one name. Errors:
 * `forbidden` outside the roots (`where`: the requested path), `not_found`, `conflict`, `too_large`,
 * `unsupported` (FIFO, device), `disk_full`, `io_error`, `invalid_input` (NUL, too long).
 */
export interface ConfinedFiles {
  readonly roots: FileRoots;
  /**
   * Real path of `path` (absolute or below cwd), checked for this access; parents must exist. `entry`: for
   * removal or renaming, so a link is not followed.
   */
  resolve(path: string, access: 'read' | 'write' | 'entry'): Result<string>;
  /** At most `maxBytes` from `offset`; `size` is the whole file's. */
  read(
    path: string,
    range: { readonly offset?: number; readonly maxBytes: number },
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly size: number }>>;
  /** Atomic and durable. `create`: `conflict` if the file exists. Creates no folders. */
  write(path: string, content: Uint8Array, how: 'create' | 'replace'): Promise<Result<void>>;
  list(
    path: string,
    limit: number,
  ): Promise<Result<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>>;
  stat(path: string): Promise<Result<FileEntry>>;
  /** `private`: the new folder is closed to other users, whatever its parent allows. */
  makeFolder(path: string, parents: boolean, access?: 'private'): Promise<Result<void>>;
  touch(path: string): Promise<Result<void>>;
  copy(from: string, to: string, recursive: boolean): Promise<Result<void>>;
  move(from: string, to: string): Promise<Result<void>>;
  remove(path: string, recursive: boolean): Promise<Result<void>>;
}
