import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AgentPolicy } from '../../core/policy/policy-call.ts';
import type { FileRoots } from '../../core/tool-ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { DaemonConfig } from '../../services/config/daemon-schema.ts';

/** What it means now; of what is not there yet, the real path of the part that is. */
export function realPath(path: string): string {
  for (let at = path, rest = ''; ; ) {
    try {
      return join(realpathSync.native(at), rest);
    } catch {
      const parent = dirname(at);
      if (parent === at) return path;
      rest = join(at.slice(parent.length).replace(/^[\\/]+/, ''), rest);
      at = parent;
    }
  }
}

/** Absolute, below the user's home with `~`, or below `cwd`. */
function rootPath(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

const contains = (root: string, path: string): boolean => path === root || path.startsWith(`${root}${sep}`);

/** The folders an agent's tools may use: its workspace, and what agent.yml adds. */
export function agentRoots(folder: string, config: Pick<AgentConfig, 'workspace_dir' | 'bash'>): FileRoots {
  const cwd = resolve(folder, config.workspace_dir);
  const { allowed_roots: allowed, writable_roots: writable } = config.bash;
  return {
    cwd,
    readable: [cwd, ...allowed.map((path) => rootPath(path, cwd))],
    writable: [cwd, ...writable.map((path) => rootPath(path, cwd))],
  };
}

/** What decides about an agent's calls now, out of its own file and daemon.yml. */
export function agentPolicy(
  agent: Pick<LoadedAgent, 'folder'>,
  config: AgentConfig,
  daemon: DaemonConfig['policy'],
  dataFolder: string,
): AgentPolicy {
  const { cwd, readable, writable } = agentRoots(agent.folder, config);
  const own = [cwd, resolve(agent.folder, config.memory_dir)].map(realPath);
  const folder = realPath(agent.folder);
  return {
    mode: config.policy.mode,
    rules: config.policy.rules,
    daemon: { mode: daemon.mode, rules: daemon.rules },
    roots: { cwd: realPath(cwd), readable: readable.map(realPath), writable: writable.map(realPath) },
    home: realPath(homedir()),
    protectedRoots: [realPath(dataFolder)],
    // A workspace that holds the agent's own folder does not open agent.yml and keys to it.
    ownRoots: own.filter((root) => !contains(root, folder)),
  };
}
