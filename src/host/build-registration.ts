import type { Clock, DiskPort, Log, Random } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import { createHomeSpace, createRegisterAgent, type RegisterAgentDeps } from './agents/register-agent.ts';
import { createRegisterIdentity } from './agents/register-identity.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import { acceptOwnInvite } from './spaces/accept-own-invite.ts';
import { createAgentSigner } from './spaces/agent-signer.ts';

/** Everything that the registration of agents uses. */
export interface RegistrationWiring
  extends Pick<RegisterAgentDeps, 'openParts' | 'registrations' | 'onRegistered'> {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly agents: AgentStore;
  readonly operator: Operator;
  readonly fleet: Pick<Fleet, 'account'>;
}

/** Part of the composition root: registers agents at their server, and accepts the operator's invitations for them. */
export function buildRegistration(wiring: RegistrationWiring) {
  const { clock, random, log, layout, disk, agents, operator, fleet, openParts } = wiring;
  const ownInvites = {
    agents,
    operatorSlug: () => operator.session()?.self.slug ?? null,
    signAs: createAgentSigner({
      account: (id) => fleet.account(id),
      openParts,
      layout,
      clock,
      random,
      log,
    }),
  };
  const registerAgent = createRegisterAgent({
    operator,
    openParts,
    registrations: wiring.registrations,
    homeSpace: createHomeSpace({
      operator,
      log,
      acceptInvite: (agentId, spaceId) => acceptOwnInvite(ownInvites, agentId, spaceId),
    }),
    enrol: createRegisterIdentity({ agents, disk, layout, clock }),
    onRegistered: wiring.onRegistered,
  });
  return { registerAgent, ownInvites };
}
