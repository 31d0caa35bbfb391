/**
 * Finds the command line agents of this computer: program, version, and whether it is logged in. Reads no
 * login itself, only whether its file exists.
 */
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  customHarness,
  type HarnessId,
  type HarnessView,
  harnessFacts,
  harnessIds,
} from '../../contract/harnesses.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import { findLibrary } from './find-library.ts';

export interface DetectDeps {
  readonly process: ProcessPort;
  /** The PATH of the login shell, or of this process if the shell gives none. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
}

const versionMs = 15_000;
const maxVersionBytes = 4_096;
const versionPattern = /\b\d+\.\d+(?:\.\d+)?(?:[-+.][\w.-]{1,40})?/;

export const detectHarnesses = (deps: DetectDeps): Promise<readonly HarnessView[]> =>
  Promise.all(harnessIds.filter((id) => id !== customHarness).map((id) => detectHarness(deps, id)));

export async function detectHarness(deps: DetectDeps, id: HarnessId): Promise<HarnessView> {
  const { title, protocol, gate, resumes, isRunnable, installCommand, loginCommand } = harnessFacts(id);
  const { program, entry, version } = await findHarness(deps, id);
  const login = program === null ? 'unknown' : await readLogin(deps, id);
  return {
    id,
    title,
    program,
    entry,
    version,
    login,
    protocol,
    gate,
    resumes,
    isRunnable,
    installCommand,
    loginCommand,
    canary: null,
  };
}

type Found = Pick<HarnessView, 'program' | 'entry' | 'version'>;

async function findHarness(deps: DetectDeps, id: HarnessId): Promise<Found> {
  const { programs, library, adapter } = harnessFacts(id);
  const folders = pathFolders(deps.path);
  if (library !== null) {
    const found = await findLibrary(library, folders, deps.userHome);
    return { program: null, version: null, ...found, entry: findProgram('node', folders) };
  }
  const program = programs.map((name) => findProgram(name, folders)).find((path) => path !== null) ?? null;
  const entry = adapter === null ? program : findProgram(adapter, folders);
  return { program, entry, version: program === null ? null : await readVersion(deps, program) };
}

async function readVersion({ process, path, userHome }: DetectDeps, program: string): Promise<string | null> {
  const ran = await process.run(
    {
      program,
      args: ['--version'],
      cwd: tmpdir(),
      // Its own folder comes first: a script of npm starts the `node` beside it.
      env: { PATH: `${dirname(program)}:${path}`, HOME: userHome, NO_COLOR: '1', DISABLE_AUTOUPDATER: '1' },
      timeoutMs: versionMs,
      maxStdoutBytes: maxVersionBytes,
      maxStderrBytes: 0,
    },
    new AbortController().signal,
  );
  if (!ran.ok || ran.value.exitCode !== 0) return null;
  return versionPattern.exec(new TextDecoder().decode(ran.value.stdout))?.[0] ?? null;
}

async function readLogin(
  { env, userHome, platform }: DetectDeps,
  id: HarnessId,
): Promise<HarnessView['login']> {
  const { loginFiles, keyVariables, usesKeychain } = harnessFacts(id);
  if (keyVariables.some((name) => (env[name] ?? '') !== '')) return 'yes';
  for (const file of loginFiles) if (await exists(join(userHome, file))) return 'yes';
  return loginFiles.length === 0 || (usesKeychain && platform === 'darwin') ? 'unknown' : 'no';
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
