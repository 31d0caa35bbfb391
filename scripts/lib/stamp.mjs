/** Detects stale outputs by a hash over the contents of their inputs. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

const isInput = (name) => !/\.test\.tsx?$|\.md$/.test(name);

function* filesUnder(relative) {
  const full = inRoot(relative);
  if (!existsSync(full)) return;
  for (const entry of readdirSync(full, { withFileTypes: true })) {
    const child = path.posix.join(relative, entry.name);
    if (entry.isDirectory()) yield* filesUnder(child);
    else if (isInput(entry.name)) yield child;
  }
}

/** One hash over the given files and folders (relative to the project), without tests and notes. */
export function hashOf(folders, files) {
  const hash = createHash('sha256');
  const all = [...folders.flatMap((folder) => [...filesUnder(folder)]), ...files].sort();
  for (const file of all) {
    if (!existsSync(inRoot(file))) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  }
  return hash.digest('hex');
}

export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

export function writeStamp(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${value}\n`);
}
