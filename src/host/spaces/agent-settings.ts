import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { SignAsAgent } from './agent-signer.ts';
import { findSpace } from './find-space.ts';

export interface AgentSettingsDeps {
  readonly agents: AgentStore;
  readonly signAs: SignAsAgent;
  /** Spaces of the operator; none while the operator is not signed in. */
  spaces(): RoomsSnapshot['spaces'];
}

const settingsSchema = z.looseObject({
  auto_accept_owner_invite: z.boolean(),
  auto_accept_member_invite: z.boolean().nullish(),
});

/** A refusal by the server is a server failure (spec §8: exit code 1), never a usage error. */
function serverSaid(error: RequestError, agent: string): AppError {
  if (error.status === 403 || error.status === 404) {
    return fail('forbidden', 'spaces.agentNotInSpace', { agent }, { help: 'spaces.inviteFirst' });
  }
  return fail(error.status === null ? error.code : 'unavailable', 'spaces.nothingChanged', {
    what: messageOf(error),
  });
}

/** A setting at the server, per agent: whether invitations of its operator are accepted automatically. */
export function createAgentSettings(deps: AgentSettingsDeps): Pick<Handlers, 'agents.autoAccept'> {
  return {
    'agents.autoAccept': async ({ agent: ref, space: wanted, owner }) => {
      const agent = findAgent(deps.agents, ref);
      if (!agent.ok) return agent;
      const signer = await deps.signAs(agent.value);
      if (!signer.ok) return signer;
      const { client } = signer.value;
      const known = findSpace(wanted, { spaces: deps.spaces() });
      // The agent may be in a space without its operator.
      if (!known.ok && !wanted.startsWith('sp_')) return known;
      const spaceId = known.ok ? known.value.id : wanted;
      const target = `/spaces/${encodeURIComponent(spaceId)}/members/me/settings`;
      const answer =
        owner === undefined
          ? await client.json('GET', target, settingsSchema)
          : await client.json('PATCH', target, settingsSchema, {
              body: { auto_accept_owner_invite: owner },
            });
      if (!answer.ok) return err(serverSaid(answer.error, agent.value.id));
      return ok({
        ownerInvites: answer.value.auto_accept_owner_invite,
        memberInvites: answer.value.auto_accept_member_invite === true,
      });
    },
  };
}
