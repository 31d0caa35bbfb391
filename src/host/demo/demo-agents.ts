import { ok, type Result } from '../../contract/result.ts';
import { agentConfigSchema, isConfigured } from '../../core/agents/agent-config.ts';
import { replaceSoul } from '../../core/agents/profile.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OperatorSession } from '../identity/operator.ts';
import { waitUntil } from '../wait-until.ts';
import { type DemoAgent, demoAgents } from './demo-profiles.ts';

const joinMs = 15_000;

export interface DemoAgentsDeps {
  readonly agents: Pick<AgentStore, 'get' | 'create'>;
  readonly fleet: {
    /** Starts agents that should run. */
    apply(): void;
    account(agentId: string): Account | null;
  };
  session(): OperatorSession | null;
  register(agent: LoadedAgent): Promise<Result<LoadedAgent>>;
  readonly clock: Clock;
}

/** The agents of the demo. */
export interface DemoAgents {
  make(agent: DemoAgent, channelId: string): Promise<Result<void>>;
  /** Returns false if they are not in the channel in time. */
  awaitJoined(account: Account, channelId: string): Promise<boolean>;
}

export function createDemoAgents(deps: DemoAgentsDeps): DemoAgents {
  const { agents, fleet, clock } = deps;
  const slugOf = (id: string): string => agents.get(id)?.lastGood?.puffo_core.slug ?? '';
  const haveJoined = async (account: Account, channelId: string): Promise<boolean> => {
    const online = demoAgents.every(({ id }) => fleet.account(id)?.connection().state === 'online');
    if (!online) return false;
    await account.refreshRooms();
    const members = account.rooms().channels.find(({ id }) => id === channelId)?.members ?? [];
    return demoAgents.every(({ id }) => members.some(({ slug }) => slug === slugOf(id)));
  };
  return {
    async make(agent, channelId) {
      const known = agents.get(agent.id);
      const made = known ? ok(known) : agents.create(newDemoAgent(agent, channelId, clock.now()));
      if (!made.ok) return made;
      const config = configInForce(made.value);
      if (isConfigured(config)) {
        fleet.apply();
        return inviteAgain(deps.session(), config.puffo_core.slug);
      }
      const registered = await deps.register(made.value);
      return registered.ok ? ok(undefined) : registered;
    },
    awaitJoined: (account, channelId) => waitUntil(clock, joinMs, () => haveJoined(account, channelId)),
  };
}

function newDemoAgent(agent: DemoAgent, channelId: string, now: number) {
  const base = agentConfigSchema().parse({});
  return {
    id: agent.id,
    config: {
      ...base,
      display_name: agent.displayName,
      role: agent.role,
      role_short: agent.roleShort,
      created_at: Math.floor(now / 1000),
      puffo_core: { ...base.puffo_core, server_url: '' },
      triggers: agent.answersAll
        ? { ...base.triggers, channels: { [channelId]: 'unaddressed' as const } }
        : base.triggers,
      runtime: { ...base.runtime, provider: 'scripted' },
    },
    profile: replaceSoul(`# ${agent.displayName}\n`, agent.soul),
  };
}

/** Repeats the invitation for a demo that stopped between registration and invitation. */
async function inviteAgain(operator: OperatorSession | null, slug: string): Promise<Result<void>> {
  const spaceId = operator?.record.homeSpaceId;
  if (!operator || !spaceId) return ok(undefined);
  const inside = operator.self.account
    .rooms()
    .channels.some(({ members }) => members.some((m) => m.slug === slug));
  if (inside) return ok(undefined);
  const invited = await operator.self.account.inviteToSpace(spaceId, slug);
  return invited.ok || invited.error.code === 'conflict' ? ok(undefined) : invited;
}
