import type { MethodParsed } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import { readSoul, replaceSoul } from '../../core/agents/profile.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import { demoAgents, realSoul } from '../demo/demo-profiles.ts';
import type { Handlers } from '../dispatch.ts';

export interface UseModelDeps {
  readonly agents: AgentStore;
  readonly edit: Pick<Handlers, 'agents.setRuntime' | 'config.set'>;
}

const owner = { kind: 'owner-ui' } as const;

type Wish = MethodParsed<'setup.useModel'>;

function correctSoul(agents: AgentStore, id: string): Result<void> {
  const demo = demoAgents.find((agent) => agent.id === id);
  const profile = agents.readProfile(id);
  if (!demo || !profile.ok) return profile.ok ? ok(undefined) : profile;
  if (readSoul(profile.value).trim() !== demo.soul.trim()) return ok(undefined);
  return agents.writeProfile(id, replaceSoul(profile.value, realSoul(demo)));
}

/** Own settings of the agent; empty ones follow the model of all agents, which this saves first. */
async function ownSettings(edit: UseModelDeps['edit'], wish: Wish) {
  const { agent: _, forAll, configVersion: version, kind, harness, ...choice } = wish;
  const runner = { kind, harness };
  if (!forAll || choice.provider === '') return ok({ ...runner, ...choice });
  const saved = await edit['config.set']({ ...choice, defaultProvider: choice.provider, version }, owner);
  return saved.ok ? ok({ ...runner, provider: '', model: '', baseUrl: '' }) : saved;
}

/** Gives an agent a model; a demo agent also gets a soul that no longer calls it scripted. */
export async function useModel(
  { agents, edit }: UseModelDeps,
  wish: Wish,
): Promise<Result<{ warning: HostText }>> {
  const found = findAgent(agents, wish.agent);
  if (!found.ok) return found;
  const { id } = found.value;
  const own = await ownSettings(edit, wish);
  if (!own.ok) return own;
  const set = await edit['agents.setRuntime']({ agent: id, ...own.value }, owner);
  if (!set.ok) return set;
  const soul = correctSoul(agents, id);
  return soul.ok ? ok({ warning: set.value.warning }) : soul;
}
