import { z } from 'zod';
import { validItems } from '../../services/puffo/valid-items.ts';
import type { HostContext } from '../context.ts';
import { agentSigner, type SignerContext } from './agent-signer.ts';

/**
 * Accepts, as an own agent, the invitation to a space that the operator has just sent it: servers do not
 * accept it automatically, and a paused agent does not answer. Returns `false` if the agent's own client
 * answers once it is connected.
 */
export async function acceptOwnInvite(
  context: SignerContext & Pick<HostContext, 'operator'>,
  agentId: string,
  spaceId: string,
): Promise<boolean> {
  const agent = context.agents.get(agentId);
  const operator = context.operator.session()?.self.slug;
  const signer = agent && operator !== undefined ? await agentSigner(context, agent) : null;
  if (!signer?.ok) return false;
  const { inviteSchema } = await import('../../services/puffo/invitations.ts');
  const schema = z.looseObject({ invites: validItems(inviteSchema) });
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
