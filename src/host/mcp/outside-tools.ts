import type { Clock, DiskPort } from '../../core/ports.ts';
import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createMemoryTools } from '../../services/tools/memory/memory-tools.ts';
import { createMemoryRememberTool } from '../../services/tools/memory/remember-tool.ts';
import { createFurtherTools } from '../../services/tools/messaging/external-tools.ts';
import { createFileTools, createUploadTool } from '../../services/tools/messaging/file-tools.ts';
import { createMessagingTools } from '../../services/tools/messaging/messaging-tools.ts';
import { createTaskTools } from '../../services/tools/tasks/task-tools.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import { noMessaging, offeredTools } from '../fleet/agent-kit.ts';
import { messagingRoom } from '../fleet/messaging-rooms.ts';
import { memoryOf } from '../memory/agent-memory.ts';

export interface OutsideToolsDeps {
  /** The team chat of a running agent, or `null` if it does not run. */
  readonly chatOf: (agentId: string) => Promise<TeamChat | null>;
  readonly tasks: (agentId: string) => AgentTasks;
  readonly folders: Pick<AgentFolders, 'workspace'>;
  readonly disk: DiskPort;
  readonly clock: Clock;
  /** Tools with which an agent configures itself. */
  readonly ownSetup: (agent: LoadedAgent) => readonly Tool[];
}

/** Looks up the agent's connection at each call, because a call may have waited for hours. */
function chatNow(chatOf: OutsideToolsDeps['chatOf'], agentId: string): TeamChat {
  const now = async () => (await chatOf(agentId)) ?? noMessaging;
  return {
    here: () => null,
    whoami: async () => (await now()).whoami(),
    send: async (message) => (await now()).send(message),
    channels: async () => (await now()).channels(),
    roomOf: messagingRoom,
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
export function outsideTools(deps: OutsideToolsDeps, agent: LoadedAgent): readonly Tool[] {
  const config = configInForce(agent);
  const chat = chatNow(deps.chatOf, agent.id);
  const notes = createMemoryTools(memoryOf(deps.disk, deps.clock, agent));
  const remember = notes.filter(({ name }) => name === 'memory_append').map(createMemoryRememberTool);
  const workspace = deps.folders.workspace(agent, config);
  const files = [...createFileTools(chat, workspace), createUploadTool(chat, workspace)];
  const talking = [...createMessagingTools(chat), ...files, ...createFurtherTools(chat)];
  const tasks = createTaskTools(deps.tasks(agent.id));
  const all = [...talking, ...notes, ...remember, ...tasks, ...deps.ownSetup(agent)];
  const { offers } = offeredTools(all, config);
  const offered = new Set(offers.filter((offer) => offer.offered).map(({ name }) => name));
  return all.filter(({ name }) => offered.has(name));
}
