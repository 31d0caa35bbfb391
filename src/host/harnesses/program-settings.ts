/**
 * Settings that the host writes into folders of a program. The program can write there, too, so no link leads the host
 * out of them, and it opens no pipe (T14).
 */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';

const maxBytes = 1024 * 1024;
/** Names that are removed at a time. */
const listed = 1_000;

export interface SettingsFolder {
  /** Removes what an earlier run may have left to change the next one, such as rules that allow everything. */
  keepOnly(names: readonly string[]): Promise<void>;
  /** Called for each start, because the program could write the file, too. */
  write(name: string, settings: string | object): Promise<void>;
}

const filesIn = (root: string): ConfinedFiles =>
  createConfinedFiles({ cwd: root, readable: [root], writable: [root] });

function need<T>(result: Result<T, AppError>): T {
  if (result.ok) return result.value;
  const { message, where = '' } = result.error;
  throw new Error(`The settings of the program could not be written: ${message} ${where}`);
}

/** Opens a folder below `root`, and makes it if it is missing. The program cannot replace `root` itself. */
export async function openSettings(root: string, inside: readonly string[] = []): Promise<SettingsFolder> {
  const files = filesIn(root);
  for (const index of inside.keys()) await makeFolder(files, inside.slice(0, index + 1).join('/'));
  const at = (name: string): string => [...inside, name].join('/');
  return {
    async keepOnly(names) {
      for (;;) {
        const { entries, more } = need(await files.list(at('.'), listed));
        const stale = entries.filter(({ name }) => !names.includes(name));
        for (const { name } of stale) need(await files.remove(at(name), true));
        if (!more || stale.length === 0) return;
      }
    },
    async write(name, settings) {
      const text = utf8(typeof settings === 'string' ? settings : `${JSON.stringify(settings, null, 2)}\n`);
      if ((await files.write(at(name), text, 'replace')).ok) return;
      await files.remove(at(name), true);
      need(await files.write(at(name), text, 'create'));
    },
  };
}

/** A link or a file in its place is removed. */
async function makeFolder(files: ConfinedFiles, path: string): Promise<void> {
  const found = await files.stat(path);
  if (found.ok && found.value.kind === 'folder') return;
  await files.remove(path, false);
  need(await files.makeFolder(path, false, 'private'));
}

/** A JSON file that the program writes; `null` if it cannot be read. */
export async function readProgramJson(root: string, path: string): Promise<unknown> {
  const found = await filesIn(root).read(path, { maxBytes });
  if (!found.ok || found.value.size > maxBytes) return null;
  try {
    return JSON.parse(Buffer.from(found.value.bytes).toString('utf8'));
  } catch {
    return null;
  }
}
