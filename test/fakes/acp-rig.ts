/** The cli-local runtime over a program that speaks the Agent Client Protocol, started as a real process. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/contract/result.ts';
import { createAcpProtocol } from '../../src/core/runtimes/acp/acp-protocol.ts';
import type { ProgramSetup } from '../../src/core/runtimes/program/program-ports.ts';
import { createProgramRuntime } from '../../src/core/runtimes/program/program-runtime.ts';
import { connectAcp } from '../../src/services/harnesses/acp-connection.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { createHarnessShell } from '../../src/services/tools/shell/harness-shell.ts';
import { topmostMissing } from '../../src/services/tools/snapshots/scan.ts';
import { type ClaudeRigOptions, claudeRig } from './claude-rig.ts';

const program = join(import.meta.dirname, 'fake-acp.ts');

export interface AcpRigOptions extends Omit<ClaudeRigOptions, 'command' | 'agent' | 'runtime' | 'mode'> {
  /** Flags of the fake program. */
  readonly flags?: readonly string[];
  /** Mode that Kennel asks for. */
  readonly mode?: string | null;
}

export type AcpRig = ReturnType<typeof acpRig>;

export function acpRig({ flags = [], mode = 'default', ...options }: AcpRigOptions = {}) {
  const seen = { starts: 0, home: '' };
  const protocol = createAcpProtocol({ id: 'fake-acp', mode }, connectAcp);
  const rig = claudeRig({
    ...options,
    runtime: (deps) => createProgramRuntime(deps, protocol),
    agent({ home, processes, points }) {
      seen.home = home;
      const cwd = join(home, 'workspace');
      const files = createConfinedFiles({ cwd, readable: [cwd], writable: [cwd] });
      const setup: ProgramSetup = {
        key: 'k',
        title: 'Fake',
        program,
        version: '1.0.0',
        command: [],
        sandbox: 'none',
        cwd,
        provider: 'google',
        model: 'm',
        offers: () => true,
        shell: createHarnessShell({ files, sandbox: 'none', network: true }),
        pausedUntil: () => null,
        pauseLogin: () => undefined,
        undo: { roots: files.roots, anchor: topmostMissing, points },
        async launch() {
          seen.starts += 1;
          const started = await processes.start({
            agentId: 'a',
            argv: [process.execPath, program, ...flags],
            env: { PATH: process.env.PATH ?? '', HOME: home },
            cwd,
            wall: null,
          });
          return started.ok
            ? ok({ process: started.value, isMetered: false, end: () => started.value.end() })
            : started;
        },
      };
      return { setup: async () => ok(setup), isTrusted: () => true, trust: () => ok(undefined) };
    },
  });
  const sessions = (): string => join(seen.home, 'sessions');
  return {
    ...rig,
    started: () => seen.starts,
    /** Messages that all sessions of the program were given. */
    session: () =>
      existsSync(sessions())
        ? readdirSync(sessions())
            .map((name) => readFileSync(join(sessions(), name), 'utf8'))
            .join('')
        : '',
    loseSessions: () => rmSync(sessions(), { recursive: true }),
  };
}
