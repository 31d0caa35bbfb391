import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { onlyPlans, policyModeOf } from '../../core/agents/permission-mode.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { AgentPolicy } from '../../core/policy/policy-call.ts';
import { realPath } from '../../platform/real-path.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { DaemonConfig } from '../../services/config/daemon-schema.ts';
import { bashSettings } from '../../services/tools/restricted-commands/bash-limits.ts';
import { looksLikeRepository } from '../../services/tools/restricted-commands/repository.ts';

/** Absolute form of a folder that a config names. */
export function rootPath(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

type Env = Readonly<Record<string, string | undefined>>;

export interface RootsPlace {
  readonly env: Env;
  /**
   * `limits.working_dir` of daemon.yml, the default workspace of agents that name none; empty if each uses
   * its own.
   */
  readonly workingDir: string;
}

function workspaceOf(folder: string, named: string, workingDir: string): string {
  if (named !== '') return resolve(folder, named);
  return workingDir === '' ? join(folder, 'workspace') : rootPath(workingDir, folder);
}

/** Folders that an agent's tools may use: its workspace and those that agent.yml and POP_AGENT_BASH_* add. */
export function agentRoots(
  folder: string,
  config: Pick<AgentConfig, 'workspace_dir' | 'bash'>,
  { env, workingDir }: RootsPlace,
): FileRoots {
  const cwd = workspaceOf(folder, config.workspace_dir, workingDir);
  const { allowedRoots, writableRoots } = bashSettings({}, env);
  const named = (paths: readonly string[]) => [cwd, ...paths.map((path) => rootPath(path, cwd))];
  return {
    cwd,
    readable: named([...config.bash.allowed_roots, ...allowedRoots]),
    writable: named([...config.bash.writable_roots, ...writableRoots]),
  };
}

/** The policy for an agent's calls, from its own file and daemon.yml. */
export function agentPolicy(
  agent: Pick<LoadedAgent, 'folder'>,
  config: AgentConfig,
  daemon: DaemonConfig['policy'],
  place: RootsPlace & { readonly home: string },
): AgentPolicy {
  const { cwd, readable, writable } = agentRoots(agent.folder, config, place);
  const own = [cwd, resolve(agent.folder, config.memory_dir)].map(realPath);
  const folder = realPath(agent.folder);
  const notes = realPath(resolve(agent.folder, config.memory_dir));
  return {
    mode: policyModeOf(config),
    onlyPlans: onlyPlans(config),
    ...(config.tools.allow.length === 0 ? { allowedTools: config.runtime.allowed_tools } : {}),
    rules: config.policy.rules,
    daemon: { mode: daemon.mode, rules: daemon.rules },
    roots: { cwd: realPath(cwd), readable: readable.map(realPath), writable: writable.map(realPath) },
    home: realPath(homedir()),
    ...(isInside(notes, realPath(cwd)) ? {} : { notes }),
    protectedRoots: [realPath(place.home)],
    // A workspace that contains the agent's own folder, or is inside another agent's, gives no access to
    // agent.yml or keys.
    ownRoots: own.filter((root) => root !== folder && isInside(folder, root)),
    isRepository: looksLikeRepository,
  };
}
