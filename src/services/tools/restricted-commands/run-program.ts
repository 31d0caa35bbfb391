/**
 * Starts `find`, `rg` or `git` from a fixed folder with its own environment, in the OS sandbox if one exists:
 * there the folders are read-only, and a path that was swapped for a link leads nowhere.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Result } from '../../../contract/result.ts';
import { isInsideAny } from '../../../core/policy/paths.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { ProcessOutcome, ProcessPort, SandboxPort } from '../../../core/tools/process-ports.ts';
import { isExecutable } from '../../../platform/find-program.ts';
import type { CommandPlan } from './plan.ts';

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Never returns a program that an agent could have written. */
export function findTrustedProgram(name: string, writable: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      const path = realpathSync(`${folder}/${name}`);
      if (isExecutable(path) && !isInsideAny(writable, path)) return path;
    } catch {
      // Try the next folder.
    }
  }
  return null;
}

export function programEnvironment(plan: CommandPlan): Readonly<Record<string, string>> {
  const base = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  if (plan.repository === null) return base;
  return {
    ...base,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(plan.repository),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

export interface ProgramPorts {
  readonly files: ConfinedFiles;
  readonly process: ProcessPort;
  readonly sandbox: SandboxPort | null;
}

export interface ProgramLimits {
  readonly timeoutMs: number;
  /** Maximum number of bytes kept per stream. */
  readonly maxBytes: number;
}

export function runProgram(
  ports: ProgramPorts,
  plan: CommandPlan,
  program: string,
  limits: ProgramLimits,
  signal: AbortSignal,
): Promise<Result<ProcessOutcome>> {
  const request = {
    program,
    args: plan.argv.slice(1),
    cwd: plan.cwd,
    env: programEnvironment(plan),
    timeoutMs: limits.timeoutMs,
    maxStdoutBytes: limits.maxBytes,
    maxStderrBytes: limits.maxBytes,
  };
  const { sandbox, files, process } = ports;
  if (!sandbox) return process.run(request, signal);
  return sandbox.run(request, { readable: files.roots.readable, writable: [], network: false }, signal);
}
