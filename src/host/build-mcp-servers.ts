import type { Question } from '../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../core/approvals/approval-gate.ts';
import { loadOnce } from '../core/lib/shared-run.ts';
import type { McpCredentialStore } from '../core/mcp/mcp-ports.ts';
import type { DiskPort } from '../core/ports.ts';
import type { HarnessProcessPort } from '../core/runtimes/harness-ports.ts';
import type { AgentStore, LoadedAgent } from '../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from './agents/agent-view.ts';
import type { AgentFolders } from './fleet/agent-folders.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { type ConnectServer, McpServers } from './mcp-servers/mcp-servers.ts';
import type { AuthorizationPages } from './mcp-servers/server-connector.ts';
import { createServerQuestions } from './mcp-servers/server-questions.ts';
import { createEraCache, createServerRecords } from './mcp-servers/server-records.ts';
import { createServerRequests } from './mcp-servers/server-requests.ts';
import { createServerSources } from './mcp-servers/server-sources.ts';
import { tokenScope } from './mcp-servers/server-values.ts';
import type { Secrets } from './vault/secrets.ts';
import type { AskModelFor } from './workflows/ask-model.ts';

export interface McpServersWiring {
  readonly ports: HostPorts;
  readonly layout: Pick<Layout, 'mcpServers' | 'mcpRecords'>;
  readonly disk: DiskPort;
  readonly secrets: Pick<Secrets, 'mcp' | 'openForReal'>;
  readonly folders: Pick<AgentFolders, 'roots'>;
  readonly processes: () => Promise<HarnessProcessPort>;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  readonly askModel: AskModelFor;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  isAttended(agentId: string): boolean;
}

/** Part of the composition root: the MCP servers whose tools agents use. */
export function buildMcpServers(wiring: McpServersWiring) {
  const { ports, layout, disk, secrets, folders, agents, processes, ask } = wiring;
  const { clock, random, log } = ports;
  const sources = createServerSources({
    disk,
    path: layout.mcpServers,
    folders,
    programs: {
      env: ports.env,
      writable: () => agents.list().flatMap((agent) => writableFolders(wiring, agent)),
    },
  });
  const records = createServerRecords(disk, layout.mcpRecords, clock);
  const shown = new Map<string, string>();
  const pages: AuthorizationPages = {
    open(key, page) {
      shown.set(key, page);
      servers.askSignIn(key, page);
    },
    close(key) {
      shown.delete(key);
      servers.endSignIn(key);
    },
  };
  // Loaded with the first server.
  const connector = loadOnce(async () => {
    const [{ createMcpConnector }, parts] = await Promise.all([
      import('../services/mcp-client/connector.ts'),
      import('./mcp-servers/server-connector.ts'),
    ]);
    const made = createMcpConnector({
      version: ports.version,
      clock,
      random,
      startProgram: parts.createServerStarter({ env: ports.env, processes }),
      eras: createEraCache(records),
      oauth: {
        credentials: createServerCredentials(secrets),
        authorizer: parts.createServerAuthorizer(clock, pages),
      },
    });
    const values = { env: ports.env, addSecret: ports.addSecret, secrets: secrets.mcp };
    return parts.createServerConnector({
      connector: made,
      values,
      pages,
      requests: buildRequests(wiring),
      sources,
    });
  });
  const connect: ConnectServer = async (...server) => (await connector())(...server);
  const servers: McpServers = new McpServers({
    ports: { clock, random, log },
    sources,
    records,
    questions: createServerQuestions({ ask, log }),
    connect,
    pageOf: (key) => shown.get(key) ?? null,
  });
  return { mcpServers: servers, mcpSources: sources };
}

function writableFolders(
  { folders }: Pick<McpServersWiring, 'folders'>,
  agent: LoadedAgent,
): readonly string[] {
  const { cwd, writable } = folders.roots(agent, configInForce(agent));
  return [...new Set([cwd, ...writable])];
}

function buildRequests({ ports, ask, askModel, agents, folders, isAttended }: McpServersWiring) {
  return createServerRequests({
    ask,
    isAttended,
    askModel,
    random: ports.random,
    nameOf(agentId) {
      const agent = agents.get(agentId);
      return agent ? nameOfAgent(agent) : agentId;
    },
    writable(agentId) {
      const agent = agents.get(agentId);
      return agent ? writableFolders({ folders }, agent) : [];
    },
  });
}

const createServerCredentials = (secrets: McpServersWiring['secrets']): McpCredentialStore => ({
  read: async (id) => secrets.mcp.get(tokenScope(id)),
  async write(id, credentials) {
    if (credentials === null) return secrets.mcp.delete(tokenScope(id));
    const opened = await secrets.openForReal();
    return opened.ok ? secrets.mcp.set(tokenScope(id), credentials) : opened;
  },
});
