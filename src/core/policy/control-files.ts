/**
 * Recognises files that control git or an agent, under any name by which a file system may know them (T9,
 * T14).
 */

/**
 * Name as git and the file systems of Windows and macOS see it: without ignorable characters, alternate
 * stream, or trailing dots and spaces, in lower case.
 */
const folded = (name: string): string =>
  name
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/:.*$/, '')
    .replace(/(?<=[^. ])[. ]+$/, '')
    .toLowerCase();

const namesOf = (path: string): readonly string[] => path.split(/[\\/]/).map(folded);

/** `.git`, and its short name on Windows. */
const isGitFolder = (name: string): boolean => /^(?:[.]git|git~\d+)$/.test(name);

/** Created by `git init --bare`: a folder with these is a repository, whatever its name. */
export const repositoryParts = ['HEAD', 'objects', 'refs'] as const;

/**
 * Its hooks and settings are programs that git starts later, with the caller's rights. A file named `HEAD`
 * turns a folder into a repository. `isRepository`: for existing folders.
 */
export function isGitInternal(path: string, isRepository: (folder: string) => boolean): boolean {
  const names = namesOf(path);
  if (names.some(isGitFolder) || names.at(-1) === 'head') return true;
  const slash = path.startsWith('/') ? '/' : '\\';
  const parts = path.split(/[\\/]/);
  return parts.some((_, index) => index > 0 && isRepository(parts.slice(0, index).join(slash) || slash));
}

/** Contents of these files instruct an agent, or start programs, from the next turn on. */
export const instructsAgents = (path: string): boolean =>
  namesOf(path).some((name) => /^(?:[.]claude|[.]agents|[.]mcp[.]json|claude(?:[.]local)?[.]md)$/.test(name));
