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
import type { Acquaintances } from './acquaintances.ts';
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

export interface FirstContacts {
  /** Decides before the message is stored. */
  contactOf(message: StoredMessage): 'known' | 'unknown' | 'blocked';
  hold(message: StoredMessage, at: number): void;
  /**
   * Call it after a held message was stored: checks whether its sender shares a channel, else asks the
   * operator.
   */
  stored(slug: string): void;
  /** Checks everyone who waits again, e.g. after a start or a change of settings. */
  resume(): void;
  /** Answers this person's messages; returns how many waited. */
  release(slug: string): number;
  /** Leaves this person's messages unanswered for good. */
  drop(slug: string): void;
  list(): readonly HeldContact[];
  stop(): void;
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

export function createFirstContacts(deps: FirstContactDeps): FirstContacts {
  const { store, acquaintances, operator } = deps;
  const looking = new Set<string>();
  let isStopped = false;
  let records: readonly Waiting[] = readStoredRecords(store, key, recordSchema);

  const keep = (next: readonly Waiting[]): void => {
    store.setValue(key, JSON.stringify(next));
    records = next;
  };
  const without = (slug: string): readonly Waiting[] => records.filter((one) => one.slug !== slug);
  const isWaiting = (slug: string): boolean => records.some((one) => one.slug === slug);

  const contactOf: FirstContacts['contactOf'] = ({ senderSlug, kind }) => {
    if (operator.isOwn(senderSlug)) return 'known';
    const decision = operator.decisionOf(senderSlug);
    if (decision === 'blocked') return 'blocked';
    if (kind !== 'dm' || decision === 'accepted' || !deps.isHolding()) return 'known';
    return decision === null && acquaintances.isKnown(senderSlug) ? 'known' : 'unknown';
  };
  const release = (slug: string): number => {
    const waiting = records.find((one) => one.slug === slug);
    if (!waiting) return 0;
    const ids = waiting.held.filter((id) => store.decision(id)?.reason === 'first_contact');
    for (const id of ids) store.reopen(id, 'dm');
    deps.accepted(ids.flatMap((id) => store.message(id) ?? []));
    keep(without(slug));
    operator.released(slug);
    return waiting.messages;
  };
  const look = async (slug: string): Promise<void> => {
    const isMate = operator.decisionOf(slug) === null && (await acquaintances.sharesChannel(slug));
    if (isStopped) return;
    if (isMate) release(slug);
    const waiting = records.find((one) => one.slug === slug);
    if (waiting) operator.ask(shown(waiting));
  };
  const stored = (slug: string): void => {
    if (!isWaiting(slug) || looking.has(slug) || operator.isAsked(slug)) return;
    looking.add(slug);
    look(slug)
      .catch((error: unknown) => {
        deps.log.warn('first_contact_failed', {
          code: error instanceof StoreError ? error.code : String(error),
        });
      })
      .finally(() => looking.delete(slug));
  };

  return {
    contactOf,
    hold(message, at) {
      const before = records.find(({ slug }) => slug === message.senderSlug);
      if (!before && records.length >= mostPeople) return;
      keep([...without(message.senderSlug), holding(before, message, at)]);
    },
    stored,
    resume() {
      for (const { slug } of records) {
        const decision = operator.decisionOf(slug);
        if (decision === 'blocked') keep(without(slug));
        else if (decision === 'accepted' || !deps.isHolding()) release(slug);
        else stored(slug);
      }
    },
    release,
    drop: (slug) => {
      if (isWaiting(slug)) keep(without(slug));
    },
    list: () => records.map(shown),
    stop() {
      isStopped = true;
    },
  };
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
