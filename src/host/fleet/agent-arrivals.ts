import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Account, Invite } from '../../services/puffo/account-types.ts';
import { firstPublicChannel } from '../../services/puffo/public-channel.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { askedAs } from '../approvals/question-posts.ts';
import type { HostPorts } from '../host-ports.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { createIntroductions, type Introductions } from './introductions.ts';
import { createInviteQuestions, type InviteQuestions, inviteKey } from './invite-questions.ts';

// How an agent joins rooms: the operator's answers to invitations, and its introductions.

interface Sources {
  readonly ports: HostPorts;
  readonly parts: { readonly crypto: CryptoEngine };
  readonly consent: Pick<Approvals, 'ask'>;
}

export interface ArrivingAgent {
  readonly id: string;
  readonly identity: Identity;
  readonly store: AccountStore;
  config(): AgentConfig;
  account(): Account;
  /** Stored messages that need a turn. */
  accepted(messages: readonly StoredMessage[]): void;
}

/** Reports the outcome in the thread of the question in the chat, once. */
function confirmInvite(
  { parts: { crypto }, ports }: Sources,
  { store, identity: { slug }, account }: ArrivingAgent,
  invite: Invite,
  text: string,
): void {
  const asked = store.outbox(askedAs(crypto, slug, inviteKey(invite)));
  if (!asked) return;
  store.enqueue(
    {
      envelopeId: derivedEnvelopeId(crypto, slug, 'answered', invite.eventId),
      kind: 'dm',
      spaceId: null,
      channelId: null,
      recipientSlug: asked.recipientSlug,
      threadRootId: asked.envelopeId,
      contentType: 'text/plain',
      content: text,
      visible: true,
      createdAt: ports.clock.now(),
    },
    slug,
  );
  account().kickOutbox();
}

export function invitesOf(sources: Sources, agent: ArrivingAgent): InviteQuestions {
  const { id: agentId, config, account, identity } = agent;
  const { clock, random, log } = sources.ports;
  return createInviteQuestions({
    agentId,
    clock,
    random,
    log: log.child({ agent: agentId }),
    ask: sources.consent.ask,
    serverUrl: () => identity.serverUrl,
    agentName: () => config().display_name || agentId,
    answer: (invite, accepts) => account().answerInvite(invite, accepts),
    confirm: (invite, text) => despiteStore(() => confirmInvite(sources, agent, invite, text), undefined),
    lookAgain: () => account().lookAtInvites(),
  });
}

export function introductionsOf({ ports, parts }: Sources, agent: ArrivingAgent): Introductions {
  const { id, identity, store, config, accepted } = agent;
  return createIntroductions({
    slug: identity.slug,
    store,
    crypto: parts.crypto,
    clock: ports.clock,
    config,
    accepted,
    log: ports.log.child({ agent: id }),
    publicChannel: async (spaceId) => {
      const found = await firstPublicChannel(agent.account().client, spaceId);
      return found.ok ? found.value : null;
    },
  });
}
