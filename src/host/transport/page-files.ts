/** Serves the built renderer: only existing files, by their plain names. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { isInside } from '../../core/policy/paths.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
}

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** `null` unless the path is a regular file of a known type inside `root`. */
export async function readPageFile(root: string, pathname: string): Promise<PageFile | null> {
  const decoded = decodePath(pathname === '/' ? '/index.html' : pathname);
  if (decoded === null || decoded.includes('\0') || decoded.includes('\\')) return null;
  const contentType = contentTypes[extname(decoded)];
  if (!contentType) return null;
  try {
    const base = await realpath(root);
    const path = await realpath(join(base, normalize(decoded)));
    if (!isInside(base, path) || !(await stat(path)).isFile()) return null;
    return { contentType, body: await readFile(path) };
  } catch {
    return null;
  }
}
