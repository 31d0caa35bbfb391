/** `ls`, `du`, `df`: list folder contents. Links are named, never followed. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../../contract/errors.ts';
import { hasOption, optionValue } from '../../../core/policy/commands/parsed-command.ts';
import type { FileEntry } from '../../../core/tools/confined-files.ts';
import {
  absolute,
  type BashSimpleCommand,
  complain,
  forEachOperand,
  humanSize,
  maxContextEntries,
  type SimpleContext,
} from './simple-context.ts';

const marks: Readonly<Record<FileEntry['kind'], string>> = { folder: '/', link: '@', file: '', other: '|' };
const letters: Readonly<Record<FileEntry['kind'], string>> = {
  folder: 'd',
  link: 'l',
  file: '-',
  other: '?',
};

const shownSize = (context: SimpleContext, bytes: number): string =>
  hasOption(context.command, '-h') ? humanSize(bytes) : String(bytes);

function printEntries(context: SimpleContext, entries: readonly FileEntry[]): void {
  const { command, out } = context;
  const size = (entry: FileEntry): string => shownSize(context, entry.size);
  const width = Math.max(1, ...entries.map((entry) => size(entry).length));
  for (const entry of entries) {
    const marked = hasOption(command, '-F') || (hasOption(command, '-p') && entry.kind === 'folder');
    const name = entry.name + (marked ? marks[entry.kind] : '');
    const date = new Date(entry.modifiedAt).toISOString().slice(0, 16).replace('T', ' ');
    const long = `${letters[entry.kind]} ${size(entry).padStart(width)} ${date} ${name}`;
    out.write(`${hasOption(command, '-l') ? long : name}\n`);
  }
}

function sorted({ command }: SimpleContext, entries: readonly FileEntry[]): readonly FileEntry[] {
  const list = [...entries];
  if (hasOption(command, '-S')) list.sort((a, b) => b.size - a.size);
  if (hasOption(command, '-t')) list.sort((a, b) => b.modifiedAt - a.modifiedAt);
  return hasOption(command, '-r') ? list.reverse() : list;
}

const isShown = ({ command }: SimpleContext, { name }: FileEntry): boolean =>
  !name.startsWith('.') || hasOption(command, '-a') || hasOption(command, '-A');

/** Lists one folder, and with `-R` those below it; `budget` counts names over all of them. */
async function listFolder(
  context: SimpleContext,
  path: string,
  title: boolean,
  budget: { left: number },
): Promise<number> {
  const { command, out } = context;
  const listed = await context.files.list(absolute(context, path), budget.left);
  if (!listed.ok) return complain(context, path, listed.error);
  budget.left -= listed.value.entries.length;
  if (title) out.write(`${out.total > 0 ? '\n' : ''}${path}:\n`);
  const entries = sorted(context, listed.value.entries).filter((entry) => isShown(context, entry));
  const dots = hasOption(command, '-a')
    ? ['.', '..'].map((name): FileEntry => ({ name, kind: 'folder', size: 0, modifiedAt: 0 }))
    : [];
  printEntries(context, [...(hasOption(command, '-l') ? [] : dots), ...entries]);
  let worst = listed.value.more ? complain(context, path, 'There are more names than are listed.') : 0;
  if (!hasOption(command, '-R')) return worst;
  for (const entry of entries.filter(({ kind }) => kind === 'folder')) {
    if (budget.left <= 0 || context.signal.aborted || out.full) return 1;
    worst = Math.max(worst, await listFolder(context, join(path, entry.name), true, budget));
  }
  return worst;
}

const ls: BashSimpleCommand = (context) => {
  const { command } = context;
  const budget = { left: maxContextEntries };
  return forEachOperand(context, async (path) => {
    const entry = await context.files.stat(absolute(context, path));
    if (!entry.ok) return complain(context, path, entry.error);
    if (entry.value.kind !== 'folder' || hasOption(command, '-d')) {
      printEntries(context, [{ ...entry.value, name: path }]);
      return 0;
    }
    const title = command.operands.length > 1 || hasOption(command, '-R');
    return listFolder(context, path, title, budget);
  });
};

interface Usage {
  readonly context: SimpleContext;
  readonly deepest: number;
  readonly files: boolean;
  left: number;
  code: number;
}

function printUsage({ context }: Usage, bytes: number, path: string): void {
  const exact = hasOption(context.command, '-b') || hasOption(context.command, '-h');
  const size = exact ? shownSize(context, bytes) : String(Math.ceil(bytes / 1024));
  context.out.write(`${size}\t${path}\n`);
}

/** Bytes of all entries of a folder. */
async function usageBelow(usage: Usage, path: string, level: number): Promise<number> {
  const { context } = usage;
  const listed = await context.files.list(absolute(context, path), Math.max(0, usage.left));
  if (!listed.ok) {
    usage.code = complain(context, path, listed.error);
    return 0;
  }
  usage.left -= listed.value.entries.length;
  if (listed.value.more) usage.code = complain(context, path, 'There are more names than are counted.');
  let bytes = 0;
  for (const below of listed.value.entries) {
    if (context.signal.aborted) break;
    bytes += await usageOf(usage, join(path, below.name), below, level + 1);
  }
  return bytes;
}

/** Counts content sizes, not disk blocks. */
async function usageOf(usage: Usage, path: string, entry: FileEntry, level: number): Promise<number> {
  const folder = entry.kind === 'folder';
  const own = entry.kind === 'file' ? entry.size : 0;
  const bytes = folder ? await usageBelow(usage, path, level) : own;
  if ((level === 0 || folder || usage.files) && level <= usage.deepest) printUsage(usage, bytes, path);
  return bytes;
}

const du: BashSimpleCommand = async (context) => {
  const { command } = context;
  const depth = optionValue(command, '-d');
  const usage: Usage = {
    context,
    deepest: hasOption(command, '-s') ? 0 : depth === null ? Number.POSITIVE_INFINITY : Number(depth),
    files: hasOption(command, '-a'),
    left: maxContextEntries,
    code: 0,
  };
  let total = 0;
  const code = await forEachOperand(context, async (path) => {
    const entry = await context.files.stat(absolute(context, path));
    if (!entry.ok) return complain(context, path, entry.error);
    total += await usageOf(usage, path, entry.value, 0);
    return 0;
  });
  if (hasOption(command, '-c')) printUsage(usage, total, 'total');
  return Math.max(code, usage.code);
};

const df: BashSimpleCommand = (context) => {
  const human = hasOption(context.command, '-h');
  const size = (bytes: number): string => (human ? humanSize(bytes) : String(Math.round(bytes / 1024)));
  context.out.write(`${human ? 'Size' : '1K-blocks'}\tUsed\tAvailable\tUse%\tPath\n`);
  return forEachOperand(context, async (path) => {
    const real = context.files.resolve(absolute(context, path), 'read');
    if (!real.ok) return complain(context, path, real.error);
    try {
      const { blocks, bfree, bavail, bsize } = await statfs(real.value);
      const used = blocks - bfree;
      const percent = used + bavail > 0 ? Math.ceil((used / (used + bavail)) * 100) : 0;
      const sizes = [blocks, used, bavail].map((count) => size(count * bsize));
      context.out.write(`${sizes.join('\t')}\t${percent}%\t${path}\n`);
      return 0;
    } catch (error) {
      return complain(context, path, errorText(error));
    }
  });
};

export const folderCommands = { ls, du, df };
