/**
 * First contacts: people who write to the operator's agents for the first time. The operator is asked once
 * per person. The decision holds for all agents of this host at that server, is logged for audit before it
 * takes effect, and survives a restart (T9).
 */
import { type AppError, appError } from '../../contract/errors.ts';
import type { ContactView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmRoomId, isSlug } from '../../contract/room-id.ts';
import type { Question } from '../../core/approvals/centre-ports.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { ContactDecision, ContactRef, ContactStore } from '../../core/puffo/contact-store.ts';
import type { HostContext } from '../context.ts';
import type { FirstContacts, HeldContact } from '../fleet/first-contacts.ts';
import { createQuestionQuota, type QuestionQuota } from '../fleet/question-quota.ts';

type Parts = Pick<HostContext, 'ports' | 'relay' | 'operator' | 'approvals' | 'agents' | 'fleet'>;

interface NamedContact extends HeldContact {
  readonly displayName: string;
}

/** A waiting person, as one agent holds them. */
interface Held extends NamedContact {
  readonly agentId: string;
  readonly agentName: string;
  readonly contact: ContactRef;
}

interface AskingAgent {
  readonly id: string;
  readonly name: string;
  readonly serverUrl: string;
}

interface Open {
  readonly agentId: string;
  readonly ended: AbortController;
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');
const keyOf = ({ server, slug }: ContactRef): string => `contact:${server} ${slug}`;
/** Code points; a server may send names of any length. */
const namePoints = 60;
const quoted = (text: string): string => JSON.stringify(text);

const outcomes = { accepted: 'accepted', blocked: 'blocked', unknown: 'forgotten' } as const;

function questionOf(
  { agentId, agentName, contact, displayName, excerpt }: Held,
  decidedAt: number,
): Question {
  const { slug, server } = contact;
  const person =
    displayName === slug
      ? quoted(slug)
      : `${quoted(slug)} (${quoted(cutCodePoints(displayName, namePoints))})`;
  return {
    kind: 'contact',
    agentId,
    agentName,
    subject: 'first_contact',
    key: keyOf(contact),
    // A decision that was forgotten makes this another question, so that its old answer does not apply.
    args: { contact: slug, server, decidedAt },
    title: `wants to answer ${slug}, who writes for the first time`,
    preview: { kind: 'text', body: `From: ${person}\nMessage: ${quoted(excerpt)}` },
    risk: 'medium',
    why: 'It asks because you do not know this person yet. Allow accepts the person for all of your agents, deny blocks the person.',
    where: server,
    rule: 'accept this person for all of your agents',
    roomId: null,
    threadRootId: null,
  };
}

export class Contacts {
  readonly #context: () => Parts;
  /** By person, then agent id. */
  readonly #held = new Map<string, Map<string, Held>>();
  readonly #open = new Map<string, Open>();
  readonly #quota: QuestionQuota;

  constructor(context: () => Parts) {
    this.#context = context;
    this.#quota = createQuestionQuota(
      () => context().ports.clock,
      () => this.#askNext(),
    );
  }

  /**
   * `null` if the operator never decided about this person; `unknown`, so that messages are held, if the decisions
   * cannot be read. Throws `StoreError`.
   */
  decisionOf(serverUrl: string, slug: string): ContactDecision | null {
    const { approvals } = this.#context();
    if (!approvals.begun()) return null;
    const open = approvals.parts();
    return open.ok ? (open.value.store.contact(this.#ref(serverUrl, slug))?.state ?? null) : 'unknown';
  }

  hasOperatorWrittenTo(serverUrl: string, slug: string): boolean {
    const session = this.#context().operator.session();
    if (!session || this.#server(session.identity.serverUrl) !== this.#server(serverUrl)) return false;
    const { store, slug: own } = session.self;
    return store.queries.hasFrom(dmRoomId(slug), own);
  }

  isAsked(serverUrl: string, slug: string): boolean {
    return this.#open.has(keyOf(this.#ref(serverUrl, slug)));
  }

  ask(agent: AskingAgent, held: NamedContact): void {
    const contact = this.#ref(agent.serverUrl, held.slug);
    const key = keyOf(contact);
    const byAgent = this.#held.get(key) ?? new Map<string, Held>();
    this.#held.set(
      key,
      byAgent.set(agent.id, { ...held, agentId: agent.id, agentName: agent.name, contact }),
    );
    this.#askNext();
  }

  /**
   * The agent answered without a decision, e.g. because its setting changed, so its question is withdrawn.
   */
  released(agentId: string, serverUrl: string, slug: string): void {
    const contact = this.#ref(serverUrl, slug);
    if (this.#isDecided(contact)) return;
    const key = keyOf(contact);
    const byAgent = this.#held.get(key);
    if (byAgent?.delete(agentId) && byAgent.size === 0) this.#held.delete(key);
    const open = this.#open.get(key);
    if (open?.agentId === agentId) open.ended.abort();
  }

  /** Withdraws the agent's questions, unless the host stops: then they continue at its next start. */
  agentStopped(agentId: string): void {
    for (const [key, byAgent] of this.#held) {
      byAgent.delete(agentId);
      if (byAgent.size === 0) this.#held.delete(key);
    }
    for (const { agentId: asking, ended } of this.#open.values()) if (asking === agentId) ended.abort();
  }

  list(): Result<{ contacts: ContactView[] }> {
    const waiting = new Map<string, ContactView>();
    for (const { id, serverUrl, contacts } of this.#agents())
      for (const { slug, since, messages } of contacts.list()) {
        const ref = this.#ref(serverUrl, slug);
        const before = waiting.get(keyOf(ref));
        waiting.set(keyOf(ref), {
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
    const made = await this.#decide(contact.value, decision);
    if (made.ok && decision !== 'unknown') this.#answerQuestion(contact.value, decision, surface);
    return made.ok ? ok({ released: made.value }) : made;
  }

  stop(): void {
    this.#quota.stop();
  }

  #askNext(): void {
    for (const [key, byAgent] of this.#held) {
      const [held] = byAgent.values();
      if (!held || this.#open.has(key)) continue;
      if (!this.#quota.hasRoom(this.#open.size)) return;
      this.#begin(key, held);
    }
  }

  #begin(key: string, held: Held): void {
    const { approvals, ports } = this.#context();
    const ended = new AbortController();
    this.#open.set(key, { agentId: held.agentId, ended });
    this.#quota.asked();
    const decidedAt = this.#store()?.contact(held.contact)?.decidedAt ?? 0;
    approvals
      .ask(questionOf(held, decidedAt), ended.signal)
      .then(async (decision) => {
        // Without an answer the person keeps waiting, and their next message asks again.
        this.#open.delete(key);
        if (ended.signal.aborted) return this.#askNext();
        this.#held.delete(key);
        const isNo = decision.type === 'deny';
        if (!isNo || decision.by === 'operator') {
          const made = await this.#decide(held.contact, isNo ? 'blocked' : 'accepted');
          if (!made.ok) ports.log.error('contact_not_decided', { code: made.error.code });
        }
        this.#askNext();
      })
      .catch((error: unknown) => {
        ports.log.error('contact_question_failed', { error });
        // The person keeps waiting, and their next message asks again.
        if (this.#open.get(key)?.ended === ended) this.#open.delete(key);
      });
  }

  /** Logs, stores and then applies the decision; a stopped agent applies it at its next start. */
  async #decide(contact: ContactRef, decision: ContactDecision): Promise<Result<number>> {
    const { approvals, ports } = this.#context();
    const open = approvals.parts();
    if (!open.ok) return open;
    const { store } = open.value;
    if (store.contact(contact)?.state === decision) return ok(this.#carryOut(contact, decision));
    const noted = await approvals.note({
      kind: 'contact',
      agentId: '',
      tool: '',
      digest: '',
      outcome: outcomes[decision],
      detail: `${contact.slug} at ${contact.server}`,
    });
    if (!noted.ok) return noted;
    store.keepContact({ ...contact, state: decision, decidedAt: ports.clock.now() });
    return ok(this.#carryOut(contact, decision));
  }

  #carryOut(contact: ContactRef, decision: ContactDecision): number {
    if (decision !== 'unknown') this.#held.delete(keyOf(contact));
    let released = 0;
    for (const { serverUrl, contacts } of this.#agents()) {
      if (this.#server(serverUrl) !== contact.server || decision === 'unknown') continue;
      if (decision === 'accepted') released += contacts.release(contact.slug);
      else contacts.drop(contact.slug);
    }
    return released;
  }

  /** Closes the open question in the inbox with the same decision. */
  #answerQuestion(contact: ContactRef, decision: ContactDecision, surface: 'window' | 'terminal'): void {
    const key = keyOf(contact);
    const open = this.#open.get(key);
    const { approvals } = this.#context();
    const id = open && approvals.questionOf(open.agentId, { threadKey: key, callId: key });
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
    if (!isSlug(slug)) return err(appError('invalid_input', `"${slug}" is no handle.`));
    if (server !== undefined) return ok(this.#ref(server, slug));
    const listed = this.list();
    const known = listed.ok ? listed.value.contacts.filter((one) => one.slug === slug) : [];
    if (known.length > 1) return err(ambiguous(slug));
    const own = this.#context().operator.session()?.identity.serverUrl;
    const found = known[0]?.server ?? own;
    return found === undefined ? err(nobody(slug)) : ok(this.#ref(found, slug));
  }

  /** Running agents only. */
  #agents(): { readonly id: string; readonly serverUrl: string; readonly contacts: FirstContacts }[] {
    const { agents, fleet } = this.#context();
    return agents.list().flatMap(({ id, lastGood }) => {
      const contacts = fleet.post(id)?.hands?.contacts;
      return contacts && lastGood ? [{ id, serverUrl: lastGood.puffo_core.server_url, contacts }] : [];
    });
  }

  #isDecided(contact: ContactRef): boolean {
    const state = this.#store()?.contact(contact)?.state ?? 'unknown';
    return state !== 'unknown';
  }

  #store(): ContactStore | null {
    const { approvals } = this.#context();
    const open = approvals.begun() ? approvals.parts() : null;
    return open?.ok ? open.value.store : null;
  }

  /** The embedded relay counts as one server, whatever its port. */
  #server(url: string): string {
    const { relay } = this.#context();
    return relay.isOurs(url) || url === embedded ? embedded : trimmed(url);
  }

  #ref(serverUrl: string, slug: string): ContactRef {
    return { server: this.#server(serverUrl), slug };
  }
}

const embedded = 'this computer';

const ambiguous = (slug: string): AppError =>
  appError('invalid_input', `More than one server has a person called ${slug}. Nothing was changed.`, {
    hint: 'Say which with --server.',
  });

const nobody = (slug: string): AppError =>
  appError('not_found', `No person called ${slug} has written to your agents. Nothing was changed.`, {
    hint: 'Say at which server with --server.',
  });
