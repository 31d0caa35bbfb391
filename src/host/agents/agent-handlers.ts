import type { AgentSummary } from '../../contract/model.ts';
import { ok, type Result } from '../../contract/result.ts';
import { readSoul } from '../../core/agents/profile.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { configInForce, viewAgent, viewAgentDetail } from './agent-view.ts';
import { findAgent } from './find-agent.ts';
import { createPictures } from './pictures.ts';

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

/** ms that a caller waits at most for an agent to reach the requested state. */
const settleMs = 5_000;

export function summaryOf(context: HostContext, agent: LoadedAgent): AgentSummary {
  return viewAgent({
    agent,
    live: context.fleet.live(agent),
    spentToday: context.usage.spentToday(agent.id),
    choice: context.models.choose(agent.id, configInForce(agent)),
  });
}

async function setState(
  context: HostContext,
  ref: string,
  state: 'running' | 'paused',
): Promise<Result<AgentSummary>> {
  const found = findAgent(context.agents, ref);
  if (!found.ok) return found;
  const changed = context.agents.setState(found.value.id, state);
  if (!changed.ok) return changed;
  context.fleet.apply();
  await context.fleet.calm(found.value.id, settleMs);
  return ok(summaryOf(context, context.agents.get(found.value.id) ?? changed.value));
}

export function createLifeHandlers(context: HostContext): LifeMethods {
  const { agents, fleet, secrets } = context;
  return {
    'agents.list': () => ok({ agents: agents.list().map((agent) => summaryOf(context, agent)) }),
    'agents.get': ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const agent = found.value;
      const profile = agents.readProfile(agent.id);
      const text = profile.ok ? profile.value : '';
      return ok(
        viewAgentDetail({
          agent,
          live: fleet.live(agent),
          spentToday: context.usage.spentToday(agent.id),
          choice: context.models.choose(agent.id, configInForce(agent)),
          profile: text,
          soul: readSoul(text),
          apiKeySet: secrets.apiKeys.hasOwn(agent.id),
        }),
      );
    },
    'agents.picture': createPictures(context).agent,
    'agents.pause': ({ agent }) => setState(context, agent, 'paused'),
    'agents.resume': ({ agent }) => setState(context, agent, 'running'),
    'agents.restart': async ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      fleet.apply();
      if (fleet.restart(found.value.id)) await fleet.calm(found.value.id, settleMs);
      return ok(summaryOf(context, found.value));
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
      const forgotten = secrets.apiKeys.removeForAgent(id);
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
