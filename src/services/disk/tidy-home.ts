/**
 * Repairs the data folder at start: removes group and other permissions (T19), which a copy, a backup or a
 * careless umask may have added, and deletes temporary files that a crash left. Agents' workspaces are
 * protected by the folder's own mode and are skipped.
 */
import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../platform/system-error.ts';

export interface TidyReport {
  readonly repaired: readonly string[];
  readonly removed: readonly string[];
  /** Files that this process may not change, to be shown to the operator. */
  readonly failed: readonly string[];
}

const notWalked = new Set(['workspace']);
const hasModes = process.platform !== 'win32';
/** The temporary names of `createDisk`. */
const leftOver = /^[.].+[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.]tmp$/;

/** The correct mode, or `null` if the mode is right. The owner's execute bit stays. */
function betterMode(found: Stats): number | null {
  const wanted = (found.mode & 0o700) | (found.isDirectory() ? 0o700 : 0o600);
  return hasModes && (found.mode & 0o777) !== wanted ? wanted : null;
}

const isGone = (error: unknown): boolean => systemErrorCode(error) === 'ENOENT';

export async function tidyHome(home: string): Promise<TidyReport> {
  const report = { repaired: [] as string[], removed: [] as string[], failed: [] as string[] };
  const tidy = async (path: string, name: string): Promise<readonly string[]> => {
    const found = await lstat(path);
    if (!found.isDirectory() && !found.isFile()) return [];
    if (found.isFile() && leftOver.test(name)) {
      await rm(path);
      report.removed.push(path);
      return [];
    }
    const mode = betterMode(found);
    if (mode !== null) {
      await chmod(path, mode);
      report.repaired.push(path);
    }
    return found.isDirectory() && !notWalked.has(name) ? readdir(path) : [];
  };
  const visit = async (path: string, name: string): Promise<void> => {
    try {
      for (const child of await tidy(path, name)) await visit(join(path, child), child);
    } catch (error) {
      if (!isGone(error)) report.failed.push(path);
    }
  };
  await visit(home, '');
  return report;
}
