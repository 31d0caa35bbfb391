import { dmRoomId } from '../../contract/room-id.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { HostPorts } from '../host-ports.ts';
import { createFirstContacts, type FirstContacts } from './first-contacts.ts';

export interface ContactSources {
  readonly ports: HostPorts;
  /** Shared by all agents of this host. */
  readonly contacts: () => Pick<
    Contacts,
    'decisionOf' | 'hasOperatorWrittenTo' | 'isAsked' | 'ask' | 'released' | 'agentStopped'
  >;
}

interface OfAgent {
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly directory: ServerDirectory;
  config(): AgentConfig;
  /** Both accessors are available once the agent is launched. */
  account(): Account;
  audience(): Pick<AudiencePort, 'isOwnRoom'>;
  accepted(messages: readonly StoredMessage[]): void;
}

export function contactsOf({ ports, contacts }: ContactSources, id: string, of: OfAgent): FirstContacts {
  const { identity, store, directory, config, account } = of;
  // From the file: the embedded relay's address changes with its port.
  const server = (): string => config().puffo_core.server_url;
  const made = createFirstContacts({
    slug: identity.slug,
    store,
    members: directory.members,
    account,
    accepted: of.accepted,
    log: ports.log.child({ agent: id }),
    isHolding: () => config().triggers.hold_first_contact,
    isOwn: (slug) => of.audience().isOwnRoom(dmRoomId(slug)),
    decisionOf: (slug) => contacts().decisionOf(server(), slug),
    hasOperatorWrittenTo: (slug) => contacts().hasOperatorWrittenTo(server(), slug),
    isAsked: (slug) => contacts().isAsked(server(), slug),
    released: (slug) => contacts().released(id, server(), slug),
    ask: (held) => {
      const agent = { id, name: config().display_name || id, serverUrl: server() };
      const { displayName } = directory.profiles.known(held.slug);
      contacts().ask(agent, { ...held, displayName });
    },
  });
  return {
    ...made,
    stop() {
      made.stop();
      contacts().agentStopped(id);
    },
  };
}
