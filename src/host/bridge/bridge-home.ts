import { join, relative, sep } from 'node:path';
import type { HostApi } from '../../contract/host-api.ts';
import { systemPrompt } from '../../core/agents/prompt.ts';
import { workspaceOf } from '../../services/bridge/agent-views.ts';
import type { BridgeAgent, BridgeHome } from '../../services/bridge/bridge-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { realPath } from '../approvals/agent-policy.ts';
import type { HostContext } from '../context.ts';
import { readTurnContext } from '../fleet/turn-context.ts';
import { readPublicIdentity } from '../identity/public-certs.ts';
import { adoptAgent } from './adopt-agent.ts';

function ownerOf({ disk, layout }: HostContext, { id, lastGood }: BridgeAgent): string | null {
  const slug = lastGood?.puffo_core.slug ?? '';
  if (slug === '') return null;
  return readPublicIdentity(disk, layout.agentKeys(id), slug)?.operatorRootPublicKey ?? null;
}

function operatorRoot({ disk, layout, operator }: HostContext): string | null | 'unknown' {
  const record = operator.record();
  if (!record.ok) return 'unknown';
  if (record.value === null) return null;
  return readPublicIdentity(disk, layout.operatorKeys, record.value.slug)?.rootPublicKey ?? 'unknown';
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
};

/** A workspace that contains Kennel's own files or another agent's is not shown (T14). */
function shownRoots(home: string, agent: BridgeAgent): readonly string[] {
  const workspace = realPath(workspaceOf(agent));
  const [own, all] = [realPath(agent.folder), realPath(home)];
  const isOwn = isWithin(own, workspace) && workspace !== own && !isWithin(join(own, 'keys'), workspace);
  const isElsewhere = !isWithin(all, workspace) && !isWithin(workspace, all);
  return isOwn || isElsewhere ? [workspace] : [];
}

function promptOf({ agents, fleet, disk, layout, settings, ports }: HostContext, id: string): string | null {
  const agent = agents.get(id);
  const config = agent?.lastGood;
  if (!config || fleet.live(agent).life !== 'running') return null;
  const deps = { home: layout.home, disk, agents, settings, log: ports.log };
  const { prompt, persona } = readTurnContext(deps, id, config.puffo_core.slug, config);
  return systemPrompt(prompt, persona);
}

/** The host as the bridge sees it; changes of agents go through the dispatch that all transports share. */
export function createBridgeHome(context: HostContext, call: HostApi['call']): BridgeHome {
  const { agents, secrets, layout, ports } = context;
  return {
    version: ports.version,
    pid: process.pid,
    list: () => agents.list(),
    get: (id) => agents.get(id),
    profile: (id) => {
      const text = agents.readProfile(id);
      return text.ok ? text.value : '';
    },
    status: (id) => agents.readRuntimeStatus(id),
    ownerOf: (agent) => ownerOf(context, agent),
    operatorRoot: () => operatorRoot(context),
    hasKey: (id) => secrets.apiKeys.hasOwn(id),
    keyOf: (id) => {
      const found = secrets.state() === 'open' ? secrets.apiKeys.find(id, '') : null;
      return found?.source === 'agent' ? found.key : null;
    },
    removeKey: (id) => secrets.apiKeys.removeForAgent(id),
    setAvatarUrl: (id, url) => {
      const changed = agents.update(id, { avatar_url: url });
      return changed.ok ? { ok: true, value: undefined } : changed;
    },
    prompt: ({ id }) => promptOf(context, id),
    files: (agent) =>
      createConfinedFiles({
        cwd: workspaceOf(agent),
        readable: shownRoots(layout.home, agent),
        writable: [],
      }),
    adopt: (agent) => adoptAgent(context, agent),
    act: (method, input) => call({ kind: 'paired-device' }, method, input),
  };
}
