/**
 * Programs that tests start: each is listed in `scripts/lib/system-packages.json` or part of every Debian.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

interface SystemPackage {
  readonly package: string;
  readonly programs: readonly string[];
}

const listFile = new URL('../../scripts/lib/system-packages.json', import.meta.url);
const packages = JSON.parse(readFileSync(listFile, 'utf8')) as readonly SystemPackage[];

/** Guards tests of Linux-only tools, which are skipped on other systems. */
export const onLinux = process.platform === 'linux';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the name of an installed program; throws an error that names it if it is missing. */
export function installed(name: string, searchPath = process.env.PATH ?? ''): string {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => isProgram(path.join(folder, name)))) return name;
  const owner = packages.find(({ programs }) => programs.includes(name))?.package.split('|')[0];
  throw new Error(
    `${name} is not installed${owner === undefined ? '' : ` (Debian: apt-get install ${owner})`}`,
  );
}

/** Declares, in `beforeAll`, the programs that the tests start. */
export const needs = (...names: readonly string[]): void => names.forEach((name) => void installed(name));
