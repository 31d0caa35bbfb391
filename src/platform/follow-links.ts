/** Follows the symbolic links of a path one by one as the system does, also where its end does not exist yet (T14). */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse } from 'node:path';

/** As many as Linux follows. */
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
  /** Each link on the way, by the folder that it was found in. */
  readonly links: readonly string[];
  /** What the path means now; a dangling link is followed, too. */
  readonly end: string;
}

/** `path` is absolute; `..` behind a link leaves the folder that the link leads to. `null` if the links lead in a circle. */
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
