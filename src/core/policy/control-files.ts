/** Files that git or an agent acts on, by the names that any file system may know them under (T9, T14). */

/**
 * The name as git and the file systems of Windows and macOS would take it: without what they ignore, without an
 * alternate stream, without dots and spaces at the end, in one case.
 */
const folded = (name: string): string =>
  name
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/:.*$/, '')
    .replace(/(?<=[^. ])[. ]+$/, '')
    .toLowerCase();

const namesOf = (path: string): readonly string[] => path.split(/[\\/]/).map(folded);

/** `.git`, and the short name that Windows gives it. */
const isGitFolder = (name: string): boolean => /^(?:[.]git|git~\d+)$/.test(name);

/** `git init --bare` makes these: a folder that holds them is a repository, whatever it is called. */
export const repositoryParts = ['HEAD', 'objects', 'refs'] as const;

/**
 * Hooks and settings in there are programs that git starts later, with the rights of whoever calls it. A file called
 * `HEAD` is what makes a repository out of a folder. `isRepository`: of a folder that is there.
 */
export function isGitInternal(path: string, isRepository: (folder: string) => boolean): boolean {
  const names = namesOf(path);
  if (names.some(isGitFolder) || names.at(-1) === 'head') return true;
  const slash = path.startsWith('/') ? '/' : '\\';
  const parts = path.split(/[\\/]/);
  return parts.some((_, index) => index > 0 && isRepository(parts.slice(0, index).join(slash) || slash));
}

/** What is in there tells an agent what to do, or which programs to start, from the next turn on. */
export const instructsAgents = (path: string): boolean =>
  namesOf(path).some((name) => /^(?:[.]claude|[.]mcp[.]json|claude(?:[.]local)?[.]md)$/.test(name));
