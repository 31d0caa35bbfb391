/** Programs that tests start: each is in `scripts/lib/system-packages.json` or belongs to every Debian. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

interface SystemPackage {
  readonly package: string;
  readonly programs: readonly string[];
}

const listFile = new URL('../../scripts/lib/system-packages.json', import.meta.url);
const packages = JSON.parse(readFileSync(listFile, 'utf8')) as readonly SystemPackage[];

/** Tools of Linux alone: tests that need them are skipped on other systems. */
export const onLinux = process.platform === 'linux';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The name again, to be started. Throws by name where it is not installed. */
export function installed(name: string, searchPath = process.env.PATH ?? ''): string {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => isProgram(path.join(folder, name)))) return name;
  const owner = packages.find(({ programs }) => programs.includes(name))?.package.split('|')[0];
  throw new Error(
    `${name} is not installed${owner === undefined ? '' : ` (Debian: apt-get install ${owner})`}`,
  );
}

/** For `beforeAll`: the tests below start these. */
export const needs = (...names: readonly string[]): void => names.forEach((name) => void installed(name));
