/** MCP servers of an agent over scripted connections, with questions that the test answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../../src/contract/result.ts';
import type { Question } from '../../src/core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../src/core/approvals/approval-gate.ts';
import type {
  McpConnection,
  McpEvent,
  McpHandlers,
  McpToolDefinition,
  McpToolResult,
} from '../../src/core/mcp/mcp-ports.ts';
import { noneSpent } from '../../src/core/models/usage.ts';
import type { ModelQuestion } from '../../src/core/workflows/model-step.ts';
import { McpServers } from '../../src/host/mcp-servers/mcp-servers.ts';
import { createServerQuestions } from '../../src/host/mcp-servers/server-questions.ts';
import { createServerRecords } from '../../src/host/mcp-servers/server-records.ts';
import { createServerRequests } from '../../src/host/mcp-servers/server-requests.ts';
import { createServerSources } from '../../src/host/mcp-servers/server-sources.ts';
import type { LoadedAgent } from '../../src/services/agent-store/agent-types.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { createRecordingLog } from './recording-log.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const echoTool: McpToolDefinition = {
  name: 'echo',
  description: 'Repeats a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

export interface ScriptedServer {
  tools: readonly McpToolDefinition[];
  hasResources: boolean;
  hasPrompts: boolean;
  starts: number;
  /** Requests for the list of tools. */
  lists: number;
  /** Names and arguments of the calls that reached the server. */
  readonly calls: { readonly tool: string; readonly args: unknown }[];
  result: Result<McpToolResult>;
  /** Runs during each call, with what the client offers to the server. */
  during: (client: McpHandlers) => Promise<unknown>;
  /** The process ends by itself. */
  die(): void;
  send(event: McpEvent): void;
}

export function createMcpServerRig(agent: LoadedAgent, cwd: string) {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-mcp-'));
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const random = createSeededRandom(1);
  const disk = createDisk(random);
  const asked: {
    readonly question: Question;
    readonly ended: AbortSignal;
    answer(decision: GateDecision): void;
  }[] = [];
  let handlers: McpHandlers = { onEvent: () => undefined };
  const onEvent = (event: McpEvent): void => handlers.onEvent(event);
  const answering = { isAttended: true };
  const prompts: ModelQuestion[] = [];
  const server: ScriptedServer = {
    tools: [echoTool],
    hasResources: false,
    hasPrompts: false,
    starts: 0,
    lists: 0,
    calls: [],
    result: ok({ content: [{ type: 'text', text: 'done' }], isError: false }),
    during: async () => undefined,
    die: () => onEvent({ kind: 'closed', reason: { by: 'server', exitCode: 1, signal: null } }),
    send: (event) => onEvent(event),
  };
  const connection = (): McpConnection => {
    const none = async () => ok([]);
    return {
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: null,
      capabilities: {
        tools: true,
        resources: server.hasResources,
        subscribe: false,
        prompts: server.hasPrompts,
        completions: false,
        logging: false,
      },
      instructions: null,
      async tools() {
        server.lists += 1;
        return ok(server.tools);
      },
      async callTool(tool, args) {
        server.calls.push({ tool, args });
        await server.during(handlers);
        return server.result;
      },
      resources: async () => ok([{ uri: 'note://1', name: 'first' }]),
      resourceTemplates: none,
      readResource: async (uri) => ok([{ uri, text: 'content' }]),
      subscribe: async () => ok(undefined),
      unsubscribe: async () => ok(undefined),
      prompts: async () =>
        ok([
          {
            name: 'review',
            arguments: [
              { name: 'file', required: true },
              { name: 'style', required: false },
            ],
          },
        ]),
      getPrompt: async (name, args) =>
        ok({
          messages: [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(args)}` } }],
        }),
      complete: async () => ok({ values: [], hasMore: false }),
      rootsChanged: async () => ok(undefined),
      logTail: () => 'last words',
      close: async () => onEvent({ kind: 'closed', reason: { by: 'client' } }),
    };
  };
  const path = join(folder, 'mcp.json');
  const sources = createServerSources({
    disk,
    path,
    folders: { roots: () => ({ cwd, readable: [], writable: [] }) },
    programs: { env: {}, writable: () => [cwd] },
  });
  const ask = (question: Question, ended: AbortSignal): Promise<GateDecision> =>
    new Promise((resolve) => {
      asked.push({ question, ended, answer: resolve });
      ended.addEventListener('abort', () => resolve({ type: 'deny', by: 'cancelled', reason: '' }));
    });
  const requests = createServerRequests({
    ask,
    isAttended: () => answering.isAttended,
    nameOf: (id) => id,
    askModel: async (_asker, question) => {
      prompts.push(question);
      return ok({ text: 'It is blue. END and more', spent: noneSpent, model: 'small' });
    },
    writable: () => [cwd],
    random,
  });
  const newRecords = () => createServerRecords(disk, join(folder, 'mcp'), clock);
  const kept = newRecords();
  const make = (records = kept) =>
    new McpServers({
      ports: { clock, random, log },
      sources,
      records,
      questions: createServerQuestions({ ask, log }),
      connect: async (spec, _signal, listener, open) => {
        server.starts += 1;
        handlers = { onEvent: listener, ...requests(spec, open) };
        return ok(connection());
      },
      pageOf: () => null,
    });
  return {
    agent,
    clock,
    server,
    sources,
    records: kept,
    newRecords,
    asked,
    answering,
    /** Requests that reached the model. */
    prompts,
    servers: make(),
    /** The same folder after a restart of the host. */
    restarted: () => make(newRecords()),
    configure: (entries: object) => writeFileSync(path, JSON.stringify({ mcpServers: entries })),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
