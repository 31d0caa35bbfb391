/**
 * Holds direct messages from people unknown to the operator for one agent (T9). A held message is stored and
 * shown; the agent answers it once the operator accepts its sender. Its record is saved before the message is
 * stored, so a crash loses none.
 */
import { z } from 'zod';
import { messageText } from '../../core/agents/message-text.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Log } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { ContactDecision } from '../../core/puffo/contact-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Acquaintances } from './known-people.ts';
import { readStoredRecords } from './stored-records.ts';

/** The operator's decisions about the people who write to one agent. */
export interface OperatorContacts {
  /** Whether this is the operator, by key, or one of the operator's agents. */
  isOwn(slug: string): boolean;
  decisionOf(slug: string): ContactDecision | null;
  isAsked(slug: string): boolean;
  ask(held: HeldContact): void;
  /** Messages of this person are no longer held. */
  released(slug: string): void;
  /** The agent stopped. */
  stopped(): void;
}

export interface FirstContactDeps {
  readonly store: Pick<AccountStore, 'message' | 'decision' | 'reopen' | 'getValue' | 'setValue'>;
  readonly acquaintances: Acquaintances;
  readonly operator: OperatorContacts;
  readonly log: Log;
  isHolding(): boolean;
  /** Stored messages that need a turn. */
  accepted(messages: readonly StoredMessage[]): void;
}

export interface HeldContact {
  readonly slug: string;
  /** ms since the epoch. */
  readonly since: number;
  readonly messages: number;
  readonly excerpt: string;
}

const key = 'first_contacts';
/** Limits: people per agent, and messages per person that are answered later. */
const mostPeople = 200;
const mostHeld = 50;
const excerptPoints = 300;

const recordSchema = z.array(
  z.object({
    slug: z.string(),
    since: z.number(),
    messages: z.number(),
    excerpt: z.string(),
    held: z.array(z.string()),
  }),
);
type Waiting = z.infer<typeof recordSchema>[number];

export class FirstContacts {
  readonly #deps: FirstContactDeps;
  /** Senders that are checked now. */
  #looking: readonly string[] = [];
  #isStopped = false;
  #records: readonly Waiting[];

  constructor(deps: FirstContactDeps) {
    this.#deps = deps;
    this.#records = readStoredRecords(deps.store, key, recordSchema);
  }

  /** Decides before the message is stored. */
  contactOf({ senderSlug, kind }: StoredMessage): 'known' | 'unknown' | 'blocked' {
    const { operator, acquaintances, isHolding } = this.#deps;
    if (operator.isOwn(senderSlug)) return 'known';
    const decision = operator.decisionOf(senderSlug);
    if (decision === 'blocked') return 'blocked';
    if (kind !== 'dm' || decision === 'accepted' || !isHolding()) return 'known';
    return decision === null && acquaintances.isKnown(senderSlug) ? 'known' : 'unknown';
  }

  hold(message: StoredMessage, at: number): void {
    const before = this.#find(message.senderSlug);
    if (!before && this.#records.length >= mostPeople) return;
    this.#keep([...this.#without(message.senderSlug), holding(before, message, at)]);
  }

  /**
   * Call it after a held message was stored: checks whether its sender shares a channel, else asks the
   * operator.
   */
  stored(slug: string): void {
    const { operator, log } = this.#deps;
    if (!this.#find(slug) || this.#looking.includes(slug) || operator.isAsked(slug)) return;
    this.#looking = [...this.#looking, slug];
    this.#look(slug)
      .catch((error: unknown) => {
        log.warn('first_contact_failed', {
          code: error instanceof StoreError ? error.code : String(error),
        });
      })
      .finally(() => {
        this.#looking = this.#looking.filter((one) => one !== slug);
      });
  }

  /** Checks everyone who waits again, e.g. after a start or a change of settings. */
  resume(): void {
    const { operator, isHolding } = this.#deps;
    for (const { slug } of this.#records) {
      const decision = operator.decisionOf(slug);
      if (decision === 'blocked') this.#keep(this.#without(slug));
      else if (decision === 'accepted' || !isHolding()) this.release(slug);
      else this.stored(slug);
    }
  }

  /** Answers this person's messages; returns how many waited. */
  release(slug: string): number {
    const { store, operator, accepted } = this.#deps;
    const waiting = this.#find(slug);
    if (!waiting) return 0;
    const ids = waiting.held.filter((id) => store.decision(id)?.reason === 'first_contact');
    for (const id of ids) store.reopen(id, 'dm');
    accepted(ids.flatMap((id) => store.message(id) ?? []));
    this.#keep(this.#without(slug));
    operator.released(slug);
    return waiting.messages;
  }

  /** Never answers this person's messages. */
  drop(slug: string): void {
    if (this.#find(slug)) this.#keep(this.#without(slug));
  }

  list(): readonly HeldContact[] {
    return this.#records.map(shown);
  }

  stop(): void {
    this.#isStopped = true;
    this.#deps.operator.stopped();
  }

  async #look(slug: string): Promise<void> {
    const { operator, acquaintances } = this.#deps;
    const isMate = operator.decisionOf(slug) === null && (await acquaintances.sharesChannel(slug));
    if (this.#isStopped) return;
    if (isMate) this.release(slug);
    const waiting = this.#find(slug);
    if (waiting) operator.ask(shown(waiting));
  }

  #find(slug: string): Waiting | undefined {
    return this.#records.find((one) => one.slug === slug);
  }

  #without(slug: string): readonly Waiting[] {
    return this.#records.filter((one) => one.slug !== slug);
  }

  #keep(next: readonly Waiting[]): void {
    this.#deps.store.setValue(key, JSON.stringify(next));
    this.#records = next;
  }
}

function holding(before: Waiting | undefined, message: StoredMessage, at: number): Waiting {
  const { envelopeId, senderSlug } = message;
  const first = { since: at, excerpt: cutCodePoints(messageText(message).text, excerptPoints) };
  const { since, excerpt } = before ?? first;
  const earlier = (before?.held ?? []).filter((id) => id !== envelopeId);
  return {
    slug: senderSlug,
    since,
    excerpt,
    messages: (before?.messages ?? 0) + (before?.held.includes(envelopeId) ? 0 : 1),
    held: [...earlier, envelopeId].slice(-mostHeld),
  };
}

const shown = ({ slug, since, messages, excerpt }: Waiting): HeldContact => ({
  slug,
  since,
  messages,
  excerpt,
});
