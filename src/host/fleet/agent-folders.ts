import { mkdirSync } from 'node:fs';
import { runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { Log } from '../../core/ports.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import { realPath } from '../../platform/real-path.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import type { InstalledRecord } from '../../services/tools/skills/installed.ts';
import type { SkillFiles } from '../../services/tools/skills/skill-folder.ts';
import { type SkillBase, syncSkills } from '../../services/tools/skills/sync-skills.ts';
import { agentRoots, rootPath } from '../approvals/agent-policy.ts';
import type { HostPorts } from '../host-ports.ts';

type Agent = Pick<LoadedAgent, 'folder'>;
type FolderConfig = Pick<AgentConfig, 'workspace_dir' | 'bash'>;
/** The skills of an agent by name; see `skillsFor`. */
export type SkillsOf = (agentFolder: string, record: InstalledRecord) => ReadonlyMap<string, SkillFiles>;

export interface AgentFoldersDeps {
  readonly home: string;
  readonly env: HostPorts['env'];
  readonly log: Log;
  /** `limits.working_dir` of daemon.yml. */
  workingDir(): string;
  /** The skills that the operator gives an agent; absent for none. */
  readonly skillsOf?: SkillsOf;
}

export interface ListedFolder {
  readonly path: string;
  readonly mayWrite: boolean;
  /** Named in agent.yml. */
  readonly isRemovable: boolean;
}

/** The folders of an agent's tools. */
export interface AgentFolders {
  roots(agent: Agent, config: FolderConfig): FileRoots;
  /** Like `roots`; creates the workspace if it is missing. */
  ready(agent: Agent, config: FolderConfig): FileRoots;
  /** Copies the operator's skills into the workspace; a failure leaves the copies of before. */
  syncSkills(
    agent: Agent,
    config: FolderConfig & Pick<AgentConfig, 'runtime'>,
    record: InstalledRecord,
  ): Promise<void>;
  /** The folders of `roots`, each once, the workspace first. */
  list(agent: Agent, config: FolderConfig): readonly ListedFolder[];
  /** Confined file access to the agent's workspace, which is created if missing. */
  workspace(agent: Agent, config: FolderConfig): ConfinedFiles;
}

/** Where the program of the agent looks for skills. Claude Code alone does not read the folder that the others share. */
function skillBaseOf({ runtime: { kind, harness } }: Pick<AgentConfig, 'runtime'>): SkillBase {
  return runtimeKindFacts(kind).usesHarness && harness !== 'claude-code'
    ? '.agents/skills'
    : '.claude/skills';
}

export const workspaceFiles = (cwd: string): ConfinedFiles =>
  createConfinedFiles({ cwd, readable: [cwd], writable: [cwd] });

/** Without its folder an agent can still chat; each tool reports what it cannot find. */
function makeWorkspace(path: string, log: Log): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    log.warn('workspace_not_made', { path, error: String(error) });
  }
}

/**
 * A root that contains Kennel's own folder, or is inside it but outside the agent's workspace, is left out.
 */
export function toolRoots(
  { home, env, workingDir }: Omit<AgentFoldersDeps, 'log'>,
  agent: Agent,
  config: FolderConfig,
): FileRoots {
  const { cwd, readable, writable } = agentRoots(agent.folder, config, { env, workingDir: workingDir() });
  const [own, data] = [realPath(cwd), realPath(home)];
  const isOpen = (named: string): boolean => {
    const root = realPath(named);
    return isInside(own, root) || (!isInside(root, data) && !isInside(data, root));
  };
  return { cwd, readable: readable.filter(isOpen), writable: writable.filter(isOpen) };
}

export function createAgentFolders(deps: AgentFoldersDeps): AgentFolders {
  const { home, env, log, workingDir } = deps;
  const roots: AgentFolders['roots'] = (agent, config) => toolRoots({ home, env, workingDir }, agent, config);
  const ready: AgentFolders['ready'] = (agent, config) => {
    const found = roots(agent, config);
    makeWorkspace(found.cwd, log);
    return found;
  };
  const list: AgentFolders['list'] = (agent, config) => {
    const { cwd, readable, writable } = roots(agent, config);
    const { allowed_roots, writable_roots } = config.bash;
    const named = new Set([...allowed_roots, ...writable_roots].map((path) => rootPath(path, cwd)));
    return [...new Set([...writable, ...readable])].map((path) => ({
      path,
      mayWrite: writable.includes(path),
      isRemovable: named.has(path),
    }));
  };
  return {
    roots,
    ready,
    async syncSkills(agent, config, record) {
      const wanted = deps.skillsOf?.(agent.folder, record) ?? new Map();
      const files = workspaceFiles(ready(agent, config).cwd);
      const synced = await syncSkills(files, record, wanted, skillBaseOf(config));
      if (!synced.ok) log.warn('skills_not_copied', { error: synced.error });
    },
    list,
    workspace: (agent, config) => workspaceFiles(ready(agent, config).cwd),
  };
}
