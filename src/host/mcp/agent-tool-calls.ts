import type { AgentToolResult, AgentToolView } from '../../contract/agent-tool-methods.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { gateVerdict } from '../../core/loop/tool-adapter.ts';
import { runBody } from '../../core/loop/tool-body.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { Tool, ToolOutput } from '../../core/tools/tool.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createMemoryTools } from '../../services/tools/memory/memory-tools.ts';
import { createRememberTool } from '../../services/tools/memory/remember-tool.ts';
import { createFileTools, createUploadTool } from '../../services/tools/messaging/file-tools.ts';
import { createFurtherTools } from '../../services/tools/messaging/further-tools.ts';
import { createMessagingTools } from '../../services/tools/messaging/messaging-tools.ts';
import { createTaskTools } from '../../services/tools/tasks/task-tools.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import { createWorkspaceFiles, noMessaging, offeredTools } from '../fleet/agent-kit.ts';
import { roomOf } from '../fleet/messaging.ts';
import { memoryOf } from '../memory/memory-of.ts';
import { agentTasks } from '../tasks/agent-tasks.ts';
import type { OutsideReads } from './outside-reads.ts';
import { ownSetupTools } from './own-setup.ts';
import { outsideTurn } from './running-calls.ts';

export interface AgentToolCalls {
  list(agentId: string): Promise<Result<readonly AgentToolView[]>>;
  call(agentId: string, call: OutsideCall, signal: AbortSignal): Promise<Result<AgentToolResult>>;
}

export interface OutsideCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Parts = Pick<
  HostContext,
  'agents' | 'fleet' | 'disk' | 'ports' | 'approvals' | 'settings' | 'models' | 'operator' | 'tasks'
>;

/** A message from outside has no thread by default. */
const noThread = 'mcp';
const abortMs = 30_000;

const unknownAgent = appError('not_found', 'This agent is not known here any more.');
const unknownTool = appError('not_found', 'This agent has no tool of that name.', {
  hint: 'Ask for the list of its tools.',
});

/** Looks up the agent's connection at each call, because a call may have waited for hours. */
function messagingNow(fleet: HostContext['fleet'], agentId: string): TeamChat {
  const now = async () => (await fleet.post(agentId)?.hands?.messaging()) ?? noMessaging;
  return {
    here: () => null,
    whoami: async () => (await now()).whoami(),
    send: async (message) => (await now()).send(message),
    channels: async () => (await now()).channels(),
    roomOf,
    channelName: async (channel) => (await now()).channelName(channel),
    members: async (channel) => (await now()).members(channel),
    channelHistory: async (channel, query) => (await now()).channelHistory(channel, query),
    threadHistory: async (rootId, limit) => (await now()).threadHistory(rootId, limit),
    post: async (id) => (await now()).post(id),
    user: async (slug) => (await now()).user(slug),
    search: async (query) => (await now()).search(query),
    sendFiles: async (message) => (await now()).sendFiles(message),
    fetchFiles: async (...wanted) => (await now()).fetchFiles(...wanted),
  };
}

/**
 * Offers the tools of chat, notes, tasks and self-configuration that agent.yml allows; an outside program has
 * its own files and commands.
 */
function toolsOf(parts: Parts, agent: LoadedAgent): readonly Tool[] {
  const { fleet, disk, ports } = parts;
  const chat = messagingNow(fleet, agent.id);
  const notes = createMemoryTools(memoryOf(disk, ports.clock, agent));
  const remember = notes.filter(({ name }) => name === 'memory_append').map(createRememberTool);
  const workingDir = (): string => parts.settings.config().limits.working_dir;
  const workspace = createWorkspaceFiles({ ports, workingDir }, agent, configInForce(agent));
  const files = [...createFileTools(chat, workspace), createUploadTool(chat, workspace)];
  const talking = [...createMessagingTools(chat), ...files, ...createFurtherTools(chat)];
  const tasks = createTaskTools(agentTasks(parts, agent.id));
  const all = [...talking, ...notes, ...remember, ...tasks, ...ownSetupTools(parts, agent)];
  const { offers } = offeredTools(all, configInForce(agent));
  const offered = new Set(offers.filter((offer) => offer.offered).map(({ name }) => name));
  return all.filter(({ name }) => offered.has(name));
}

const viewOf = ({ name, description, parameters, foreign }: Tool): AgentToolView => ({
  name,
  description,
  inputSchema: { ...parameters },
  readOnly: foreign === true,
});

function resultOf({ content }: ToolOutput, isError: boolean): AgentToolResult {
  const blocks = content.map((block) =>
    block.type === 'text'
      ? { type: 'text' as const, text: block.text }
      : { type: 'image' as const, data: block.data, mimeType: block.mimeType },
  );
  return { content: blocks, isError };
}

const refusal = (text: string): AgentToolResult => ({ content: [{ type: 'text', text }], isError: true });

export function createAgentToolCalls(parts: Parts, reads: OutsideReads): AgentToolCalls {
  const { agents, approvals, ports } = parts;
  return {
    async list(agentId) {
      const agent = agents.get(agentId);
      return agent ? ok(toolsOf(parts, agent).map(viewOf)) : err(unknownAgent);
    },
    async call(agentId, { callId, name, args }, signal) {
      const agent = agents.get(agentId);
      if (!agent) return err(unknownAgent);
      const tools = toolsOf(parts, agent);
      const tool = tools.find((each) => each.name === name);
      if (!tool) return err(unknownTool);
      const facts = { agentId, turnId: outsideTurn(callId), threadKey: noThread };
      // The program's sources are unknown, so its calls count as tainted (T9).
      const gate = { tools, gate: approvals.gate(), facts: () => facts, tainted: () => true };
      const asked = { callId, name, args, justification: '' };
      const said = await gateVerdict(gate, asked, signal);
      if (said?.block) return ok(refusal(said.reason ?? `${name} was not allowed.`));
      if (signal.aborted) return ok(refusal('The call was cancelled before it began.'));
      const mayRead = await reads.filter(agentId, parts.fleet.post(agentId));
      const body = {
        name,
        description: tool.description,
        parameters: tool.parameters,
        execute: async (id: string, given: typeof args, ended: AbortSignal) => {
          const context = { ...facts, callId: id, signal: ended, tainted: true, progress: () => undefined };
          const output = await tool.execute(given, { ...context, ...(mayRead ? { mayRead } : {}) });
          reads.note(agentId, output.sources ?? []);
          return output;
        },
      };
      const limits = { clock: ports.clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs };
      const { output, isError } = await runBody(body, callId, args, limits, () => undefined);
      return ok(resultOf(output, isError));
    },
  };
}
