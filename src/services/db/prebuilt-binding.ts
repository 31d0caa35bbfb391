/**
 * Finds the prebuilt SQLite binding for this system. On Linux the package lets Node write a whole diagnostic
 * report at each start to learn the C library; the first page of the executable names it as well. In every
 * uncertain case the package decides.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';

export const sqlitePackage = 'better-sqlite3-multiple-ciphers';
const pageBytes = 4096;

function firstPage(file: string): string {
  const page = Buffer.alloc(pageBytes);
  const open = openSync(file, 'r');
  try {
    return page.toString('latin1', 0, readSync(open, page));
  } finally {
    closeSync(open);
  }
}

/** True if linked for glibc: its loader is `ld-linux…`, where musl has `ld-musl…`. */
function isForGlibc(program: string): boolean {
  const page = firstPage(program);
  return page.startsWith('\x7fELF') && /\/ld-linux[-\w]*\.so\.\d+\0/.test(page);
}

/** The path of the binding, or `null` if the package must find its own. */
export function prebuiltBinding(
  program: string = process.execPath,
  platform: NodeJS.Platform = process.platform,
): string | null {
  try {
    if (platform === 'linux' && !isForGlibc(program)) return null;
    const manifest = nodeModule.findPackageJSON(sqlitePackage, import.meta.url);
    if (manifest === undefined) return null;
    const file = path.join(path.dirname(manifest), 'prebuilds', `${platform}-${process.arch}.node`);
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
