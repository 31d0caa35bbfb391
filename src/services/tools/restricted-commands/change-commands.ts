/**
 * `mkdir`, `touch`, `cp`, `mv` and `rm` on `ConfinedFiles`: a command changes exactly what was checked, even
 * if links are swapped meanwhile.
 */
import { err, ok, type Result } from '../../../contract/result.ts';
import { hasOption } from '../../../core/policy/commands/parsed-command.ts';
import { targetOf } from './plan.ts';
import {
  absolute,
  type BashSimpleCommand,
  complain,
  forEachOperand,
  type SimpleContext,
} from './simple-context.ts';

function report(context: SimpleContext, path: string, done: Result<void>, said: string): number {
  if (!done.ok) return complain(context, path, done.error);
  if (hasOption(context.command, '-v')) context.out.write(`${said}\n`);
  return 0;
}

const mkdir: BashSimpleCommand = (context) =>
  forEachOperand(context, async (path) => {
    const made = await context.files.makeFolder(absolute(context, path), hasOption(context.command, '-p'));
    return report(context, path, made, `made ${path}`);
  });

const touch: BashSimpleCommand = (context) =>
  forEachOperand(context, async (path) => {
    if (hasOption(context.command, '-c')) {
      const there = await context.files.stat(absolute(context, path));
      if (!there.ok && there.error.code === 'not_found') return 0;
    }
    return report(context, path, await context.files.touch(absolute(context, path)), '');
  });

type Put = (from: string, to: string) => Promise<Result<void>>;

/** Copies or moves sources one by one into the target; several sources need a folder. */
async function putAll(context: SimpleContext, put: Put): Promise<number> {
  const { command, files, cwd } = context;
  const target = command.operands.at(-1)?.text ?? '';
  const sources = command.operands.slice(0, -1).map(({ text }) => text);
  const entry = await files.stat(absolute(context, target));
  const isFolder = entry.ok && entry.value.kind === 'folder';
  if (!isFolder && (sources.length > 1 || /[/\\]$/.test(target)))
    return complain(context, target, 'This is not a folder; nothing was changed.');
  let worst = 0;
  for (const source of sources) {
    if (context.signal.aborted) return 1;
    const to = await targetOf(files, cwd, target, source);
    const taken = hasOption(command, '-n') && (await files.stat(to)).ok;
    const done = taken ? ok(undefined) : await put(absolute(context, source), to);
    worst = Math.max(worst, report(context, source, done, `${source} -> ${target}`));
  }
  return worst;
}

const cp: BashSimpleCommand = (context) =>
  putAll(context, (from, to) => context.files.copy(from, to, hasOption(context.command, '-r')));

const mv: BashSimpleCommand = (context) => putAll(context, (from, to) => context.files.move(from, to));

async function removeOne(context: SimpleContext, path: string): Promise<Result<void>> {
  const { command, files } = context;
  const full = absolute(context, path);
  const recursive = hasOption(command, '-r');
  if (recursive || !hasOption(command, '-d')) return files.remove(full, recursive);
  const listed = await files.list(full, 1);
  const isEmpty = listed.ok && listed.value.entries.length === 0;
  return files.remove(full, isEmpty);
}

const rm: BashSimpleCommand = (context) =>
  forEachOperand(context, async (path) => {
    const removed = await removeOne(context, path);
    const missing = !removed.ok && removed.error.code === 'not_found' && hasOption(context.command, '-f');
    if (missing) return 0;
    const done = removed.ok ? removed : err(removed.error);
    return report(context, path, done, `removed ${path}`);
  });

export const changeCommands = { mkdir, touch, cp, mv, rm };
