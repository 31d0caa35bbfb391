/**
 * Turns received envelopes into stored messages: known ones skip all cryptography, the others are opened
 * against the sender's verified identity, and a batch becomes one commit. Only durably stored or finally
 * refused envelopes are acknowledged (spec §2.5, T6).
 */

import type { AppError } from '../../contract/errors.ts';
import { StoreError } from '../lib/store-error.ts';
import type { Clock } from '../ports.ts';
import type { AcceptRow, AccountStore, TriggerDecision } from './account-store.ts';
import { SecondLook } from './delayed-refusal.ts';
import { envelopeRoute } from './envelope.ts';
import { isLocalEnvelopeId } from './ids.ts';
import { type Arrival, type EnvelopeVerdict, type JudgeDeps, judgeEnvelope } from './judge-envelope.ts';
import type { StoredMessage } from './stored-message.ts';

/** Decides which messages need a turn. */
export interface InboxTriggers {
  /** Loads what `decide` needs for these messages. Never fails; bounded in time. */
  prepare(messages: readonly StoredMessage[]): Promise<void>;
  decide(message: StoredMessage): TriggerDecision;
}

export interface IntakeEvents {
  onRefused(reason: string): void;
  onHeld(message: { readonly envelopeId: string; readonly senderSlug: string }): void;
  onStoreFault(error: AppError): void;
}

export interface MessageIntakeDeps {
  readonly judge: JudgeDeps;
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly triggers: InboxTriggers;
  readonly events: IntakeEvents;
  /** Lets other work of the event loop run. */
  readonly breathe: () => Promise<unknown>;
}

export interface BatchOutcome {
  /** Stored (now or before) or refused for good: the server may delete them. */
  readonly acknowledge: readonly string[];
  /** New in the store, in the order of the batch. */
  readonly accepted: readonly StoredMessage[];
  /**
   * Number of undecided envelopes, because the registry lags or store or registry is unavailable: fetch them
   * again later.
   */
  readonly deferred: number;
  /** Number of envelopes left on the server until a person confirms the sender's changed root. */
  readonly held: number;
}

interface Claimed extends Arrival {
  readonly envelopeId: string;
}

/** Envelopes opened before yielding to the event loop: a few ms. */
const openedAtOnce = 24;

const ownDecision: TriggerDecision = { react: false, reason: 'own', priority: 3 };

export class MessageIntake {
  readonly #deps: MessageIntakeDeps;
  readonly #secondLook: SecondLook;

  constructor(deps: MessageIntakeDeps) {
    this.#deps = deps;
    this.#secondLook = new SecondLook(deps.clock);
  }

  /** Never rejects for faults of the disk or the server. */
  async accept(envelopes: readonly unknown[]): Promise<BatchOutcome> {
    try {
      return await this.#accept(envelopes);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.events.onStoreFault(error.toAppError());
      return { acknowledge: [], accepted: [], deferred: envelopes.length, held: 0 };
    }
  }

  async #accept(envelopes: readonly unknown[]): Promise<BatchOutcome> {
    const acknowledge = new Set<string>();
    const arrivals = this.#sortOut(envelopes, acknowledge);
    const known = this.#deps.store.known([...new Set(arrivals.map(({ envelopeId }) => envelopeId))]);
    const opened = new Map<string, Omit<AcceptRow, 'decision'>>();
    let deferred = 0;
    let held = 0;
    const open = arrivals.filter(({ envelopeId }) => !known.has(envelopeId));
    for await (const { envelopeId, verdict } of this.#verdicts(open, opened)) {
      if (verdict.type === 'message')
        opened.set(envelopeId, { message: verdict.message, nonce: verdict.nonce });
      else if (verdict.type === 'deferred') deferred += 1;
      else if (verdict.type === 'held') held += 1;
      else acknowledge.add(envelopeId);
    }
    await this.#deps.triggers.prepare([...opened.values()].map(({ message }) => message));
    const rows = [...opened.values()].map((row) => ({ ...row, decision: this.#decide(row.message) }));
    const accepted = rows.length === 0 ? [] : this.#deps.store.accept(rows);
    if (accepted.length < rows.length) this.#refuseReplays([...opened.keys()]);
    for (const id of [...known, ...opened.keys()]) acknowledge.add(id);
    return { acknowledge: [...acknowledge], accepted, deferred, held };
  }

  /** Extracts the routes of a batch; refuses envelopes without a valid one. */
  #sortOut(envelopes: readonly unknown[], acknowledge: Set<string>): readonly Claimed[] {
    return envelopes.flatMap((raw) => {
      const route = envelopeRoute(raw);
      if (route.ok && !isLocalEnvelopeId(route.value.envelopeId)) {
        const { envelopeId, senderSlug, encrypted } = route.value;
        return [{ envelopeId, raw, senderSlug, encrypted }];
      }
      this.#refuse((route.ok ? null : route.error.where) ?? 'malformed');
      const id = idOf(raw);
      if (id !== null) acknowledge.add(id);
      return [];
    });
  }

  /** A forged copy does not block the genuine one after it: only ids in `done` are skipped. */
  async *#verdicts(
    arrivals: readonly Claimed[],
    done: ReadonlyMap<string, unknown>,
  ): AsyncGenerator<{ readonly envelopeId: string; readonly verdict: EnvelopeVerdict }> {
    const { clock } = this.#deps;
    const beganAt = clock.monotonic();
    const batchAgeMs = (): number => clock.monotonic() - beganAt;
    let count = 0;
    for (const arrival of arrivals) {
      const { envelopeId, senderSlug } = arrival;
      if (done.has(envelopeId)) continue;
      count += 1;
      if (count % openedAtOnce === 0) await this.#deps.breathe();
      const judged = await judgeEnvelope(this.#deps.judge, arrival, clock.now(), batchAgeMs);
      const verdict = this.#lookedAtTwice(envelopeId, judged);
      if (verdict.type === 'refused') this.#refuse(verdict.reason);
      if (verdict.type === 'held') this.#deps.events.onHeld({ envelopeId, senderSlug });
      yield { envelopeId, verdict };
    }
  }

  #lookedAtTwice(envelopeId: string, verdict: EnvelopeVerdict): EnvelopeVerdict {
    const doubtful = verdict.type === 'refused' && verdict.mayBeNews;
    if (doubtful && this.#secondLook.due(envelopeId)) return { type: 'deferred' };
    if (!doubtful) this.#secondLook.settled(envelopeId);
    return verdict;
  }

  #decide(message: StoredMessage): TriggerDecision {
    return message.senderSlug === this.#deps.judge.identity.slug
      ? ownDecision
      : this.#deps.triggers.decide(message);
  }

  /** Refuses ids that the store did not keep: it already holds their payloads under another id (T6). */
  #refuseReplays(ids: readonly string[]): void {
    const kept = this.#deps.store.known(ids);
    for (const id of ids) if (!kept.has(id)) this.#refuse('replayed');
  }

  #refuse(reason: string): void {
    this.#deps.store.countRefused(reason);
    this.#deps.events.onRefused(reason);
  }
}

/** The id of something that is not an envelope, so that the server can delete it. */
function idOf(raw: unknown): string | null {
  if (raw === null || typeof raw !== 'object' || !('envelope_id' in raw)) return null;
  const id = raw.envelope_id;
  return typeof id === 'string' && id.length > 0 && id.length <= 200 ? id : null;
}
