import { ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Layout } from '../layout.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';
import { demoAgents } from './demo-profiles.ts';

export interface DemoAgentRemovalDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list' | 'update' | 'delete'>;
  readonly fleet: {
    /** Stops the agent, then runs work that needs its files at rest. */
    withdraw<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
    apply(): void;
    /** Resolves when no agent is starting or stopping. */
    settled(): Promise<void>;
  };
  readonly relay: Pick<EmbeddedRelay, 'isOurs'>;
  readonly disk: DiskPort;
  readonly layout: Pick<Layout, 'agentKeys'>;
}

/** The user's own agents on the demo's relay keep their files and lose their identity. */
function disconnectGuests({ agents, relay }: DemoAgentRemovalDeps): Result<readonly string[]> {
  const guests: string[] = [];
  for (const agent of agents.list()) {
    const core = agent.lastGood?.puffo_core;
    if (!core || !relay.isOurs(core.server_url)) continue;
    const cleared = agents.update(agent.id, {
      puffo_core: { slug: '', device_id: '', space_id: '', operator_slug: '' },
    });
    if (!cleared.ok) return cleared;
    guests.push(agent.id);
  }
  return ok(guests);
}

/** Call it once no agent uses the identities. */
function forgetIdentities({ disk, layout }: DemoAgentRemovalDeps, ids: readonly string[]): Result<void> {
  for (const id of ids) {
    const keys = disk.remove(layout.agentKeys(id));
    if (!keys.ok) return keys;
  }
  return ok(undefined);
}

/** Deletes the demo's agents and disconnects the user's own ones from its relay. */
export async function removeDemoAgents(deps: DemoAgentRemovalDeps): Promise<Result<void>> {
  const { agents, fleet } = deps;
  for (const { id } of demoAgents) {
    if (!agents.get(id)) continue;
    const gone = await fleet.withdraw(id, () => agents.delete(id));
    if (!gone.ok) return gone;
  }
  const guests = disconnectGuests(deps);
  if (!guests.ok) return guests;
  fleet.apply();
  await fleet.settled();
  return forgetIdentities(deps, guests.value);
}
