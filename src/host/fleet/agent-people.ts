import { dmRoomId } from '../../contract/room-id.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { ShareRule } from '../../core/policy/source.ts';
import type { ContactDecision } from '../../core/puffo/contact-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { createAudiences, createOwnCircle } from './audiences.ts';
import { FirstContacts, type HeldContact } from './first-contacts.ts';
import { agentTest } from './host-prompts.ts';
import { createAcquaintances } from './known-people.ts';
import type { OpenedAgent } from './open-agent.ts';

/** The operator's decisions about people, shared by all agents of this host. */
export interface SharedContacts {
  decisionOf(serverUrl: string, slug: string): ContactDecision | null;
  hasOperatorWrittenTo(serverUrl: string, slug: string): boolean;
  isAsked(serverUrl: string, slug: string): boolean;
  ask(
    agent: { readonly id: string; readonly name: string; readonly serverUrl: string },
    held: HeldContact & { readonly displayName: string },
  ): void;
  released(agentId: string, serverUrl: string, slug: string): void;
  agentStopped(agentId: string): void;
}

export interface AgentPeopleDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly trust: Pick<OperatorTrust, 'operatorOf'>;
  /** Current server URL of this host's operator, or `null` without one. */
  readonly operatorServer: () => string | null;
  readonly sharesOf: (agentId: string) => readonly ShareRule[];
  readonly contacts: () => SharedContacts;
}

/** The people and agents that write to an agent. */
export interface AgentPeople {
  /** Compares keys, because on another server anyone may have the operator's slug. */
  isOperator(slug: string): boolean;
  /** Also true for the host's own prompts and for the agent itself. */
  isAgent(slug: string): boolean;
  readonly audience: AudiencePort;
  readonly contacts: FirstContacts;
}

export interface AgentInUse {
  config(): AgentConfig;
  /** Available once the agent is launched. */
  account(): Account;
  /** Stored messages that need a turn. */
  accepted(messages: readonly StoredMessage[]): void;
}

export type PeopleOf = (opened: OpenedAgent, agent: AgentInUse) => AgentPeople;

export const createAgentPeople =
  (deps: AgentPeopleDeps): PeopleOf =>
  (opened, agent) => {
    const { identity, directory } = opened;
    const isOperator = operatorTest(deps, opened);
    const audience = audienceOf(deps, opened, { account: agent.account, isOperator });
    return {
      isOperator,
      isAgent: agentTest(identity.slug, (slug) => directory.profiles.known(slug).agent),
      audience,
      contacts: contactsOf(deps.contacts, opened, agent, audience),
    };
  };

function operatorTest(
  { trust, operatorServer }: Pick<AgentPeopleDeps, 'trust' | 'operatorServer'>,
  { id, identity, directory }: OpenedAgent,
): (slug: string) => boolean {
  return (slug) => {
    const operator = trust.operatorOf(id);
    if (!operator || slug !== operator.slug) return false;
    const remembered = directory.identities.remembered(slug);
    if (remembered) return remembered.rootPublicKey === operator.root;
    return operatorServer() === identity.serverUrl;
  };
}

/** The readers of each room of an agent of this host. */
function audienceOf(
  { agents, trust, sharesOf }: Pick<AgentPeopleDeps, 'agents' | 'trust' | 'sharesOf'>,
  { id, identity, store, directory }: OpenedAgent,
  { account, isOperator }: { account(): Account; isOperator(slug: string): boolean },
): AudiencePort {
  const isOwn = createOwnCircle({
    slug: identity.slug,
    identities: directory.identities,
    isOperator,
    isOwnAgent: (slug) =>
      agents.list().some(({ lastGood }) => {
        const core = lastGood?.puffo_core;
        return core?.slug === slug && core.server_url === identity.serverUrl;
      }),
    operatorRoot: () => trust.operatorOf(id)?.root ?? null,
  });
  return createAudiences({ account, directory, store, isOwn, shares: () => sharesOf(id) });
}

function contactsOf(
  shared: () => SharedContacts,
  { id, identity, store, directory, log }: OpenedAgent,
  { config, account, accepted }: AgentInUse,
  audience: Pick<AudiencePort, 'isOwnRoom'>,
): FirstContacts {
  // From the file: the embedded relay's address changes with its port.
  const server = (): string => config().puffo_core.server_url;
  return new FirstContacts({
    store,
    acquaintances: createAcquaintances({
      slug: identity.slug,
      store,
      members: directory.members,
      account,
      hasOperatorWrittenTo: (slug) => shared().hasOperatorWrittenTo(server(), slug),
    }),
    operator: {
      isOwn: (slug) => audience.isOwnRoom(dmRoomId(slug)),
      decisionOf: (slug) => shared().decisionOf(server(), slug),
      isAsked: (slug) => shared().isAsked(server(), slug),
      released: (slug) => shared().released(id, server(), slug),
      stopped: () => shared().agentStopped(id),
      ask: (held) => {
        const agent = { id, name: config().display_name || id, serverUrl: server() };
        const { displayName } = directory.profiles.known(held.slug);
        shared().ask(agent, { ...held, displayName });
      },
    },
    log,
    isHolding: () => config().triggers.hold_first_contact,
    accepted,
  });
}
