import { z } from 'zod';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { validItems } from '../../services/puffo/valid-items.ts';
import type { SignAsAgent } from './agent-signer.ts';

export interface AcceptOwnInviteDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly signAs: SignAsAgent;
  /** `null` while the operator is not signed in. */
  operatorSlug(): string | null;
}

/**
 * Accepts, as an own agent, the invitation to a space that the operator has just sent it: servers do not
 * accept it automatically, and a paused agent does not answer. Returns `false` if the agent's own client
 * answers once it is connected.
 */
export async function acceptOwnInvite(
  deps: AcceptOwnInviteDeps,
  agentId: string,
  spaceId: string,
): Promise<boolean> {
  const agent = deps.agents.get(agentId);
  const operator = deps.operatorSlug();
  const signer = agent && operator !== null ? await deps.signAs(agent) : null;
  if (!signer?.ok) return false;
  const { serverInviteSchema } = await import('../../services/puffo/invitations.ts');
  const schema = z.looseObject({ invites: validItems(serverInviteSchema) });
  const open = await signer.value.client.json('GET', '/invites?direction=received', schema);
  if (!open.ok) return false;
  const invite = open.value.invites.find(
    (one) => one.scope === 'space' && one.spaceId === spaceId && one.inviterSlug === operator,
  );
  // A running agent may have answered meanwhile.
  if (!invite) return false;
  const accepted = await signer.value.answerInvite(invite, true);
  return accepted.ok || accepted.error.code === 'conflict';
}
