import { homedir } from 'node:os';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpAuthorizer, McpConnector, McpProgram, McpProgramStarter } from '../../core/mcp/mcp-ports.ts';
import type { Clock } from '../../core/ports.ts';
import type { HarnessProcessPort } from '../../core/runtimes/harness-ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { ConnectServer } from './mcp-servers.ts';
import { serverProgramPath } from './program-files.ts';
import type { ServerRequests } from './server-requests.ts';
import type { ServerSources } from './server-sources.ts';
import { type ServerValuesDeps, withValues } from './server-values.ts';

/** Variables that a local server inherits; nothing else of Kennel's environment reaches it. */
const inherited = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

const baseEnv = (env: HostPorts['env']): Record<string, string> =>
  Object.fromEntries(inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] ?? '']])));

export interface ServerStarterDeps {
  readonly env: HostPorts['env'];
  readonly processes: () => Promise<HarnessProcessPort>;
}

/** Starts the program of a server with the rights of the operator; its process is in the ledger. */
export const createServerStarter =
  ({ env, processes }: ServerStarterDeps): McpProgramStarter =>
  async ({ id }, config): Promise<Result<McpProgram>> => {
    const full = { ...baseEnv(env), ...config.env };
    const cwd = config.cwd ?? homedir();
    const program = serverProgramPath(config.command, cwd, full);
    if (program === null)
      return err(fail('not_found', 'mcpServers.programMissing', { command: config.command }));
    const port = await processes();
    return port.start({ agentId: `mcp:${id}`, argv: [program, ...config.args], env: full, cwd, wall: null });
  };

/** Pages that wait for the operator, by the key of their server. */
export interface AuthorizationPages {
  open(key: string, page: string): void;
  close(key: string): void;
}

/** Shows the page in the window, the terminal and the inbox, and waits for the redirect on loopback. */
export function createServerAuthorizer(clock: Clock, pages: AuthorizationPages): McpAuthorizer {
  const waiting = new Map<string, Promise<unknown>>();
  return {
    async listen(state) {
      const { openCallbackServer } = await import('../../services/logins/callback-server.ts');
      const opened = await openCallbackServer({ clock, state, lifeMs: authorizationMs });
      if (opened.ok) waiting.set(state, opened.value.answer);
      return opened;
    },
    async openPage(serverId, url) {
      const state = new URL(url).searchParams.get('state') ?? '';
      pages.open(serverId, url);
      void waiting.get(state)?.finally(() => {
        waiting.delete(state);
        pages.close(serverId);
      });
      return ok(undefined);
    },
  };
}

export interface ServerConnectorDeps {
  readonly connector: McpConnector;
  readonly values: ServerValuesDeps;
  readonly pages: AuthorizationPages;
  readonly requests: ServerRequests;
  readonly sources: Pick<ServerSources, 'files'>;
}

/** Connects to a server with the values of the vault and of the environment. */
export const createServerConnector =
  ({ connector, values, pages, requests, sources }: ServerConnectorDeps): ConnectServer =>
  async (spec, signal, onEvent, open) => {
    // The turn may have changed a file since its server was accepted (T10).
    if (JSON.stringify(await sources.files(spec)) !== JSON.stringify(spec.files))
      return err(fail('forbidden', 'mcpServers.programChanged', { name: spec.name }));
    const config = withValues(spec, values);
    if (!config.ok) return config;
    const target = { id: spec.key, config: config.value };
    try {
      return await connector.connect(
        target,
        { onEvent, ...requests(spec, open) },
        { signal, timeoutMs: startMs },
      );
    } finally {
      pages.close(spec.key);
    }
  };

/** ms until a server must have answered; one that npx fetches first takes its time. */
const startMs = 60_000;
const authorizationMs = 10 * 60_000;
