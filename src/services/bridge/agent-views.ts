/** Agents in the format for clients of the bridge (spec §4.3). */
import { isAbsolute, join } from 'node:path';
import { type AgentConfig, agentConfigSchema } from '../../core/agents/agent-config.ts';
import { profileSummary } from '../../core/agents/profile.ts';
import type { BridgeAgent, BridgeHome } from './bridge-types.ts';
import type { Pairing } from './pairing-file.ts';

export const configOf = (agent: BridgeAgent): AgentConfig => agent.lastGood ?? agentConfigSchema().parse({});

export const owns = (home: BridgeHome, agent: BridgeAgent, pairing: Pairing): boolean =>
  home.ownerOf(agent) === pairing.root_public_key;

const within = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path));
export const workspaceOf = (agent: BridgeAgent): string =>
  within(agent.folder, configOf(agent).workspace_dir);

export function listView(home: BridgeHome, agent: BridgeAgent, pairing: Pairing): Record<string, unknown> {
  const { id, lastGood: config } = agent;
  if (!config) return { id, error: agent.error?.message ?? 'agent.yml cannot be read' };
  const status = home.status(id);
  return {
    id,
    display_name: config.display_name,
    avatar_url: config.avatar_url,
    puffo_core_slug: config.puffo_core.slug,
    space_id: config.puffo_core.space_id,
    profile_summary: profileSummary(home.profile(id)),
    state: config.state,
    runtime_kind: config.runtime.kind,
    runtime_status: agent.requests.includes('restart') ? 'restarting' : (status?.status ?? 'unknown'),
    runtime_health: status?.health ?? 'unknown',
    msg_count: status?.msg_count ?? 0,
    owned: owns(home, agent, pairing),
    operator_slug: config.puffo_core.operator_slug,
  };
}

export function runtimeView(home: BridgeHome, agent: BridgeAgent): Record<string, unknown> {
  const { runtime } = configOf(agent);
  return {
    kind: runtime.kind,
    provider: runtime.provider,
    model: runtime.model,
    api_key_set: home.hasKey(agent.id),
    permission_mode: runtime.permission_mode,
    harness: runtime.harness,
    allowed_tools: runtime.allowed_tools,
    docker_image: runtime.docker_image,
    max_turns: runtime.max_turns,
  };
}

export function detailView(home: BridgeHome, agent: BridgeAgent, pairing: Pairing): Record<string, unknown> {
  const { id, folder } = agent;
  const config = configOf(agent);
  const { server_url, slug, device_id, space_id } = config.puffo_core;
  const owned = owns(home, agent, pairing);
  // Empty if no key is stored; `null` if this reader may not see it, or the vault is locked.
  const apiKey = home.hasKey(id) ? home.keyOf(id) : '';
  return {
    id,
    display_name: config.display_name,
    avatar_url: config.avatar_url,
    state: config.state,
    owned,
    puffo_core: { server_url, slug, device_id, space_id },
    runtime: { ...runtimeView(home, agent), api_key: owned ? apiKey : null },
    triggers: { on_mention: config.triggers.on_mention, on_dm: config.triggers.on_dm },
    profile_path: within(folder, config.profile),
    memory_dir: within(folder, config.memory_dir),
    workspace_dir: workspaceOf(agent),
    created_at: config.created_at,
    runtime_state: home.status(id),
  };
}
