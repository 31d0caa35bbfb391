import { resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { MemoryPort } from '../../core/agents/memory-port.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import type { CodeEngine, ToolBroker } from '../../core/ptc/code-ports.ts';
import type { AgentKit } from '../../core/runtimes/runtime-ports.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { ProcessPort, SandboxPort } from '../../core/tools/process-ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { chooseTools, type ToolChoice } from '../../core/tools/tool-set.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createAgentTools } from '../../services/tools/agent-tools.ts';
import { createCodeTool } from '../../services/tools/code/code-tool.ts';
import { createScriptTool } from '../../services/tools/code/script-tool.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createBashExecTool } from '../../services/tools/restricted-commands/bash-exec-tool.ts';
import type { BashSettings } from '../../services/tools/restricted-commands/bash-limits.ts';
import { createShellTool, type ShellToolPorts } from '../../services/tools/shell/shell-tool.ts';
import { createSkillTools } from '../../services/tools/skills/skill-tools.ts';
import { createSubAgentTool } from '../../services/tools/sub-agent/sub-agent-tool.ts';
import { memoryOf } from '../memory/agent-memory.ts';
import { type AgentFolders, workspaceFiles } from './agent-folders.ts';
import { lookAtSkills, skillShelf } from './agent-skills.ts';
import type { AgentMessaging } from './messaging.ts';
import type { WorkTools } from './work-tools.ts';

/** Programs that agents start; shared by all agents. */
export interface AgentCommands {
  readonly process: ProcessPort;
  readonly sandbox: SandboxPort | null;
  /** `limits.command_s` of daemon.yml. */
  commandSeconds(): number;
  /** Limits of `bash_exec` from agent.yml, within those of daemon.yml and the environment. */
  limits(bash: AgentConfig['bash']): BashSettings;
  /** Runs JavaScript without a process; loaded with the first code. */
  codeEngine(): Promise<CodeEngine>;
  /** For scripts in programs of their own. */
  readonly broker: ToolBroker;
}

/** Tools that features of the host give to agents. */
export interface FeatureTools {
  readonly work: WorkTools;
  /** Tools of the agent's MCP servers; with `look` no server starts and no question opens. */
  servers(agent: LoadedAgent, how: 'use' | 'look'): Promise<readonly Tool[]>;
}

/** Shared by the tools of all agents. */
export interface AgentKitDeps {
  readonly folders: AgentFolders;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly commands: AgentCommands;
  readonly features: FeatureTools;
  /** The tool with a restore point around each call that changes files. */
  covered(tool: Tool, files: ConfinedFiles): Tool;
}

/** Groups whose calls change files of the workspace; notes and skills keep versions of their own. */
const coveredGroups: ReadonlySet<Tool['group']> = new Set(['core', 'files', 'shell']);

export function agentTools(
  deps: AgentKitDeps,
  agent: LoadedAgent,
  config: AgentConfig,
  messaging: TeamChat,
  skills: readonly string[] = [],
): readonly Tool[] {
  const { folders, disk, clock, commands } = deps;
  const roots = folders.roots(agent, config);
  const files = createConfinedFiles(roots);
  const limits = commands.limits(config.bash);
  const shell: ShellToolPorts = {
    files,
    clock,
    maxOutputChars: limits.maxOutputChars,
    process: commands.process,
    sandbox: commands.sandbox,
    unsandboxed: config.shell.unsandboxed,
    network: config.shell.network,
    linkedFiles: config.shell.linked_files,
    notes: resolve(agent.folder, config.memory_dir),
    timeoutS: commands.commandSeconds(),
  };
  const tools = createAgentTools({
    workspace: workspaceFiles(roots.cwd),
    files,
    messaging,
    memory: memoryOf(disk, clock, agent),
    commands: [
      createBashExecTool({ files, limits, clock, process: commands.process, sandbox: commands.sandbox }),
      createShellTool(shell),
      createScriptTool({ shell, broker: commands.broker }),
    ],
  });
  const covered = tools.map((tool) => (coveredGroups.has(tool.group) ? deps.covered(tool, files) : tool));
  return [
    ...covered,
    ...deps.features.work(agent.id, files),
    ...createSkillTools(skillShelf(disk, agent, files), skills),
    createCodeTool({ engine: commands.codeEngine, clock }),
    createSubAgentTool(() => ({ ...config.tools, allowedTools: config.runtime.allowed_tools })),
  ];
}

export function offeredTools(
  tools: readonly Tool[],
  { tools: names, runtime, policy }: Pick<AgentConfig, 'tools' | 'runtime' | 'policy'>,
): ToolChoice {
  const unattended = policy.mode === 'unattended';
  return chooseTools(tools, { ...names, allowedTools: runtime.allowed_tools }, { unattended });
}

export interface KitDeps {
  /** Loaded with the first tool of the first agent. */
  readonly shared: () => Promise<AgentKitDeps>;
  readonly agent: () => LoadedAgent | null;
  readonly config: () => AgentConfig;
  readonly messaging: AgentMessaging;
  readonly consent: Pick<AgentKit, 'gate' | 'waitingFor'>;
  readonly log: Log;
}

/** Created at the first turn and cached until its inputs change. */
export function createKitSource(deps: KitDeps): () => Promise<AgentKit> {
  let made: { readonly key: string; readonly tools: readonly Tool[]; readonly notes: MemoryPort } | null =
    null;
  return async () => {
    const config = deps.config();
    const agent = deps.agent();
    const shared = await deps.shared();
    const { folders, disk, clock, commands } = shared;
    const { bash, shell, workspace_dir, memory_dir } = config;
    const roots = agent && folders.roots(agent, config);
    const seconds = commands.commandSeconds();
    const seen = agent && roots && (await lookAtSkills({ disk, log: deps.log }, agent, roots));
    const names = seen?.names ?? [];
    const key = JSON.stringify([
      agent?.folder,
      bash,
      shell,
      workspace_dir,
      memory_dir,
      roots?.cwd,
      seconds,
      names,
      config.tools,
      config.runtime.allowed_tools,
    ]);
    if (agent && made?.key !== key) {
      folders.ready(agent, config);
      const notes = memoryOf(disk, clock, agent);
      made = { key, notes, tools: agentTools(shared, agent, config, deps.messaging, names) };
    }
    const all = [...(made?.tools ?? []), ...(agent ? await shared.features.servers(agent, 'use') : [])];
    const { offers } = offeredTools(all, config);
    const offered = new Set(offers.filter((offer) => offer.offered).map(({ name }) => name));
    return {
      tools: all.filter(({ name }) => offered.has(name)),
      ...deps.consent,
      sentHere: (turnId, callIds) => deps.messaging.sentHere(turnId, callIds),
      foreignNotes: () => seen?.foreign !== false || (made?.notes.foreign() ?? true),
    };
  };
}

const offline = async () => err(fail('unavailable', 'agents.agentNotConnected'));

/** For listing the tools of an agent that does not run. */
export const noMessaging: TeamChat = {
  whoami: offline,
  send: offline,
  channels: offline,
  members: offline,
  channelHistory: offline,
  sendFiles: offline,
  fetchFiles: offline,
  threadHistory: offline,
  post: offline,
  user: offline,
  search: offline,
  here: () => null,
  channelName: async () => '',
  roomOf: (channel) => channel,
};
