/**
 * Resolves the symbolic links of a path one by one like the system does, even if its end does not exist yet
 * (T14).
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse } from 'node:path';

/** The limit of Linux. */
const maxLinks = 40;

function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

const partsOf = (path: string): string[] =>
  path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');

export interface FollowedPath {
  /** The path of each link that was followed. */
  readonly links: readonly string[];
  /** The resolved path; a dangling link is followed, too. */
  readonly end: string;
}

/**
 * `path` is absolute; `..` after a link means the parent of the link's target. Returns `null` if the links
 * form a cycle.
 */
export function followLinks(path: string): FollowedPath | null {
  const links: string[] = [];
  let { root: at } = parse(path);
  const rest = partsOf(path.slice(at.length));
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const name = part === '..' ? dirname(at) : join(at, part);
    const target = part === '..' ? null : linkAt(name);
    if (target === null) {
      at = name;
      continue;
    }
    links.push(name);
    if (links.length > maxLinks) return null;
    const { root } = parse(target);
    if (isAbsolute(target)) at = root;
    rest.unshift(...partsOf(target.slice(root.length)));
  }
  return { links, end: at };
}
