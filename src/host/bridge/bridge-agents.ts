import { join } from 'node:path';
import { ok } from '../../contract/result.ts';
import { isInside } from '../../core/policy/paths.ts';
import { realPath } from '../../platform/real-path.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { workspaceOf } from '../../services/bridge/agent-views.ts';
import type { BridgeAgent, BridgeHome } from '../../services/bridge/bridge-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import type { Secrets } from '../vault/secrets.ts';

/** A workspace that contains Kennel's own files or another agent's is not shown (T14). */
function shownRoots(home: string, agent: BridgeAgent): readonly string[] {
  const workspace = realPath(workspaceOf(agent));
  const [own, all] = [realPath(agent.folder), realPath(home)];
  const isOwn = isInside(own, workspace) && workspace !== own && !isInside(join(own, 'keys'), workspace);
  const isElsewhere = !isInside(all, workspace) && !isInside(workspace, all);
  return isOwn || isElsewhere ? [workspace] : [];
}

export interface BridgeAgentsDeps {
  readonly agents: AgentStore;
  readonly secrets: Pick<Secrets, 'state' | 'apiKeys'>;
  /** The data folder. */
  readonly home: string;
}

/** The files and keys of agents as the bridge sees them. */
export function createBridgeAgents({
  agents,
  secrets,
  home,
}: BridgeAgentsDeps): Pick<
  BridgeHome,
  'list' | 'get' | 'profile' | 'status' | 'hasKey' | 'keyOf' | 'removeKey' | 'setAvatarUrl' | 'files'
> {
  return {
    list: () => agents.list(),
    get: (id) => agents.get(id),
    profile: (id) => {
      const text = agents.readProfile(id);
      return text.ok ? text.value : '';
    },
    status: (id) => agents.readRuntimeStatus(id),
    hasKey: (id) => secrets.apiKeys.hasOwn(id),
    keyOf: (id) => {
      const found = secrets.state() === 'open' ? secrets.apiKeys.find(id, '') : null;
      return found?.source === 'agent' ? found.key : null;
    },
    removeKey: (id) => secrets.apiKeys.removeForAgent(id),
    setAvatarUrl: (id, url) => {
      const changed = agents.update(id, { avatar_url: url });
      return changed.ok ? ok(undefined) : changed;
    },
    files: (agent) =>
      createConfinedFiles({ cwd: workspaceOf(agent), readable: shownRoots(home, agent), writable: [] }),
  };
}
