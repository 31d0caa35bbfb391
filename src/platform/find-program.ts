/** Looks programs up like `exec` does: without a guess, and a folder is no program. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The absolute folders of a PATH; a relative one would find programs of the working folder. */
export const pathFolders = (path: string): readonly string[] => path.split(delimiter).filter(isAbsolute);

/** The path of the program in the first of `folders` that has it, or `null` if none has. */
export function findProgram(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}
