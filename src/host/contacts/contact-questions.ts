/**
 * Asks the operator about people who write for the first time, once per person. An answer takes effect when its
 * line in the audit log is written; until then the person waits, and the operator sees that (T9).
 */
import { type AppError, messageOf } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { sleep } from '../../core/lib/sleep.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { ContactDecision, ContactRef } from '../../core/puffo/contact-store.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { HeldContact } from '../fleet/first-contacts.ts';
import { createQuestionQuota, type QuestionQuota } from '../fleet/question-quota.ts';
import type { Problems } from '../problems.ts';

export interface NamedContact extends HeldContact {
  readonly displayName: string;
}

/** A waiting person, as one agent holds them. */
interface Held extends NamedContact {
  readonly agentId: string;
  readonly agentName: string;
  readonly contact: ContactRef;
}

export interface AskingAgent {
  readonly id: string;
  readonly name: string;
}

interface Open {
  readonly agentId: string;
  readonly ended: AbortController;
  /** Takes the question off the quota. */
  readonly uncount: () => void;
  /** The `decidedAt` that the question was asked with. */
  askedAt: number;
  /** The question ended, but its answer is not recorded yet. */
  isAnswered: boolean;
}

export interface ContactQuestionsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  /** ms since the epoch of the last decision about this person, or 0. */
  decidedAt(contact: ContactRef): number;
  /**
   * Logs, stores and applies a decision, unless the last decision is not the one of `askedAt` any more. Throws
   * `StoreError`.
   */
  decide(contact: ContactRef, decision: ContactDecision, askedAt: number): Promise<Result<unknown>>;
}

/** Pause in ms before what failed is tried again. */
const retryMs = 30_000;
/** Code points; a server may send names of any length. */
const namePoints = 60;
const quoted = (text: string): string => JSON.stringify(text);

export const contactKey = ({ server, slug }: ContactRef): string => `contact:${server} ${slug}`;

export class ContactQuestions {
  readonly #deps: ContactQuestionsDeps;
  /** By person, then agent id. */
  readonly #held = new Map<string, Map<string, Held>>();
  readonly #open = new Map<string, Open>();
  readonly #quota: QuestionQuota;
  #isStopped = false;

  constructor(deps: ContactQuestionsDeps) {
    this.#deps = deps;
    this.#quota = createQuestionQuota(deps.clock, () => this.#askNext());
  }

  isAsked(contact: ContactRef): boolean {
    return this.#open.has(contactKey(contact));
  }

  /** The agent whose question is open, or `null`. */
  askedBy(contact: ContactRef): string | null {
    return this.#open.get(contactKey(contact))?.agentId ?? null;
  }

  ask({ id, name }: AskingAgent, contact: ContactRef, held: NamedContact): void {
    const key = contactKey(contact);
    const byAgent = this.#held.get(key) ?? new Map<string, Held>();
    this.#held.set(key, byAgent.set(id, { ...held, agentId: id, agentName: name, contact }));
    this.#askNext();
  }

  /** This agent does not hold the person any more. */
  released(agentId: string, contact: ContactRef): void {
    const key = contactKey(contact);
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

  /**
   * The operator decided by a command; an answer that waits for its audit line does not apply any more. If the
   * person is forgotten, an open question is asked anew, because its answer would be outdated.
   */
  decided(contact: ContactRef, decision: ContactDecision): void {
    const key = contactKey(contact);
    if (decision !== 'unknown') this.#held.delete(key);
    const open = this.#open.get(key);
    if (open?.isAnswered || decision === 'unknown') open?.ended.abort();
  }

  /** Open questions continue at the next start, and so do answers that are not recorded yet. */
  stop(): void {
    this.#isStopped = true;
    this.#quota.stop();
    for (const { isAnswered, ended } of this.#open.values()) if (isAnswered) ended.abort();
  }

  #askNext(): void {
    if (this.#isStopped) return;
    for (const [key, byAgent] of this.#held) {
      const [held] = byAgent.values();
      if (!held || this.#open.has(key)) continue;
      if (!this.#quota.hasRoom(this.#open.size)) return;
      this.#begin(key, held);
    }
  }

  #begin(key: string, held: Held): void {
    const open: Open = {
      agentId: held.agentId,
      ended: new AbortController(),
      uncount: this.#quota.asked(),
      askedAt: 0,
      isAnswered: false,
    };
    this.#open.set(key, open);
    this.#follow(key, held, open).catch((error: unknown) => {
      this.#deps.log.error('contact_question_failed', { error });
      // The person keeps waiting, and their next message asks again.
      this.#close(key, open);
    });
  }

  async #follow(key: string, held: Held, open: Open): Promise<void> {
    open.askedAt = this.#deps.decidedAt(held.contact);
    const answer = await this.#deps.ask(questionOf(held, open.askedAt), open.ended.signal);
    if (!open.ended.signal.aborted) await this.#take(key, held.contact, open, answer);
    this.#close(key, open);
    this.#askNext();
  }

  async #take(key: string, contact: ContactRef, open: Open, answer: GateDecision): Promise<void> {
    open.isAnswered = true;
    // The question or its audit line could not be written: it is asked again.
    if (answer.type === 'deny' && answer.by === 'policy') {
      open.uncount();
      const message = say('contacts.questionFailed', { slug: contact.slug, reason: answer.reason });
      return this.#pause(key, open, message);
    }
    this.#held.delete(key);
    // Without an answer of the operator the person keeps waiting, and their next message asks again.
    if (answer.type === 'deny' && answer.by !== 'operator') return;
    const decision = answer.type === 'deny' ? 'blocked' : 'accepted';
    while (!open.ended.signal.aborted) {
      const failed = await this.#attempt(contact, decision, open.askedAt);
      if (!failed) return;
      this.#deps.log.error('contact_not_decided', { code: failed.code });
      const message = say('contacts.answerNotRecorded', { slug: contact.slug, reason: messageOf(failed) });
      await this.#pause(key, open, message);
    }
  }

  /** Shows the failure until the next try. */
  async #pause(key: string, { ended }: Open, message: HostText): Promise<void> {
    const { clock, problems } = this.#deps;
    problems.set(key, 'error', { message, hint: say('contacts.personStillWaits') });
    await sleep(clock, retryMs, ended.signal);
    problems.clear(key);
  }

  async #attempt(contact: ContactRef, decision: ContactDecision, askedAt: number): Promise<AppError | null> {
    try {
      const made = await this.#deps.decide(contact, decision, askedAt);
      return made.ok ? null : made.error;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return error.toAppError();
    }
  }

  #close(key: string, open: Open): void {
    if (this.#open.get(key) === open) this.#open.delete(key);
  }
}

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
    key: contactKey(contact),
    // A decision that was forgotten makes this another question, so that its old answer does not apply.
    args: { contact: slug, server, decidedAt },
    title: say('contacts.wantsToAnswer', { who: slug }),
    preview: { kind: 'text', body: `From: ${person}\nMessage: ${quoted(excerpt)}` },
    risk: 'medium',
    why: say('contacts.whyAsked'),
    where: server,
    rule: say('contacts.acceptPerson'),
    roomId: null,
    threadRootId: null,
  };
}
