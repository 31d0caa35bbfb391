/**
 * Sends the store's outbox: in order within a room, independently across rooms, with back-off if the server
 * cannot take a message now, and with a reason for the user if it never will.
 */

import { messageOf } from '../../contract/errors.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { assertNever } from '../../core/lib/assert.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Log } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { contentToSeal } from '../../core/puffo/message-files.ts';
import type { OutboxRow } from '../../core/puffo/stored-message.ts';
import { say } from '../../language/say.ts';
import type { AccountEvents } from './account-types.ts';
import type { DeliveryFault } from './delivery-fault.ts';
import type { RetryTimer } from './retry-timer.ts';
import type { MessageDelivery } from './seal-and-send.ts';
import type { Uploads } from './uploads.ts';

export interface OutboxSending {
  readonly delivery: Pick<MessageDelivery, 'deliver'>;
  readonly uploads: Uploads;
}

export interface OutboxDeps {
  readonly store: AccountStore;
  /** Called only if a message waits. */
  sending(): OutboxSending;
  readonly retry: RetryTimer;
  readonly log: Log;
  readonly events: Pick<AccountEvents, 'onOutbox' | 'onStoreFault'>;
}

type Outcome = 'settled' | 'room_waits' | 'all_wait';

export const outboxRetry = { firstMs: 1_000, maxMs: 60_000 };

const roomOf = (row: OutboxRow): string => row.channelId ?? dmRoomId(row.recipientSlug ?? '');

export class Outbox {
  readonly #deps: OutboxDeps;
  #running: Promise<void> | null = null;
  #again = false;
  /** Resolves when the running upload ends; files of one message at a time. */
  #uploading: Promise<void> | null = null;
  #uploadFailures = 0;
  #stopped = false;
  #failures = 0;
  #waitAtLeastMs = 0;
  #online = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  online(): void {
    this.#online = true;
    this.kick();
  }

  /** Sends nothing until `online`. */
  offline(): void {
    this.#online = false;
  }

  /** Sends whatever is queued; cheap to call at any time. */
  kick(): void {
    this.#again = true;
    if (this.#running || this.#stopped) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#again) this.kick();
    });
  }

  /** Fails all queued messages visibly, because another program may have sent the same (F18). */
  giveUp(): void {
    const { store, events } = this.#deps;
    const text = say('server.sentElsewhere');
    try {
      for (const { envelopeId } of store.openOutbox()) {
        store.outboxSettled(envelopeId, 'failed', text);
        events.onOutbox(envelopeId, 'failed', text);
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      events.onStoreFault?.(error.toAppError());
    }
  }

  /** Resolves when no send is running any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#deps.retry.cancel();
    await Promise.all([this.#running, this.#uploading]);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped && this.#online) {
      this.#again = false;
      this.#deps.retry.cancel();
      const complete = await this.#pass();
      this.#failures = complete ? 0 : this.#failures + 1;
      if (!complete) this.#retryLater(this.#failures - 1);
    }
    this.#again = false;
  }

  /** Tries every message once; returns false if one must wait. */
  async #pass(): Promise<boolean> {
    const waiting = new Set<string>();
    const uploading = new Set<string>();
    this.#waitAtLeastMs = 0;
    try {
      for (const row of this.#deps.store.openOutbox()) {
        if (this.#stopped) return true;
        if (waiting.has(roomOf(row)) || uploading.has(roomOf(row))) continue;
        if (this.#deps.sending().uploads.needed(row)) {
          uploading.add(roomOf(row));
          this.#upload(row);
          continue;
        }
        const outcome = await this.#one(row);
        if (outcome === 'all_wait') return false;
        if (outcome === 'room_waits') waiting.add(roomOf(row));
        else if (outcome !== 'settled') assertNever(outcome);
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.events.onStoreFault?.(error.toAppError());
      return false;
    }
    return waiting.size === 0;
  }

  /** Runs beside the messages of other rooms; its own room continues when the files are uploaded. */
  #upload(row: OutboxRow): void {
    if (this.#uploading) return;
    this.#uploading = this.#uploadFiles(row).then((settled) => {
      this.#uploading = null;
      this.#uploadFailures = settled ? 0 : this.#uploadFailures + 1;
      if (settled) this.kick();
      else this.#retryLater(this.#uploadFailures - 1);
    });
  }

  async #uploadFiles(row: OutboxRow): Promise<boolean> {
    try {
      const uploaded = await this.#deps.sending().uploads.run(row);
      return uploaded.ok || this.#failed(row, uploaded.error) === 'settled';
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.events.onStoreFault?.(error.toAppError());
      return false;
    }
  }

  async #one(row: OutboxRow): Promise<Outcome> {
    const { store, events } = this.#deps;
    const { delivery, uploads } = this.#deps.sending();
    const sent = await delivery.deliver({ ...row, content: contentToSeal(row) });
    if (!sent.ok) return this.#failed(row, sent.error);
    const note = sent.value ?? null;
    store.outboxSettled(row.envelopeId, 'sent', note);
    uploads.done(row);
    events.onOutbox(row.envelopeId, 'sent', note);
    return 'settled';
  }

  #failed(row: OutboxRow, fault: DeliveryFault): Outcome {
    const { store, log, events } = this.#deps;
    log.info('outbox.not_sent', { id: row.envelopeId, code: fault.error.code, transient: fault.transient });
    if (!fault.transient) {
      const text = messageOf(fault.error);
      store.outboxSettled(row.envelopeId, 'failed', text);
      events.onOutbox(row.envelopeId, 'failed', text);
      return 'settled';
    }
    if (!this.#stopped) store.outboxAttempted(row.envelopeId, messageOf(fault.error));
    return this.#wait(fault);
  }

  #wait(fault: DeliveryFault): Outcome {
    this.#waitAtLeastMs = Math.max(this.#waitAtLeastMs, fault.retryAfterMs ?? 0);
    return fault.unreachable ? 'all_wait' : 'room_waits';
  }

  #retryLater(failures: number): void {
    if (this.#stopped) return;
    this.#deps.retry.plan(failures, this.#waitAtLeastMs, () => this.kick());
  }
}
