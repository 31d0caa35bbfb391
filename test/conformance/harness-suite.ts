/** Suites of agent programs: what each needs, where it comes from, and how its cases are reported. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export interface HarnessCase {
  readonly name: string;
  /** Runs against the real program; false if it behaved differently. */
  run(): Promise<boolean>;
  /** Why this computer cannot run the case; `null` if it can. */
  readonly skipped?: string | null;
  /** Why the program cannot do this at all; `null` if it can. */
  readonly notOffered?: string | null;
  /** Part of `npm test`. */
  readonly isQuick?: boolean;
}

export type HarnessSuite =
  | { readonly skipped: string }
  | {
      readonly cases: readonly HarnessCase[];
      /** After the last case. */
      end?(): Promise<void>;
    };

/** Where the packages of programs are kept. */
export const cache = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'),
  'kennel-harnesses',
);

export interface HarnessPackage {
  readonly title: string;
  /** Folder in the cache, with the version in its name. */
  readonly folder: string;
  /** With exact versions; too large for the lock file. */
  readonly packages: readonly string[];
  /** The file to start, relative to the folder. */
  readonly program: string;
}

export const cachedHarness = (name: string): string => path.join(cache, name);

/** Path of the program, or the reason why it is missing. */
export function fetchHarness({
  title,
  folder: name,
  packages,
  program: file,
}: HarnessPackage): { readonly program: string } | { readonly skipped: string } {
  const folder = cachedHarness(name);
  const program = path.join(folder, file);
  try {
    if (!existsSync(program)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
      const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
      execFileSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: 300_000 });
    }
    return existsSync(program) ? { program } : { skipped: `${title} has no program for this system` };
  } catch (error) {
    return { skipped: `${title} could not be installed: ${String(error).slice(0, 200)}` };
  }
}
