/** Paths of this checkout. Plain JavaScript that Node 20 runs before dependencies are installed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export const inRoot = (...parts) => path.join(root, ...parts);

/** The Node in the project's dependencies; `null` before `npm ci`. */
export function projectNode() {
  const file = inRoot('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : null;
}

/** Environment of a child process: the project's tools come first on the PATH. */
export function projectEnv(more = {}) {
  const bin = inRoot('node_modules/.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`, ...more };
}
