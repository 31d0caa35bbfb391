/**
 * `search_files`: lines below a folder that contain a text or match an expression; capped in files, bytes and
 * time.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ok, type Result } from '../../../contract/result.ts';
import { matchGlob } from '../../../core/policy/glob.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolOutput } from '../../../core/tools/tool.ts';
import { assessRead } from './assess-read.ts';
import { decodeFileText } from './file-text.ts';
import { type LineMatcher, matchExpression, matchWords } from './line-matcher.ts';
import { shownPath } from './shown-path.ts';

const maxFiles = 5_000;
const maxFileBytes = 1024 * 1024;
const maxFolderEntries = 2_000;
const maxDepth = 32;
const searchMs = 10_000;
/** Generated and large, never what a search is for. */
const skippedFolders = new Set(['.git', 'node_modules', '.hg', '.svn']);

const input = z.strictObject({
  query: z.string().min(1).max(2_000).describe('Text to find; with regex a JavaScript regular expression'),
  path: z.string().min(1).default('.').describe('Folder or file to search'),
  glob: z.string().min(1).max(200).optional().describe('Only these files, e.g. *.md or src/**'),
  regex: z.boolean().default(false),
  ignore_case: z.boolean().default(false),
  limit: z.number().int().min(1).max(500).default(100).describe('Lines at most'),
});
type Input = z.output<typeof input>;

interface Hunt {
  readonly files: ConfinedFiles;
  readonly args: Input;
  readonly matcher: LineMatcher;
  readonly signal: AbortSignal;
  readonly base: string;
  readonly lines: string[];
  looked: number;
  skipped: number;
}

/** A glob without a slash matches the file name alone. */
function globFits(glob: string | undefined, path: string): boolean {
  if (glob === undefined) return true;
  const subject = glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
  return matchGlob(glob, subject, { separator: '/' });
}

async function searchFile(hunt: Hunt, path: string): Promise<Result<void>> {
  hunt.looked += 1;
  const read = await hunt.files.read(path, { maxBytes: maxFileBytes });
  const text = read.ok && read.value.size <= maxFileBytes ? decodeFileText(read.value.bytes) : null;
  if (text === null) {
    hunt.skipped += 1;
    return ok(undefined);
  }
  const found = await hunt.matcher.find(text, hunt.args.limit - hunt.lines.length);
  if (!found.ok) return found;
  const shown = shownPath(hunt.files, path);
  for (const { line, text: content } of found.value)
    hunt.lines.push(`${shown}:${line}: ${content.trimEnd()}`);
  return ok(undefined);
}

const isFull = ({ lines, args, looked, signal }: Hunt): boolean =>
  lines.length >= args.limit || looked >= maxFiles || signal.aborted;

async function searchFolder(hunt: Hunt, folder: string, depth: number): Promise<Result<void>> {
  const listed = await hunt.files.list(folder, maxFolderEntries);
  if (!listed.ok) {
    hunt.skipped += 1;
    return ok(undefined);
  }
  if (listed.value.more) hunt.skipped += 1;
  for (const { name, kind } of listed.value.entries) {
    if (isFull(hunt)) break;
    const path = join(folder, name);
    const relative = path.slice(hunt.base.length + 1).replaceAll('\\', '/');
    if (kind === 'folder' && depth < maxDepth && !skippedFolders.has(name)) {
      const done = await searchFolder(hunt, path, depth + 1);
      if (!done.ok) return done;
    }
    if (kind !== 'file' || !globFits(hunt.args.glob, relative)) continue;
    const done = await searchFile(hunt, path);
    if (!done.ok) return done;
  }
  return ok(undefined);
}

function report({ lines, looked, skipped, args, signal }: Hunt): ToolOutput {
  const notes = [
    ...(lines.length >= args.limit ? [`stopped at ${args.limit} lines`] : []),
    ...(looked >= maxFiles ? [`stopped after ${maxFiles.toLocaleString('en')} files`] : []),
    ...(signal.aborted ? ['stopped for time'] : []),
    ...(skipped > 0 ? [`${skipped} not looked into (binary, too large or not readable)`] : []),
  ];
  const text = lines.length === 0 ? `[Nothing found in ${looked} files.]` : lines.join('\n');
  return textOutput(notes.length === 0 ? text : `${text}\n[${notes.join('; ')}]`, {
    found: lines.length,
    looked,
  });
}

async function search(files: ConfinedFiles, args: Input, signal: AbortSignal): Promise<ToolOutput> {
  const real = files.resolve(args.path, 'read');
  if (!real.ok) return failureOutput(real.error);
  const start = await files.stat(real.value);
  if (!start.ok) return failureOutput(start.error);
  const matcher = args.regex
    ? matchExpression(args.query, args.ignore_case, signal)
    : ok(matchWords(args.query, args.ignore_case));
  if (!matcher.ok) return failureOutput(matcher.error);
  const hunt: Hunt = {
    files,
    args,
    signal,
    matcher: matcher.value,
    base: real.value,
    lines: [],
    looked: 0,
    skipped: 0,
  };
  try {
    const done =
      start.value.kind === 'folder'
        ? await searchFolder(hunt, real.value, 1)
        : await searchFile(hunt, real.value);
    return done.ok || hunt.lines.length > 0 ? report(hunt) : failureOutput(done.error);
  } finally {
    matcher.value.close();
  }
}

export function createSearchFilesTool(files: ConfinedFiles): Tool {
  return defineTool({
    name: 'search_files',
    group: 'files',
    core: true,
    description: 'Searches the text files below a folder and gives the lines found, each as path:line: text.',
    input,
    replay: 'safe',
    timeoutMs: searchMs + 5_000,
    foreign: true,
    assess: ({ path }) => assessRead(files, path, 'actions.searchFiles'),
    execute: (args, { signal }) =>
      search(files, args, AbortSignal.any([signal, AbortSignal.timeout(searchMs)])),
  });
}
