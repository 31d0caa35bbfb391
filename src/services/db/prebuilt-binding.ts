/**
 * Which of the prebuilt bindings of the SQLite package this system takes. On Linux the package has Node write a whole
 * diagnostic report to learn the C library, at each start; the program's own first page names it. Whatever is in doubt is
 * left to the package.
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

/** Linked for glibc: its loader is `ld-linux…`, where musl has `ld-musl…`. */
function isForGlibc(program: string): boolean {
  const page = firstPage(program);
  return page.startsWith('\x7fELF') && /\/ld-linux[-\w]*\.so\.\d+\0/.test(page);
}

/** The path of the binding; null: the package finds its own. */
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
