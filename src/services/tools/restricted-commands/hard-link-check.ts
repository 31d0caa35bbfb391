/**
 * Checks for hard links before `rg` reads or `git diff` compares: a file with several names may also be
 * outside of the roots, and both open every file they find. So the program first lists what it would read,
 * and does not run if the list contains such a file (T14).
 */
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { optionWord } from '../../../core/policy/commands/options.ts';
import { hasOption, type ParsedCommand } from '../../../core/policy/commands/parsed-command.ts';
import type { CommandRefusal } from '../../../core/policy/commands/refusal.ts';
import type { CommandPlan } from './plan.ts';

const atOnce = 256;
const maxShown = 5;

const hints: Readonly<Record<string, string>> = {
  rg: "Leave them out with --glob '!NAME', or name other folders.",
  git: 'Name other files.',
};

/** Options that select the files to read. */
const walkOptions = new Set([
  '--unrestricted',
  '--hidden',
  '--no-ignore',
  '--no-ignore-vcs',
  '--max-depth',
  '--max-filesize',
  '--glob',
  '--iglob',
  '--type',
  '--type-not',
]);

/** `--files` and `--type-list` read no content, `--cached` only objects of the repository. */
export const readsContent = (command: ParsedCommand): boolean =>
  command.name === 'rg'
    ? !hasOption(command, '--files') && !hasOption(command, '--type-list')
    : command.subcommand === 'diff' && !hasOption(command, '--cached');

/** The same plan, but the program only lists the files that it would read. */
export const listingOf = (plan: CommandPlan): CommandPlan =>
  plan.command.name === 'rg' ? rgListing(plan) : gitListing(plan);

/** Without options that could hide files that git reads. */
function gitListing(plan: CommandPlan): CommandPlan {
  const end = plan.argv.indexOf('--');
  const options = plan.command.options.filter(({ name }) => name !== '--merge-base').map(optionWord);
  const head = plan.argv.slice(0, end).filter((word) => !options.includes(word));
  return { ...plan, argv: [...head, '--name-only', '-z', '--no-renames', ...plan.argv.slice(end)] };
}

function rgListing(plan: CommandPlan): CommandPlan {
  const end = plan.argv.indexOf('--');
  const isWalk = (word: string): boolean => walkOptions.has(word.split('=')[0] ?? '');
  const fixed = ['rg', '--no-config', '--no-follow', '--no-ignore-global', '--files', '--null'];
  const argv = [...fixed, ...plan.argv.slice(1, end).filter(isWalk), ...plan.argv.slice(end)];
  return { ...plan, argv };
}

async function hasManyNames(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isFile() === true && stats.nlink > 1;
}

/** `listed`: NUL-terminated names, relative to `folder`. */
export async function findManyNames(folder: string, listed: Uint8Array): Promise<readonly string[]> {
  const names = Buffer.from(listed).toString().split('\0').filter(Boolean);
  const found: string[] = [];
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce);
    const many = await Promise.all(some.map((name) => hasManyNames(resolve(folder, name))));
    found.push(...some.filter((_, index) => many[index]));
  }
  return found;
}

export function manyNamesRefusal({ name }: ParsedCommand, found: readonly string[]): CommandRefusal {
  const shown = found.slice(0, maxShown).map((path) => path.slice(0, 200));
  const more = found.length > maxShown ? ` and ${found.length - maxShown} more` : '';
  return {
    reason: 'path_outside_allowed_roots',
    message: `These files have more than one name (hard links), so ${name} did not read: ${shown.join(', ')}${more}. ${hints[name] ?? ''}`,
  };
}
