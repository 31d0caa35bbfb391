/** MCP servers of a program of its own: started with few variables, and ended with it. No login by a browser. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fail } from '../contract/fail.ts';
import { err, ok } from '../contract/result.ts';
import type { McpConnector, McpProgramStarter } from '../core/mcp/mcp-ports.ts';
import type { Clock, Random } from '../core/ports.ts';
import { findProgram, pathFolders } from '../platform/find-program.ts';
import { createHarnessProcesses } from '../services/executors/harness-process.ts';
import { createMcpConnector } from '../services/mcp-client/connector.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that programs of servers inherit. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'LOGNAME', 'TERM'];

const inheritedFrom = (env: Variables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    inherited.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

function starterIn(
  folder: string,
  env: Variables,
  processes: ReturnType<typeof createHarnessProcesses>,
): McpProgramStarter {
  const passed = inheritedFrom(env);
  return async ({ id }, config, signal) => {
    const all = { ...passed, ...config.env };
    const cwd = resolve(folder, config.cwd ?? '.');
    const { command } = config;
    const found = command.includes('/')
      ? resolve(cwd, command)
      : findProgram(command, pathFolders(all.PATH ?? ''));
    if (found === null || !existsSync(found)) return err(fail('not_found', 'agentd.noProgram', { command }));
    const argv = [found, ...config.args] as const;
    const started = await processes.start({ agentId: id, argv, env: all, cwd, wall: null });
    if (started.ok && signal.aborted) await started.value.end();
    return started;
  };
}

const noAuthorization = err(fail('unsupported', 'agentd.noAuthorization'));

export interface LocalConnectorDeps {
  /** Absolute; programs start there. */
  readonly folder: string;
  readonly env: Variables;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface LocalConnector {
  readonly connector: McpConnector;
  /** Ends all programs. */
  close(): Promise<void>;
}

export function createLocalConnector(deps: LocalConnectorDeps): LocalConnector {
  const { folder, env, version, clock, random } = deps;
  const ledger = { add: () => ok(undefined), settle: () => undefined };
  const processes = createHarnessProcesses({ clock, random, ledger, hidden: [] });
  const eras = new Map<string, string>();
  const connector = createMcpConnector({
    version,
    clock,
    random,
    startProgram: starterIn(folder, env, processes),
    eras: {
      read: (id) => eras.get(id) ?? null,
      write: (id, verdict) => void (verdict === null ? eras.delete(id) : eras.set(id, verdict)),
    },
    oauth: {
      credentials: { read: async () => ok(null), write: async () => ok(undefined) },
      authorizer: { listen: async () => noAuthorization, openPage: async () => noAuthorization },
    },
  });
  return { connector, close: () => processes.close() };
}
