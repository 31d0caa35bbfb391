/** Finds a program like `exec` does: no guesses, and a missing program is reported before anything starts. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export function findProgram(name: string, cwd: string, searchPath: string): Result<string> {
  const places = name.includes('/')
    ? [path.resolve(cwd, name)]
    : searchPath.split(':').map((folder) => path.resolve(cwd, folder, name));
  const found = places.find(runnable);
  if (found !== undefined) return ok(found);
  const hint = name.includes('/')
    ? 'Check its path, and that it may be run.'
    : 'Check its spelling and your PATH.';
  return err(appError('not_found', `The program ${name.slice(0, 200)} was not found.`, { hint }));
}
