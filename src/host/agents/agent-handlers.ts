import type { PolicyMode } from '../../contract/approvals.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { ok, type Result } from '../../contract/result.ts';
import { readSoul } from '../../core/agents/profile.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Handlers } from '../dispatch.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';
import { type AgentViewFacts, viewAgent, viewAgentDetail } from './agent-view.ts';
import { findAgent } from './find-agent.ts';
import type { Pictures } from './pictures.ts';

type LifeMethods = Pick<
  Handlers,
  | 'agents.list'
  | 'agents.get'
  | 'agents.picture'
  | 'agents.pause'
  | 'agents.resume'
  | 'agents.restart'
  | 'agents.archive'
  | 'agents.delete'
  | 'agents.readConfig'
  | 'agents.writeConfig'
>;

/** Starts and stops agents. */
export interface AgentRunner {
  apply(): void;
  calm(id: string, ms: number): Promise<void>;
  restart(id: string): boolean;
  withdraw<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
  retire<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
}

export interface LifeHandlerDeps {
  readonly agents: AgentStore;
  readonly fleet: AgentRunner;
  readonly facts: (agent: LoadedAgent) => AgentViewFacts;
  readonly apiKeys: Pick<ApiKeySecrets, 'hasOwn' | 'removeForAgent'>;
  readonly picture: Pictures['agent'];
  readonly commonMode: () => PolicyMode | null;
}

/** ms that a caller waits at most for an agent to reach the requested state. */
const settleMs = 5_000;

async function setState(
  { agents, fleet, facts }: LifeHandlerDeps,
  ref: string,
  state: 'running' | 'paused',
): Promise<Result<AgentSummary>> {
  const found = findAgent(agents, ref);
  if (!found.ok) return found;
  const changed = agents.setState(found.value.id, state);
  if (!changed.ok) return changed;
  fleet.apply();
  await fleet.calm(found.value.id, settleMs);
  return ok(viewAgent(facts(agents.get(found.value.id) ?? changed.value)));
}

export function createLifeHandlers(deps: LifeHandlerDeps): LifeMethods {
  const { agents, fleet, facts, apiKeys } = deps;
  return {
    'agents.list': () => ok({ agents: agents.list().map((agent) => viewAgent(facts(agent))) }),
    'agents.get': ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const agent = found.value;
      const profile = agents.readProfile(agent.id);
      const text = profile.ok ? profile.value : '';
      const apiKeySet = apiKeys.hasOwn(agent.id);
      return ok(
        viewAgentDetail({
          ...facts(agent),
          profile: text,
          soul: readSoul(text),
          apiKeySet,
          commonMode: deps.commonMode(),
        }),
      );
    },
    'agents.picture': deps.picture,
    'agents.pause': ({ agent }) => setState(deps, agent, 'paused'),
    'agents.resume': ({ agent }) => setState(deps, agent, 'running'),
    'agents.restart': async ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      fleet.apply();
      if (fleet.restart(found.value.id)) await fleet.calm(found.value.id, settleMs);
      return ok(viewAgent(facts(found.value)));
    },
    'agents.archive': async ({ agent: ref, keepIdentity }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { id } = found.value;
      const leave = keepIdentity ? fleet.withdraw.bind(fleet) : fleet.retire.bind(fleet);
      const moved = await leave(id, () => agents.archive(id, 'command'));
      return moved.ok ? ok({ path: moved.value }) : moved;
    },
    'agents.delete': async ({ agent: ref, keepIdentity }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { id } = found.value;
      const leave = keepIdentity ? fleet.withdraw.bind(fleet) : fleet.retire.bind(fleet);
      const gone = await leave(id, () => agents.delete(id));
      if (!gone.ok) return gone;
      const forgotten = apiKeys.removeForAgent(id);
      return forgotten.ok ? ok({}) : forgotten;
    },
    'agents.readConfig': ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      return found.ok ? agents.readConfig(found.value.id) : found;
    },
    'agents.writeConfig': ({ agent: ref, yaml }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const written = agents.writeConfig(found.value.id, yaml);
      if (!written.ok) return written;
      fleet.apply();
      return ok({});
    },
  };
}
