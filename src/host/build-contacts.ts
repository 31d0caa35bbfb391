import type { Clock, Log } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { Approvals } from './approvals/approvals.ts';
import { ContactQuestions } from './contacts/contact-questions.ts';
import { type ContactHolder, Contacts, type ContactsDeps } from './contacts/contacts.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Operator } from './identity/operator.ts';
import type { Problems } from './problems.ts';

/** Everything that the units of contacts use, each a part of it. */
export interface ContactWiring {
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: Problems;
  readonly agents: AgentStore;
  readonly operator: Pick<Operator, 'session'>;
  readonly fleet: Pick<Fleet, 'post'>;
  readonly approvals: Approvals;
  readonly isEmbedded: ContactsDeps['isEmbedded'];
}

/** Part of the composition root: people who write to the agents for the first time. */
export function buildContacts(wiring: ContactWiring): Contacts {
  const { clock, log, problems, agents, operator, fleet, approvals, isEmbedded } = wiring;
  const questions: ContactQuestions = new ContactQuestions({
    clock,
    log,
    problems,
    ask: (question, signal) => approvals.ask(question, signal),
    decidedAt: (contact) => contacts.decidedAt(contact),
    decide: (contact, decision, askedAt) => contacts.record(contact, decision, askedAt),
  });
  const contacts: Contacts = new Contacts({
    clock,
    approvals,
    questions,
    operator: () => operator.session(),
    holders: () => contactHolders(agents, fleet),
    isEmbedded,
  });
  return contacts;
}

/** Running agents only. */
function contactHolders(agents: AgentStore, fleet: Pick<Fleet, 'post'>): readonly ContactHolder[] {
  return agents.list().flatMap(({ id, lastGood }) => {
    const contacts = fleet.post(id)?.capabilities?.contacts;
    return contacts && lastGood ? [{ id, serverUrl: lastGood.puffo_core.server_url, contacts }] : [];
  });
}
