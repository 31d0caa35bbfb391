/**
 * Opens folders from the file system's root on, one component after the other, without following links. On
 * Linux every step uses the handle of the parent folder (`/proc/self/fd/N/name`), so a component swapped for
 * a link at any moment ends in a refusal. Elsewhere Node offers no such handles: the path is opened without
 * following its last link, and refused if its real path, device or inode differ afterwards. That leaves a
 * moment between check and change in which another program of the same user could swap a folder.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join, parse, sep } from 'node:path';
import { outside, Refused } from './confined-errors.ts';

// O_PATH: refers to a folder without the right to list it; Linux only, and not among Node's constants.
const pathOnly = 0o10000000;
const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
const directory = constants.O_DIRECTORY ?? 0;

export const safeOpenFlags = noFollow | nonBlocking;

export const handlesWork = process.platform === 'linux' && existsSync('/proc/self/fd');

export interface FolderHandle {
  /** A path that means `name` in exactly this folder while the handle is open. */
  at(name: string): string;
  /** A path of the folder itself, for listing and syncing. */
  readonly self: string;
  readonly device: number;
  readonly inode: number;
  close(): void;
}

const plainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes(sep);

function handleOf(fd: number): FolderHandle {
  const { dev, ino } = fstatSync(fd);
  const self = `/proc/self/fd/${fd}`;
  return {
    at: (name) => `${self}/${name}`,
    self: `${self}/.`,
    device: dev,
    inode: ino,
    close: () => closeSync(fd),
  };
}

function openByHandles(real: string): FolderHandle {
  let fd = openSync('/', pathOnly | directory);
  try {
    for (const name of real.split('/').filter((part) => part !== '')) {
      const next = openSync(`/proc/self/fd/${fd}/${name}`, pathOnly | directory | noFollow);
      closeSync(fd);
      fd = next;
    }
    return handleOf(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Throws if the descriptor is not the folder at this path, or if a link is part of the path. */
function checkPath(real: string, fd: number): Stats {
  const opened = fstatSync(fd);
  const now = lstatSync(real);
  if (realpathSync.native(real) !== real || now.dev !== opened.dev || now.ino !== opened.ino)
    throw new Refused(outside(real));
  return opened;
}

function openByPath(real: string): FolderHandle {
  const fd = openSync(real, constants.O_RDONLY | directory | noFollow);
  let opened: Stats;
  try {
    opened = checkPath(real, fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const same = (): void => {
    if (realpathSync.native(real) !== real) throw new Refused(outside(real));
  };
  return {
    at: (name) => {
      same();
      return join(real, name);
    },
    self: real,
    device: opened.dev,
    inode: opened.ino,
    close: () => closeSync(fd),
  };
}

/** `real`: absolute and already resolved. Throws a system error or `Refused`. */
export function openFolder(real: string, byHandles: boolean): FolderHandle {
  return byHandles ? openByHandles(real) : openByPath(real);
}

export function openBelow(folder: FolderHandle, name: string, byHandles: boolean): FolderHandle {
  if (!plainName(name)) throw new Refused(outside(name));
  const path = folder.at(name);
  return byHandles ? handleOf(openSync(path, pathOnly | directory | noFollow)) : openByPath(path);
}

export async function withFolder<T>(
  real: string,
  byHandles: boolean,
  work: (folder: FolderHandle) => T | Promise<T>,
): Promise<T> {
  const folder = openFolder(real, byHandles);
  try {
    return await work(folder);
  } finally {
    folder.close();
  }
}

export const parentOf = (real: string): { readonly folder: string; readonly name: string } => {
  const { dir, base } = parse(real);
  return { folder: dir, name: base };
};
