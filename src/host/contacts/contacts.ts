/**
 * First contacts: people who write to the operator's agents for the first time. The operator is asked once
 * per person. The decision holds for all agents of this host at that server, is logged for audit before it
 * takes effect, and survives a restart (T9).
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { ContactView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmRoomId, isSlug } from '../../contract/room-id.ts';
import type { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { GateCall } from '../../core/approvals/approval-gate.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Clock } from '../../core/ports.ts';
import type { ContactDecision, ContactRef, ContactStore } from '../../core/puffo/contact-store.ts';
import { withoutEndSlashes } from '../../core/puffo/server-url.ts';
import type { FirstContacts } from '../fleet/first-contacts.ts';
import type { OperatorSession } from '../identity/operator.ts';
import {
  type AskingAgent,
  type ContactQuestions,
  contactKey,
  type NamedContact,
} from './contact-questions.ts';

/** Questions and decisions, with their audit log; available while the vault is open. */
interface ContactApprovals {
  parts(): Result<{
    readonly store: ContactStore;
    readonly centre: Pick<ApprovalCentre, 'find' | 'decide'>;
  }>;
  /** False if no question was ever asked here; lookups then create no store. */
  begun(): boolean;
  note(entry: AuditEntry): Promise<Result<void>>;
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
}

/** A running agent. */
export interface ContactHolder {
  readonly id: string;
  readonly serverUrl: string;
  readonly contacts: Pick<FirstContacts, 'list' | 'release' | 'drop'>;
}

export interface ContactsDeps {
  readonly clock: Clock;
  readonly approvals: ContactApprovals;
  readonly questions: ContactQuestions;
  /** `null` without an operator. */
  readonly operator: () => Pick<OperatorSession, 'identity' | 'self'> | null;
  readonly holders: () => readonly ContactHolder[];
  /** Whether this is the address of the embedded relay, with any port. */
  readonly isEmbedded: (serverUrl: string) => boolean;
}

const outcomes = { accepted: 'accepted', blocked: 'blocked', unknown: 'forgotten' } as const;

export class Contacts {
  readonly #deps: ContactsDeps;

  constructor(deps: ContactsDeps) {
    this.#deps = deps;
  }

  /**
   * `null` if the operator never decided about this person; `unknown`, so that messages are held, if the decisions
   * cannot be read. Throws `StoreError`.
   */
  decisionOf(serverUrl: string, slug: string): ContactDecision | null {
    const { approvals } = this.#deps;
    if (!approvals.begun()) return null;
    const open = approvals.parts();
    return open.ok ? (open.value.store.contact(this.#ref(serverUrl, slug))?.state ?? null) : 'unknown';
  }

  hasOperatorWrittenTo(serverUrl: string, slug: string): boolean {
    const session = this.#deps.operator();
    if (!session || this.#server(session.identity.serverUrl) !== this.#server(serverUrl)) return false;
    const { store, slug: own } = session.self;
    return store.queries.hasFrom(dmRoomId(slug), own);
  }

  isAsked(serverUrl: string, slug: string): boolean {
    return this.#deps.questions.isAsked(this.#ref(serverUrl, slug));
  }

  ask(agent: AskingAgent & { readonly serverUrl: string }, held: NamedContact): void {
    this.#deps.questions.ask(agent, this.#ref(agent.serverUrl, held.slug), held);
  }

  /**
   * The agent answered without a decision, e.g. because its setting changed, so its question is withdrawn.
   */
  released(agentId: string, serverUrl: string, slug: string): void {
    const contact = this.#ref(serverUrl, slug);
    if (!this.#isDecided(contact)) this.#deps.questions.released(agentId, contact);
  }

  /** Withdraws the agent's questions, unless the host stops: then they continue at its next start. */
  agentStopped(agentId: string): void {
    this.#deps.questions.agentStopped(agentId);
  }

  list(): Result<{ contacts: ContactView[] }> {
    const waiting = new Map<string, ContactView>();
    for (const { id, serverUrl, contacts } of this.#deps.holders())
      for (const { slug, since, messages } of contacts.list()) {
        const ref = this.#ref(serverUrl, slug);
        const before = waiting.get(contactKey(ref));
        waiting.set(contactKey(ref), {
          ...ref,
          state: 'waiting',
          messages: messages + (before?.messages ?? 0),
          since: Math.min(since, before?.since ?? since),
          agents: [...(before?.agents ?? []), id],
        });
      }
    const decided = (this.#store()?.contacts() ?? []).flatMap(({ server, slug, state, decidedAt }) =>
      state === 'unknown' ? [] : [{ server, slug, state, messages: 0, since: decidedAt, agents: [] }],
    );
    return ok({ contacts: [...waiting.values(), ...decided] });
  }

  /** Without `server`, the server where the person waits or was decided about, else the operator's own. */
  async decide(
    slug: string,
    server: string | undefined,
    decision: ContactDecision,
    surface: 'window' | 'terminal',
  ): Promise<Result<{ released: number }>> {
    const contact = this.#find(slug, server);
    if (!contact.ok) return contact;
    const made = await this.record(contact.value, decision);
    if (made.ok) this.#deps.questions.decided(contact.value, decision);
    if (made.ok && decision !== 'unknown') this.#answerQuestion(contact.value, decision, surface);
    return made.ok ? ok({ released: made.value }) : made;
  }

  stop(): void {
    this.#deps.questions.stop();
  }

  /** ms since the epoch of the last decision about this person, or 0. */
  decidedAt(contact: ContactRef): number {
    return this.#store()?.contact(contact)?.decidedAt ?? 0;
  }

  /**
   * Logs, stores and then applies the decision; a stopped agent applies it at its next start. Returns how many
   * messages were released. `askedAt` is the `decidedAt` that the question was asked with: its answer is dropped
   * if a later decision exists (T9). Throws `StoreError`.
   */
  async record(contact: ContactRef, decision: ContactDecision, askedAt?: number): Promise<Result<number>> {
    const { approvals, clock } = this.#deps;
    const open = approvals.parts();
    if (!open.ok) return open;
    const { store } = open.value;
    const isOutdated = (): boolean =>
      askedAt !== undefined && (store.contact(contact)?.decidedAt ?? 0) !== askedAt;
    if (isOutdated()) return ok(0);
    if (store.contact(contact)?.state === decision) return ok(this.#carryOut(contact, decision));
    const note = (outcome: string): Promise<Result<void>> =>
      approvals.note({
        kind: 'contact',
        agentId: '',
        tool: '',
        digest: '',
        outcome,
        detail: `${contact.slug} at ${contact.server}`,
      });
    const noted = await note(outcomes[decision]);
    if (!noted.ok) return noted;
    // A command may have decided while the line was written: a second line withdraws it.
    if (isOutdated()) {
      const withdrawn = await note(`${outcomes[decision]}_withdrawn`);
      return withdrawn.ok ? ok(0) : withdrawn;
    }
    store.keepContact({ ...contact, state: decision, decidedAt: clock.now() });
    return ok(this.#carryOut(contact, decision));
  }

  #carryOut(contact: ContactRef, decision: ContactDecision): number {
    let released = 0;
    for (const { serverUrl, contacts } of this.#deps.holders()) {
      if (this.#server(serverUrl) !== contact.server || decision === 'unknown') continue;
      if (decision === 'accepted') released += contacts.release(contact.slug);
      else contacts.drop(contact.slug);
    }
    return released;
  }

  /** Closes the open question in the inbox with the same decision. */
  #answerQuestion(contact: ContactRef, decision: ContactDecision, surface: 'window' | 'terminal'): void {
    const { approvals, questions } = this.#deps;
    const key = contactKey(contact);
    const askedBy = questions.askedBy(contact);
    const id = askedBy === null ? null : approvals.questionOf(askedBy, { threadKey: key, callId: key });
    const parts = id ? approvals.parts() : null;
    const found = id && parts?.ok ? parts.value.centre.find(id) : null;
    if (!parts?.ok || !found?.ok) return;
    const { approval } = found.value;
    parts.value.centre.decide(
      approval.id,
      decision === 'accepted' ? { type: 'allow', scope: 'once' } : { type: 'deny', reason: '' },
      { digest: approval.digest, surface },
    );
  }

  #find(slug: string, server: string | undefined): Result<ContactRef> {
    if (!isSlug(slug)) return err(fail('invalid_input', 'contacts.invalidHandle', { name: slug }));
    if (server !== undefined) return ok(this.#ref(server, slug));
    const listed = this.list();
    const known = listed.ok ? listed.value.contacts.filter((one) => one.slug === slug) : [];
    if (known.length > 1) return err(ambiguous(slug));
    const own = this.#deps.operator()?.identity.serverUrl;
    const found = known[0]?.server ?? own;
    return found === undefined ? err(nobody(slug)) : ok(this.#ref(found, slug));
  }

  #isDecided(contact: ContactRef): boolean {
    const state = this.#store()?.contact(contact)?.state ?? 'unknown';
    return state !== 'unknown';
  }

  #store(): ContactStore | null {
    const { approvals } = this.#deps;
    const open = approvals.begun() ? approvals.parts() : null;
    return open?.ok ? open.value.store : null;
  }

  /** The embedded relay counts as one server, whatever its port. */
  #server(url: string): string {
    return this.#deps.isEmbedded(url) || url === embedded ? embedded : withoutEndSlashes(url);
  }

  #ref(serverUrl: string, slug: string): ContactRef {
    return { server: this.#server(serverUrl), slug };
  }
}

const embedded = 'this computer';

const ambiguous = (slug: string): AppError =>
  fail('invalid_input', 'contacts.ambiguousContact', { name: slug }, { help: 'contacts.chooseServer' });

const nobody = (slug: string): AppError =>
  fail('not_found', 'contacts.unknownContact', { name: slug }, { help: 'contacts.giveServer' });
