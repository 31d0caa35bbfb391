/** Paths as rules see them: absolute, forward slashes, no dots; a root contains whole path segments. */
import { matchGlob, matchGlobStart } from './glob.ts';

export interface PathBase {
  /** Workspace of the agent, absolute. */
  readonly cwd: string;
  /** Expansion of `~`. */
  readonly home: string;
}

/** In a path that starts with a slash, a backslash is an ordinary character. */
const slashes = (path: string): string => (path.startsWith('/') ? path : path.replaceAll('\\', '/'));

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);

/** Removes `.`, `..`, doubled and trailing slashes; `..` at the root stays there. */
function withoutDots(path: string): string {
  const out: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') out.pop();
    else out.push(segment);
  }
  const lead = path.startsWith('/') ? '/' : '';
  return `${lead}${out.join('/')}`;
}

export function absolutePath(path: string, { cwd, home }: PathBase): string {
  const text = slashes(path);
  if (text === '~' || text.startsWith('~/')) return withoutDots(`${slashes(home)}${text.slice(1)}`);
  return withoutDots(isAbsolute(text) ? text : `${slashes(cwd)}/${text}`);
}

/** True for `root` itself or a path below it. Both absolute. */
export function isInside(root: string, path: string): boolean {
  const base = withoutDots(slashes(root));
  const found = withoutDots(slashes(path));
  return found === base || found.startsWith(base === '/' ? '/' : `${base}/`);
}

export const isInsideAny = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isInside(root, path));

/**
 * The pattern is absolute, starts with `~/`, or is relative to the workspace; only `/**` covers the contents
 * of a folder.
 */
export function pathFits(pattern: string, path: string, base: PathBase): boolean {
  return matchGlob(absolutePath(pattern, base), withoutDots(slashes(path)), { separator: '/' });
}

/** Whether the pattern of `pathFits` may match something in the folder `path`. */
export function mayMatchBelow(pattern: string, path: string, base: PathBase): boolean {
  const folder = withoutDots(slashes(path));
  const start = folder === '/' ? folder : `${folder}/`;
  return matchGlobStart(absolutePath(pattern, base), start, { separator: '/' });
}

/** Short form for people: relative in the workspace, with `~` below home, otherwise absolute. */
export function shortPath(path: string, base: PathBase): string {
  const found = withoutDots(slashes(path));
  const cwd = withoutDots(slashes(base.cwd));
  const home = withoutDots(slashes(base.home));
  if (found === cwd) return '.';
  if (isInside(cwd, found)) return found.slice(cwd.length + 1);
  if (home !== '' && found !== home && isInside(home, found)) return `~${found.slice(home.length)}`;
  return found;
}
