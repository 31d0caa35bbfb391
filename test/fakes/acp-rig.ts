/** The cli-local runtime over a program that speaks the Agent Client Protocol, started as a real process. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/contract/result.ts';
import { createAcpProtocol } from '../../src/core/runtimes/acp/acp-protocol.ts';
import type { HostTools } from '../../src/core/runtimes/harness-ports.ts';
import type { ProgramSetup } from '../../src/core/runtimes/program/program-ports.ts';
import { createProgramRuntime } from '../../src/core/runtimes/program/program-runtime.ts';
import { turnTools } from '../../src/host/mcp/turn-tools.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { connectAcp } from '../../src/services/harnesses/acp-connection.ts';
import { createToolServer } from '../../src/services/mcp/mcp-http.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { createHarnessShell } from '../../src/services/tools/shell/harness-shell.ts';
import { topmostMissing } from '../../src/services/tools/snapshots/scan.ts';
import { type ClaudeRigOptions, claudeRig } from './claude-rig.ts';
import { serveOnLoopback } from './on-loopback.ts';
import { createRecordingLog } from './recording-log.ts';

const program = join(import.meta.dirname, 'fake-acp.ts');

/** The tools of the host, as the model relay serves them. */
async function serveHostTools() {
  let offered: HostTools | null = null;
  const options = { version: '1', clock: createSystemClock(), log: createRecordingLog() };
  const served = createToolServer(
    'a',
    turnTools(() => offered),
    options,
  );
  const { url, stop } = await serveOnLoopback((incoming, outgoing) => served.serve(incoming, outgoing));
  const offer = (tools: HostTools | null): void => {
    offered = tools;
  };
  return {
    mcp: { url: `${url}/mcp`, token: 'secret', offer },
    async end() {
      await served.close();
      await stop();
    },
  };
}

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
          const tools = await serveHostTools();
          const started = await processes.start({
            agentId: 'a',
            argv: [process.execPath, program, ...flags],
            env: { PATH: process.env.PATH ?? '', HOME: home },
            cwd,
            wall: null,
          });
          if (!started.ok) return started;
          const end = async (): Promise<void> => {
            await started.value.end();
            await tools.end();
          };
          return ok({ process: started.value, isMetered: false, mcp: tools.mcp, end });
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
