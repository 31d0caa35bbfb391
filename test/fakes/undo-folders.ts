/** Rigs that close after each test, and a picture of a folder, for the tests of restore points. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createUndoRig, type UndoRig, type UndoRigOptions } from './undo-rig.ts';

/** Creates rigs, and closes them after each test of the file. */
export function closedRigs(): (options?: UndoRigOptions) => UndoRig {
  const rigs: UndoRig[] = [];
  afterEach(() => {
    for (const one of rigs.splice(0)) one.close();
  });
  return (options = {}) => {
    const made = createUndoRig(options);
    rigs.push(made);
    return made;
  };
}

/** Every path below with kind, mode and content, as one text. */
export const pictureOf = (root: string): string =>
  readdirSync(root, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const stats = lstatSync(join(root, name));
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(join(root, name))}`;
      const content = stats.isFile() ? readFileSync(join(root, name)).toString('base64') : 'folder';
      return `${name} ${(stats.mode & 0o7777).toString(8)} ${content}`;
    })
    .join('\n');
