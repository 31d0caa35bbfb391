/**
 * Feeds the inbox: first the messages queued on the server, then live frames, those of one tick as one batch.
 * Acknowledges what the inbox names, over HTTP in small chunks after a catch-up and over the socket
 * afterwards, and fetches undecided messages again (spec §2.5).
 */

import { setImmediate as breathe } from 'node:timers/promises';
import { z } from 'zod';
import { backoffMs } from '../../core/lib/backoff.ts';
import type { Log, Random, Timer } from '../../core/ports.ts';
import type { BatchOutcome, MessageIntake } from '../../core/puffo/message-intake.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { PuffoSocket } from './socket.ts';
import type { Wheel } from './timer-wheel.ts';

export interface InboxFeedDeps {
  /** Called only if a message arrived. */
  inbox(): Pick<MessageIntake, 'accept'>;
  readonly client: SignedClient;
  readonly wheel: Wheel;
  readonly random: Random;
  readonly log: Log;
  /** Called after commit and acknowledgement; the next batch waits for it. */
  onAccepted(messages: readonly StoredMessage[]): Promise<void>;
}

const pageSchema = z.looseObject({
  messages: z.array(z.looseObject({ seq: z.number().int().nonnegative().optional(), envelope: z.unknown() })),
  /** Only some servers paginate; the others send everything at once. */
  has_more: z.boolean().optional(),
});
type Page = z.infer<typeof pageSchema>;

const batchSize = 128;
const ackChunk = 25;
/** Maximum live frames queued in memory; further ones stay on the server and are fetched. */
const maxWaiting = 4_096;
const maxWaitingBytes = 4 * 1024 * 1024;
const maxPendingBytes = 64 * 1024 * 1024;
const refetchPolicy = { firstMs: 5_000, maxMs: 60_000 };

export class InboxFeed {
  readonly #deps: InboxFeedDeps;
  #socket: PuffoSocket | null = null;
  #ending = new AbortController();
  #waiting: unknown[] = [];
  #waitingBytes = 0;
  #fetchDue = false;
  #pumping: Promise<void> | null = null;
  #refetch: Timer | null = null;
  #failures = 0;

  constructor(deps: InboxFeedDeps) {
    this.#deps = deps;
  }

  /** Called for a new connection: fetches the queue on the server first. */
  connected(socket: PuffoSocket): void {
    this.#socket = socket;
    this.#ending = new AbortController();
    this.#failures = 0;
    this.fetch();
  }

  /** Aborts running requests; a running batch finishes. */
  disconnected(): void {
    this.#socket = null;
    this.#ending.abort();
    this.#fetchDue = false;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#refetch?.cancel();
    this.#refetch = null;
  }

  /** Resolves when no batch is being handled any more. */
  async stop(): Promise<void> {
    this.disconnected();
    await this.#pumping;
  }

  offer(envelope: unknown, bytes: number): void {
    if (this.#waiting.length >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes) {
      this.#fetchDue = true;
      return;
    }
    this.#waiting.push(envelope);
    this.#waitingBytes += bytes;
    this.#pump();
  }

  fetch(): void {
    this.#fetchDue = true;
    this.#pump();
  }

  #pump(): void {
    this.#pumping ??= this.#run().finally(() => {
      this.#pumping = null;
      if (this.#socket && (this.#fetchDue || this.#waiting.length > 0)) this.#pump();
    });
  }

  async #run(): Promise<void> {
    await breathe();
    while (this.#socket) {
      if (this.#waiting.length > 0 && !this.#fetchDue) await this.#live(this.#socket);
      else if (this.#fetchDue) await this.#catchUp(this.#socket);
      else return;
    }
  }

  async #live(socket: PuffoSocket): Promise<void> {
    const batch = this.#waiting.splice(0, batchSize);
    if (this.#waiting.length === 0) this.#waitingBytes = 0;
    const outcome = await this.#deps.inbox().accept(batch);
    socket.acknowledge(outcome.acknowledge);
    await this.#settle(outcome);
  }

  async #catchUp(socket: PuffoSocket): Promise<void> {
    this.#fetchDue = false;
    let after: number | null = null;
    while (this.#socket === socket) {
      const page = await this.#page(after);
      if (!page.ok) {
        this.#deps.log.info('intake.fetch_failed', { code: page.error.code });
        this.#fetchLater();
        return;
      }
      const { messages } = page.value;
      for (let at = 0; at < messages.length; at += batchSize) {
        const slice = messages.slice(at, at + batchSize);
        const outcome = await this.#deps.inbox().accept(slice.map(({ envelope }) => envelope));
        await this.#acknowledge(outcome.acknowledge, socket);
        await this.#settle(outcome);
      }
      const last: number | null = messages.at(-1)?.seq ?? null;
      if (page.value.has_more !== true || last === null || last <= (after ?? -1)) return;
      after = last;
    }
  }

  #page(after: number | null): Promise<{ ok: true; value: Page } | { ok: false; error: RequestError }> {
    const target = after === null ? '/messages/pending' : `/messages/pending?after=${after}`;
    return this.#deps.client.json('GET', target, pageSchema, {
      maxBytes: maxPendingBytes,
      deadlineMs: 60_000,
      signal: this.#ending.signal,
    });
  }

  /** An unacknowledged message arrives again and is then known, so failures here cost only that. */
  async #acknowledge(ids: readonly string[], socket: PuffoSocket): Promise<void> {
    for (let at = 0; at < ids.length; at += ackChunk) {
      const chunk = ids.slice(at, at + ackChunk);
      const answer = await this.#deps.client.json('POST', '/messages/ack', z.unknown(), {
        body: { envelope_ids: chunk },
        signal: this.#ending.signal,
      });
      if (!answer.ok) socket.acknowledge(chunk);
    }
  }

  async #settle(outcome: BatchOutcome): Promise<void> {
    if (outcome.deferred > 0) this.#fetchLater();
    else this.#failures = 0;
    if (outcome.accepted.length > 0) await this.#deps.onAccepted(outcome.accepted);
  }

  #fetchLater(): void {
    if (!this.#socket || this.#refetch) return;
    const wait = backoffMs(refetchPolicy, this.#failures, this.#deps.random.fraction());
    this.#failures += 1;
    this.#refetch = this.#deps.wheel.after(wait, () => {
      this.#refetch = null;
      this.fetch();
    });
  }
}
