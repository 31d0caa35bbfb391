/** Predicts the effects of a shell line before it runs; unclear parts count as dangerous. */
import { basename, isAbsolute, resolve } from 'node:path';
import type { Effect, FileRoots, Risk, SandboxKind } from '../../../core/policy/assessment.ts';
import { type ShellSplit, splitShell } from '../../../core/policy/commands/split-shell.ts';
import { followLinks } from '../../../platform/follow-links.ts';

/** Programs that remove or overwrite irrecoverably. */
const destructive = new Set('rm rmdir unlink shred dd truncate wipefs mkfs srm git-clean'.split(' '));
const removingWords = /^(?:-delete|--delete|--force|--hard|clean|-fdx?|prune|purge|drop)$/;

export interface ShellPlan {
  readonly line: string;
  /** The real, absolute path. */
  readonly cwd: string;
  readonly sandbox: SandboxKind;
  readonly network: boolean;
  readonly roots: FileRoots;
}

export interface ShellRefusal {
  readonly reason: string;
  readonly message: string;
}

export const shellPrograms = ['/bin/bash', '/bin/sh'] as const;

function isDestructive(split: ShellSplit): boolean {
  if (!split.understood) return true;
  return split.commands.some(
    ({ words }) =>
      words.some(({ text }) => destructive.has(basename(text))) ||
      words.slice(1).some(({ text }) => removingWords.test(text)),
  );
}

export function shellRisk(plan: ShellPlan): Risk {
  const isWalled = plan.sandbox === 'bubblewrap' || plan.sandbox === 'container';
  if (!isWalled || plan.network) return 'high';
  return isDestructive(splitShell(plan.line)) ? 'high' : 'medium';
}

/** Commands after which a relative path means another file. */
const folderChanges = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.']);

/**
 * Files named by redirections, each with its current real path (T14); a descriptor number is no file. A
 * relative path is omitted if the line may change its folder: a wrong target misleads more than the writable
 * folders, which are shown anyway.
 */
function redirectedFiles(split: ShellSplit, cwd: string): Effect[] {
  if (!split.understood) return [];
  const movesAround = split.commands.some(({ words: [first] }) => first && folderChanges.has(first.text));
  return split.commands
    .flatMap(({ redirections }) => redirections)
    .filter(
      ({ operator, target }) => !target.dynamic && operator !== '<<<' && !/^(?:\d+|-)$/.test(target.text),
    )
    .filter(({ target }) => target.text !== '/dev/null')
    .filter(({ target }) => isAbsolute(target.text) || !movesAround)
    .map(({ operator, target }) => {
      const path = isAbsolute(target.text) ? target.text : `${cwd}/${target.text}`;
      return { kind: operator === '<' ? 'read' : 'write', path: followLinks(path)?.end ?? resolve(path) };
    });
}

/** A shell may change every writable folder, independent of its line. */
export function shellEffects(plan: ShellPlan): readonly Effect[] {
  const argv = [shellPrograms[0], '-c', plan.line];
  return [
    { kind: 'run', argv, cwd: plan.cwd, sandbox: plan.sandbox },
    ...plan.roots.writable.map((path): Effect => ({ kind: 'write', path })),
    ...redirectedFiles(splitShell(plan.line), plan.cwd),
    ...(plan.network ? [{ kind: 'network', host: '*' } as const] : []),
  ];
}

/** The line itself, then the commands it starts, one per line. */
export function shellPreview(line: string): string {
  const split = splitShell(line);
  if (!split.understood)
    return `${line}\n\nIt could not be taken apart (${split.reason}), so read it with care.`;
  if (split.commands.length < 2) return line;
  return [line, '', 'It starts:', ...split.commands.map(({ source }) => `  ${source}`)].join('\n');
}
