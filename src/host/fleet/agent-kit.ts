import { mkdirSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { MemoryPort } from '../../core/agents/memory-port.ts';
import type { ApprovalGate } from '../../core/approvals/approval-gate.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { ProcessPort, SandboxPort } from '../../core/tools/process-ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { chooseTools, type ToolChoice } from '../../core/tools/tool-set.ts';
import type { PuppyPort } from '../../core/workflows/puppy-port.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { ImageShrinker } from '../../services/files/shrink-image.ts';
import type { AgentKit } from '../../services/runtimes/runtime-ports.ts';
import { createAgentTools } from '../../services/tools/agent-tools.ts';
import { createBashExecTool } from '../../services/tools/bash/bash-exec-tool.ts';
import { bashSettings } from '../../services/tools/bash/bash-limits.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createLlmTaskTool } from '../../services/tools/puppy/llm-task-tool.ts';
import { createPuppyTools } from '../../services/tools/puppy/puppy-tools.ts';
import { createShellTool } from '../../services/tools/shell/shell-tool.ts';
import { createSkillTools } from '../../services/tools/skills/skill-tools.ts';
import { createTaskTools } from '../../services/tools/tasks/task-tools.ts';
import { agentRoots, realPath } from '../approvals/agent-policy.ts';
import type { HostPorts } from '../host-ports.ts';
import { memoryOf } from '../memory/memory-of.ts';
import { lookAtSkills, skillShelf } from './agent-skills.ts';
import type { AgentMessaging } from './messaging.ts';

/** Shared by all agents. */
export interface CommandPorts {
  readonly process: ProcessPort;
  readonly sandbox: SandboxPort | null;
  /** `limits.command_s` of daemon.yml. */
  commandSeconds(): number;
}

export interface ToolParts {
  readonly ports: HostPorts;
  /** `limits.working_dir` of daemon.yml. */
  workingDir(): string;
  readonly disk: DiskPort;
  readonly commands: CommandPorts;
  readonly images: ImageShrinker;
  /** Workflows as this agent may use them. */
  puppy(agentId: string, files: ConfinedFiles): PuppyPort;
  tasks(agentId: string): AgentTasks;
}

const within = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/**
 * The folders of an agent's tools. A root that contains Kennel's own folder, or is inside it but outside the
 * agent's workspace, is left out.
 */
export function toolRoots(
  { ports, workingDir }: Pick<ToolParts, 'ports' | 'workingDir'>,
  agent: Pick<LoadedAgent, 'folder'>,
  config: Pick<AgentConfig, 'workspace_dir' | 'bash'>,
): FileRoots {
  const { cwd, readable, writable } = agentRoots(agent.folder, config, {
    env: ports.env,
    workingDir: workingDir(),
  });
  const [own, home] = [realPath(cwd), realPath(ports.home)];
  const open = (named: string): boolean => {
    const root = realPath(named);
    return within(own, root) || (!within(root, home) && !within(home, root));
  };
  return { cwd, readable: readable.filter(open), writable: writable.filter(open) };
}

const workspaceFiles = (cwd: string): ConfinedFiles =>
  createConfinedFiles({ cwd, readable: [cwd], writable: [cwd] });

export function agentTools(
  parts: ToolParts,
  agent: LoadedAgent,
  config: AgentConfig,
  messaging: TeamChat,
): readonly Tool[] {
  const { ports, commands } = parts;
  const roots = toolRoots(parts, agent, config);
  const files = createConfinedFiles(roots);
  const { timeout_s: timeoutS, max_output_chars: maxOutputChars } = config.bash;
  const limits = bashSettings(
    { timeoutS: Math.min(timeoutS, commands.commandSeconds()), maxOutputChars },
    ports.env,
  );
  const tools = createAgentTools({
    workspace: workspaceFiles(roots.cwd),
    files,
    messaging,
    memory: memoryOf(parts.disk, ports.clock, agent),
    commands: [
      createBashExecTool({ files, limits, clock: ports.clock, ...commands }),
      createShellTool({
        files,
        clock: ports.clock,
        maxOutputChars: limits.maxOutputChars,
        process: commands.process,
        sandbox: commands.sandbox,
        ...config.shell,
        notes: resolve(agent.folder, config.memory_dir),
        timeoutS: commands.commandSeconds(),
      }),
    ],
  });
  const workflows = parts.puppy(agent.id, files);
  const puppy = [...createPuppyTools(workflows), createLlmTaskTool(workflows)];
  const tasks = createTaskTools(parts.tasks(agent.id));
  return [...tools, ...tasks, ...puppy, ...createSkillTools(skillShelf(parts.disk, agent, files))];
}

export function offeredTools(
  tools: readonly Tool[],
  { tools: names, runtime, policy }: Pick<AgentConfig, 'tools' | 'runtime' | 'policy'>,
): ToolChoice {
  const unattended = policy.mode === 'unattended';
  return chooseTools(tools, { ...names, allowedTools: runtime.allowed_tools }, { unattended });
}

export interface KitDeps {
  readonly parts: () => Promise<ToolParts>;
  readonly agent: () => LoadedAgent | null;
  readonly config: () => AgentConfig;
  readonly messaging: AgentMessaging;
  readonly gate: ApprovalGate;
  readonly waitingFor: AgentKit['waitingFor'];
}

/** Without its folder an agent can still chat; each tool reports what it cannot find. */
export function makeWorkspace(path: string, log: HostPorts['log']): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    log.warn('workspace_not_made', { path, error: String(error) });
  }
}

/** Confined file access to the agent's workspace, which is created if missing. */
export function createWorkspaceFiles(
  parts: Pick<ToolParts, 'ports' | 'workingDir'>,
  agent: LoadedAgent,
  config: AgentConfig,
): ConfinedFiles {
  const { cwd } = toolRoots(parts, agent, config);
  makeWorkspace(cwd, parts.ports.log);
  return workspaceFiles(cwd);
}

/** Created at the first turn and cached until its inputs change. */
export function createKitSource(deps: KitDeps): () => Promise<AgentKit> {
  let made: { readonly key: string; readonly tools: readonly Tool[]; readonly notes: MemoryPort } | null =
    null;
  return async () => {
    const config = deps.config();
    const agent = deps.agent();
    const parts = await deps.parts();
    const { bash, shell, workspace_dir, memory_dir } = config;
    const limits = [parts.workingDir(), parts.commands.commandSeconds()];
    const key = JSON.stringify([agent?.folder, bash, shell, workspace_dir, memory_dir, limits]);
    if (agent && made?.key !== key) {
      makeWorkspace(toolRoots(parts, agent, config).cwd, parts.ports.log);
      const notes = memoryOf(parts.disk, parts.ports.clock, agent);
      made = { key, notes, tools: agentTools(parts, agent, config, deps.messaging) };
    }
    const all = made?.tools ?? [];
    const { offers } = offeredTools(all, config);
    const offered = new Set(offers.filter((offer) => offer.offered).map(({ name }) => name));
    const seen =
      agent &&
      (await lookAtSkills(
        { disk: parts.disk, log: parts.ports.log },
        agent,
        toolRoots(parts, agent, config),
      ));
    return {
      tools: all.filter(({ name }) => offered.has(name)),
      gate: deps.gate,
      waitingFor: deps.waitingFor,
      sentHere: (turnId, callIds) => deps.messaging.sentHere(turnId, callIds),
      foreignNotes: () => seen?.foreign !== false || (made?.notes.foreign() ?? true),
    };
  };
}

const offline = async () => err(appError('unavailable', 'The agent is not connected.'));

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
