import { z } from 'zod';
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { findSpace } from './find-space.ts';

type Context = Pick<HostContext, 'agents' | 'fleet' | 'operator' | 'layout' | 'ports' | 'openParts'>;

const settingsSchema = z.looseObject({
  auto_accept_owner_invite: z.boolean(),
  auto_accept_member_invite: z.boolean().nullish(),
});

/** The account of an agent that runs signs; for one that is at rest its keys are taken for this one request. */
async function clientOf(context: Context, agent: LoadedAgent): Promise<Result<SignedClient>> {
  const running = context.fleet.account(agent.id);
  if (running) return ok(running.client);
  const { slug, server_url: serverUrl } = configInForce(agent).puffo_core;
  if (slug === '') {
    return err(appError('conflict', `Agent "${agent.id}" is not registered at a server.`));
  }
  const parts = await context.openParts();
  if (!parts.ok) return parts;
  const { keys, servers, crypto, currentUrl } = parts.value;
  const folder = context.layout.agentKeys(agent.id);
  const stored = keys.loadIdentity(folder, slug);
  if (!stored.ok) return stored;
  const identity = { ...stored.value, serverUrl: currentUrl(serverUrl) };
  const directory = servers.directory(identity.serverUrl);
  if (!directory.ok) return directory;
  const { transport, skew } = directory.value;
  const { clock, random, log } = context.ports;
  const { createSubkeys } = await import('../../services/puffo/subkeys.ts');
  const { createSignedClient } = await import('../../services/puffo/signed-client.ts');
  const sessions = keys.sessions(folder, slug);
  const shared = { transport, skew, crypto, clock, random };
  const subkeys = createSubkeys({ ...shared, identity, sessions, log });
  return ok(createSignedClient({ ...shared, slug, subkeys, signal: new AbortController().signal }));
}

/** What the server says is a failure of the server's (spec §8: exit code 1), never one of usage. */
function serverSaid(error: RequestError, agent: string): AppError {
  if (error.status === 403 || error.status === 404) {
    return appError(
      'forbidden',
      `The server says that ${agent} is neither in this space nor invited to it.`,
      {
        hint: 'Invite it first: kennel invite AGENT --space SPACE.',
      },
    );
  }
  return appError(
    error.status === null ? error.code : 'unavailable',
    `${error.message} Nothing was changed.`,
  );
}

/** The server's own setting for one agent: whether invitations of its operator are accepted at once. */
export function createAgentSettings(context: Context): Pick<Handlers, 'agents.autoAccept'> {
  return {
    'agents.autoAccept': async ({ agent: ref, space: wanted, owner }) => {
      const agent = findAgent(context.agents, ref);
      if (!agent.ok) return agent;
      const client = await clientOf(context, agent.value);
      if (!client.ok) return client;
      const rooms = context.operator.session()?.self.account.rooms() ?? { spaces: [] };
      const known = findSpace(wanted, rooms);
      // The agent may be where its operator is not.
      if (!known.ok && !wanted.startsWith('sp_')) return known;
      const spaceId = known.ok ? known.value.id : wanted;
      const target = `/spaces/${encodeURIComponent(spaceId)}/members/me/settings`;
      const answer =
        owner === undefined
          ? await client.value.json('GET', target, settingsSchema)
          : await client.value.json('PATCH', target, settingsSchema, {
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
