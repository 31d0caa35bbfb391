import { open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { extname, isAbsolute, join, resolve } from 'node:path';
import type { McpStdioConfig } from '../../core/mcp/server-config.ts';
import { isInsideAny } from '../../core/policy/paths.ts';
import { findProgram, isExecutable, pathFolders } from '../../platform/find-program.ts';
import { realPath } from '../../platform/real-path.ts';
import { sha256Hex } from '../../platform/sha256.ts';

/** A file of code that a server starts with and that an agent can change. */
export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
}

export interface ProgramFilesDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that some agent may write. */
  writable(): readonly string[];
}

const codeTypes = new Set(
  '.bat .cjs .cmd .cts .exe .jar .js .lua .mjs .mts .php .pl .ps1 .py .pyz .rb .sh .ts .wasm'.split(' '),
);
/** Files that an interpreter runs if it gets their folder. */
const entryFiles = ['package.json', 'index.js', '__main__.py'];
const maxBytes = 256 * 1024 * 1024;

/** A name is looked up in PATH; a path counts from the folder. `null` if no program has the name. */
export function serverProgramPath(
  command: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (isAbsolute(command)) return command;
  if (command.includes('/')) return resolve(folder, command);
  return findProgram(command, pathFolders(env.PATH ?? ''));
}

interface Known {
  readonly stamp: string;
  readonly sha256: string;
}
const hashes = new Map<string, Known>();

/** Reads only what changed since the last time; an agent cannot set the time of the last change of a file's status. */
async function hashOf(path: string): Promise<string> {
  const { ino, size, ctimeNs, mtimeNs } = await stat(path, { bigint: true });
  if (size > maxBytes) return `size ${size}`;
  const stamp = [ino, size, ctimeNs, mtimeNs].join(' ');
  const known = hashes.get(path);
  if (known?.stamp === stamp) return known.sha256;
  const file = await open(path);
  try {
    const sha256 = sha256Hex(await file.readFile());
    hashes.set(path, { stamp, sha256 });
    return sha256;
  } finally {
    await file.close();
  }
}

const isCode = (path: string): boolean => codeTypes.has(extname(path).toLowerCase()) || isExecutable(path);

/** Text that may be a path, also after `--option=`. */
const pathIn = (text: string): string => text.replace(/^--?[\w-]+=/, '').replace(/^file:\/\//, '');

/** Files of code that the command line names inside of folders that an agent may write, by path. */
export async function readProgramFiles(
  { command, args, env: own, cwd }: McpStdioConfig,
  base: string,
  { env, writable }: ProgramFilesDeps,
): Promise<readonly ProgramFile[]> {
  const expand = (text: string): string =>
    text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, other = '') => env[name] ?? other);
  const folder = resolve(base, expand(cwd ?? '.'));
  const roots = writable().flatMap((root) => [root, realPath(root)]);
  const script = args.find((arg) => !arg.startsWith('-'));
  const named = [
    ...args.map((arg) => ({ text: pathIn(expand(arg)), isScript: arg === script })),
    ...Object.values(own)
      .flatMap((value) => expand(value).split(/[\s=]+/))
      .map((text) => ({ text, isScript: false })),
  ];
  const program = serverProgramPath(expand(command), folder, { ...env, ...own });
  const candidates = [
    ...(program === null ? [] : [{ path: program, isScript: true }]),
    ...named
      .filter(({ text }) => text !== '')
      .map(({ text, isScript }) => ({
        path: resolve(folder, text.replace(/^~(?=\/)/, homedir())),
        isScript,
      })),
  ];
  const found = new Map<string, string>();
  const add = async (path: string, isScript: boolean, mayEnter: boolean): Promise<void> => {
    try {
      // An agent can also replace a link in its folder.
      const places = [path, realPath(path)];
      if (found.has(path) || !places.some((place) => isInsideAny(roots, place))) return;
      const about = await stat(path);
      if (about.isDirectory() && isScript && mayEnter)
        for (const name of entryFiles) await add(join(path, name), true, false);
      if (!about.isFile() || !(isScript || isCode(path))) return;
      found.set(path, await hashOf(path));
    } catch {
      // A text that is no path of a file.
    }
  };
  for (const { path, isScript } of candidates) await add(path, isScript, true);
  return [...found].map(([path, sha256]) => ({ path, sha256 })).sort((a, b) => (a.path < b.path ? -1 : 1));
}
