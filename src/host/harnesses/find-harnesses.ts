import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { customHarness, type HarnessId, type HarnessView } from '../../contract/harnesses.ts';
import type { Clock } from '../../core/ports.ts';
import { findProgram, isExecutable, pathFolders } from '../../platform/find-program.ts';
import type { DetectDeps } from '../../services/harnesses/detect-harnesses.ts';
import type { HostPorts } from '../host-ports.ts';
import { loginPath } from '../login-path.ts';

export interface FindHarnessDeps {
  readonly env: HostPorts['env'];
  readonly clock: Clock;
}

export async function lookUpPrograms({ env, clock }: FindHarnessDeps): Promise<DetectDeps> {
  const [{ createProcessPort }, path] = await Promise.all([
    import('../../services/executors/process.ts'),
    loginPath(env),
  ]);
  return {
    process: createProcessPort({ clock }),
    path: path ?? env.PATH ?? '',
    env,
    userHome: env.HOME ?? homedir(),
    platform: process.platform,
  };
}

/** The command line agents of this computer; what it needs is loaded on demand. */
export async function findHarnesses(deps: FindHarnessDeps): Promise<readonly HarnessView[]> {
  const { detectHarnesses } = await import('../../services/harnesses/detect-harnesses.ts');
  return detectHarnesses(await lookUpPrograms(deps));
}

export interface FoundHarness {
  readonly view: HarnessView;
  /** PATH of its programs. */
  readonly path: string;
}

/** ms after which a program is looked up again. */
const freshMs = 60_000;

/** Looks one program up for its turns, at most once a minute. */
export function createHarnessFinder(deps: FindHarnessDeps, id: HarnessId): () => Promise<FoundHarness> {
  let found: { readonly at: number; readonly value: FoundHarness } | null = null;
  return async () => {
    const now = deps.clock.monotonic();
    if (found && now - found.at < freshMs && found.value.view.program !== null) return found.value;
    const { detectHarness } = await import('../../services/harnesses/detect-harnesses.ts');
    const wanted = await lookUpPrograms(deps);
    const value = { view: await detectHarness(wanted, id), path: wanted.path };
    found = { at: now, value };
    return value;
  };
}

/** The program of a command line, by its path or on the PATH of the login shell. */
export async function findCommand(
  deps: FindHarnessDeps,
  [name = '']: readonly string[],
): Promise<FoundHarness> {
  const { detectHarness } = await import('../../services/harnesses/detect-harnesses.ts');
  const wanted = await lookUpPrograms(deps);
  const program = isAbsolute(name) ? [name].find(isExecutable) : findProgram(name, pathFolders(wanted.path));
  const found = program ?? null;
  const view = await detectHarness(wanted, customHarness);
  return { view: { ...view, program: found, entry: found }, path: wanted.path };
}
