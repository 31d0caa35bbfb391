import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { Chat } from './chat/chat.ts';
import type { HostPorts } from './host-ports.ts';
import type { Operator } from './identity/operator.ts';
import type { EmbeddedRelay } from './relay/embedded-relay.ts';
import { type AcceptOwnInviteDeps, acceptOwnInvite } from './spaces/accept-own-invite.ts';
import { createAgentSettings } from './spaces/agent-settings.ts';
import { createJoinByLink, type JoinByLinkDeps } from './spaces/join-by-link.ts';
import { createOperatorSpaces } from './spaces/operator-spaces.ts';
import { createOwnLinks } from './spaces/own-links.ts';
import { createReceivedInviteHandlers } from './spaces/received-invite-handlers.ts';
import type { ReceivedInvites } from './spaces/received-invites.ts';
import { createSendInvite } from './spaces/send-invite.ts';
import { createSentInvites } from './spaces/sent-invites.ts';
import { createChannelHandlers, createSpaceHandlers } from './spaces/space-handlers.ts';

/** Everything that the units of spaces use, each a part of it. */
export interface SpaceWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'mode'>;
  readonly agents: AgentStore;
  readonly operator: Operator;
  readonly chat: Pick<Chat, 'people' | 'refreshRooms'>;
  readonly invites: ReceivedInvites;
  readonly ownInvites: AcceptOwnInviteDeps;
  readonly identity: { readonly signUps: NonNullable<JoinByLinkDeps['signUps']> };
  readonly relay: Pick<EmbeddedRelay, 'isOurs'>;
  readonly fleet: { post(agentId: string): { readonly connection: string } | null };
}

/** Part of the composition root: all methods about spaces, channels, members and invitations. */
export function buildSpaceHandlers(wiring: SpaceWiring) {
  const { agents, operator, chat, invites, ownInvites, fleet } = wiring;
  const { clock, mode } = wiring.ports;
  const refreshRooms = () => void chat.refreshRooms();
  const nameOf = (slug: string) => chat.people.get(slug).displayName;
  const people = { agents, people: () => chat.people.all() };
  const serverUrl = () => operator.session()?.record.serverUrl ?? null;
  const home = createOperatorSpaces({ operator, refreshRooms });
  return {
    ...createSpaceHandlers({ home, operator, people, refreshRooms }),
    ...createChannelHandlers(home, people),
    ...createSendInvite({
      home,
      agents,
      chat,
      serverUrl,
      isOnline: (agentId) => fleet.post(agentId)?.connection === 'online',
      acceptOwnInvite: (agentId, spaceId) => acceptOwnInvite(ownInvites, agentId, spaceId),
    }),
    ...createReceivedInviteHandlers({ home, invites, clock, nameOf, refreshRooms }),
    ...createSentInvites({ home, nameOf }),
    ...createOwnLinks({ home, serverUrl, nameOf, clock }),
    ...createJoinByLink({
      operator,
      signUps: mode === 'full' ? wiring.identity.signUps : null,
      isOurRelay: (url) => wiring.relay.isOurs(url),
      refreshRooms,
      clock,
    }),
    ...createAgentSettings({
      agents,
      signAs: ownInvites.signAs,
      spaces: () => operator.session()?.self.account.rooms().spaces ?? [],
    }),
  };
}
