import { ok, type Result } from '../../contract/result.ts';
import { readSoul, replaceSoul } from '../../core/agents/profile.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import { demoAgents, realSoul } from '../demo/cast.ts';
import type { Handlers } from '../dispatch.ts';

export interface UseLocalDeps {
  readonly agents: AgentStore;
  readonly edit: Pick<Handlers, 'agents.setRuntime'>;
}

const owner = { kind: 'owner-ui' } as const;

function correctSoul(agents: AgentStore, id: string): Result<void> {
  const demo = demoAgents.find((agent) => agent.id === id);
  const profile = agents.readProfile(id);
  if (!demo || !profile.ok) return profile.ok ? ok(undefined) : profile;
  if (readSoul(profile.value).trim() !== demo.soul.trim()) return ok(undefined);
  return agents.writeProfile(id, replaceSoul(profile.value, realSoul(demo)));
}

/** Gives an agent a detected model; a demo agent also gets a soul that no longer calls it scripted. */
export async function useLocal(
  { agents, edit }: UseLocalDeps,
  { agent, provider, model }: { agent: string; provider: string; model: string },
): Promise<Result<{ warning: string }>> {
  const found = findAgent(agents, agent);
  if (!found.ok) return found;
  const { id } = found.value;
  const set = await edit['agents.setRuntime']({ agent: id, provider, model, baseUrl: '' }, owner);
  if (!set.ok) return set;
  const soul = correctSoul(agents, id);
  return soul.ok ? ok({ warning: set.value.warning }) : soul;
}
