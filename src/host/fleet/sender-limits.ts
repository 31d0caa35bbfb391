/**
 * Limits how many messages of one sender wake an agent per hour (T27). The operator and the operator's agents
 * are exempt. Counts come from the store, so a restart does not reset them; a sender over the limit gets one
 * notice per hour.
 */
import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AccountStore, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

export interface SenderLimitDeps {
  readonly store: Pick<AccountStore, 'queries' | 'getValue' | 'setValue'>;
  /** ms since the epoch. */
  now(): number;
  /** Messages per sender and hour. */
  limit(): number;
  isOwn(slug: string): boolean;
}

export interface SenderLimits {
  /** Counts a message that would wake the agent; rejects it over the limit. */
  apply(message: StoredMessage, decision: TriggerDecision): TriggerDecision;
  /** ms since the epoch from which the sender is answered again, or `null` if the sender was already told. */
  tell(slug: string): number | null;
}

const hourMs = 3_600_000;
const key = 'sender_limits';
/** Capacity of the LRU cache of senders. */
const mostSenders = 256;

/** Notified senders, oldest first. */
const recordSchema = z.array(z.object({ slug: z.string(), at: z.number() }));

interface Waking {
  /** `null` if read from the store. */
  readonly id: string | null;
  /** ms since the epoch. */
  readonly at: number;
}

export function createSenderLimits(deps: SenderLimitDeps): SenderLimits {
  return new StoredSenderLimits(deps);
}

class StoredSenderLimits implements SenderLimits {
  readonly #deps: SenderLimitDeps;
  /**
   * Waking messages of the last hour, oldest first, by sender in LRU order; created with the first message.
   */
  #woken: Map<string, readonly Waking[]> | null = null;

  constructor(deps: SenderLimitDeps) {
    this.#deps = deps;
  }

  apply(message: StoredMessage, decision: TriggerDecision): TriggerDecision {
    const { isOwn, limit, now } = this.#deps;
    const { senderSlug } = message;
    if (!decision.react || isOwn(senderSlug)) return decision;
    // After a store fault the same message comes again; it counts once.
    const times = this.#recent(senderSlug).filter(({ id }) => id !== message.envelopeId);
    if (times.length >= limit()) {
      this.#remember(senderSlug, times);
      return { ...decision, react: false, reason: 'sender_limit' };
    }
    this.#remember(senderSlug, [...times, { id: message.envelopeId, at: now() }]);
    return decision;
  }

  tell(slug: string): number | null {
    const { store, now } = this.#deps;
    const at = now();
    const told = read(store);
    if (told.some((one) => one.slug === slug && at - one.at < hourMs)) return null;
    const others = told.filter((one) => one.slug !== slug && at - one.at < hourMs);
    store.setValue(key, JSON.stringify([...others, { slug, at }].slice(-mostSenders)));
    return (this.#recent(slug)[0]?.at ?? at) + hourMs;
  }

  #recent(slug: string): readonly Waking[] {
    const { store, now, limit } = this.#deps;
    const since = now() - hourMs;
    const stored = () => store.queries.wokenBy(slug, since, limit()).map((at) => ({ id: null, at }));
    return (this.#woken?.get(slug) ?? stored()).filter(({ at }) => at > since);
  }

  #remember(slug: string, times: readonly Waking[]): void {
    this.#woken ??= new Map();
    this.#woken.delete(slug);
    this.#woken.set(slug, times);
    const quietest = this.#woken.size > mostSenders ? this.#woken.keys().next().value : undefined;
    if (quietest !== undefined) this.#woken.delete(quietest);
  }
}

function read(store: Pick<AccountStore, 'getValue'>): z.infer<typeof recordSchema> {
  const text = store.getValue(key);
  return text === null ? [] : (jsonAs(recordSchema, text) ?? []);
}

const minutesUntil = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 60_000));

/** Sent once in the conversation. */
export function limitNotice(limit: number, until: number, now: number): string {
  const minutes = minutesUntil(until, now);
  return `I answer at most ${limit} messages of one person in an hour, so I did not answer this one. Write again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}
