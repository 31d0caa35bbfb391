/**
 * Reports the account's status to the server (spec §6.5): a heartbeat at once and then each minute, changes
 * at most every ten seconds, processing runs as they start and end. All best effort: nothing waits for it or
 * fails because of it. Messages that Kennel itself created for the agent are never named to the server.
 */
import { z } from 'zod';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Clock, Log, Random, Timer } from '../../core/ports.ts';
import type { AccountStatus, ProcessingRun } from '../../core/puffo/account-port.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import { createProcessingQueue, type ProcessingQueue } from './processing-queue.ts';
import { isTransient } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import type { Wheel } from './timer-wheel.ts';

export interface StatusDeps {
  readonly client: SignedClient;
  readonly wheel: Wheel;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** ms between heartbeats; a minute when absent. */
  readonly beatMs?: number | undefined;
}

const usualBeatMs = 60_000;
/** The server accepts at most one heartbeat in this time. */
const spacingMs = 10_000;
const errorTextLimit = 1_024;
/** A server refuses a longer batch as a whole. */
const batchSize = 200;

const anything = z.unknown();

const sameStatus = (a: AccountStatus, b: AccountStatus): boolean => JSON.stringify(a) === JSON.stringify(b);

function heartbeat(status: AccountStatus): Record<string, string> {
  if (status.status === 'busy') {
    return isLocalEnvelopeId(status.messageId)
      ? { status: 'busy' }
      : { status: 'busy', current_message_id: status.messageId };
  }
  if (status.status === 'error') {
    return { status: 'error', error_text: cutCodePoints(status.errorText, errorTextLimit) };
  }
  return { status: 'idle' };
}

const endBody = (run: ProcessingRun) => ({
  run_id: run.runId,
  succeeded: run.succeeded,
  ...(run.errorText === undefined ? {} : { error_text: cutCodePoints(run.errorText, errorTextLimit) }),
});

const runPath = (messageId: string, what: 'start' | 'end'): string =>
  `/messages/${encodeURIComponent(messageId)}/processing/${what}`;

/** A single run has a route of its own. */
function endCall(runs: readonly ProcessingRun[]): { readonly target: string; readonly body: object } {
  const [first] = runs;
  if (runs.length === 1 && first) return { target: runPath(first.messageId, 'end'), body: endBody(first) };
  const body = { runs: runs.map((run) => ({ ...endBody(run), message_id: run.messageId })) };
  return { target: '/messages/processing/end:batch', body };
}

export class StatusReporter {
  readonly #deps: StatusDeps;
  /** Created with the first run. */
  #runs: ProcessingQueue | null = null;
  #status: AccountStatus = { status: 'idle' };
  #online = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #next: Timer | null = null;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
  }

  set(status: AccountStatus): void {
    if (sameStatus(status, this.#status)) return;
    this.#status = status;
    if (this.#online) this.#beatWithin(0);
  }

  online(): void {
    this.#online = true;
    this.#beatWithin(0);
    this.#runs?.online();
  }

  offline(): void {
    this.#online = false;
    this.#next?.cancel();
    this.#runs?.offline();
  }

  processingStarted({ runId, messageId }: { readonly runId: string; readonly messageId: string }): void {
    if (isLocalEnvelopeId(messageId)) return;
    this.#queue().add({ target: runPath(messageId, 'start'), body: { run_id: runId }, begins: runId });
  }

  processingEnded(all: readonly ProcessingRun[]): void {
    const runs = all.filter(({ messageId }) => !isLocalEnvelopeId(messageId));
    // A run that was never announced counts as started and ended now.
    this.#queue().forget(runs.map(({ runId }) => runId));
    for (let at = 0; at < runs.length; at += batchSize) {
      this.#queue().add({ ...endCall(runs.slice(at, at + batchSize)), begins: null });
    }
  }

  #queue(): ProcessingQueue {
    if (this.#runs) return this.#runs;
    this.#runs = createProcessingQueue({
      ...this.#deps,
      send: async ({ target, body }) => {
        const answer = await this.#deps.client.json('POST', target, anything, { body });
        return answer.ok ? null : answer.error;
      },
      onLate: () => {
        if (this.#online) this.#beatWithin(0);
      },
    });
    if (this.#online) this.#runs.online();
    return this.#runs;
  }

  /** Sends a heartbeat after `ms`, or later if the spacing requires it. */
  #beatWithin(ms: number): void {
    this.#next?.cancel();
    const wait = Math.max(ms, this.#sentAt + spacingMs - this.#deps.clock.monotonic());
    if (wait <= 0) this.#beat();
    else this.#next = this.#deps.wheel.after(wait, () => this.#beat());
  }

  #beat(): void {
    if (!this.#online) return;
    this.#sentAt = this.#deps.clock.monotonic();
    void this.#send(heartbeat(this.#status));
    const jitter = 0.9 + 0.1 * this.#deps.random.fraction();
    this.#next = this.#deps.wheel.after((this.#deps.beatMs ?? usualBeatMs) * jitter, () => this.#beat());
  }

  /**
   * Retries a lost heartbeat with the status at that time; one refused as too frequent is covered by the next
   * regular heartbeat.
   */
  async #send(body: object): Promise<void> {
    const answer = await this.#deps.client.json('POST', '/agents/me/heartbeat', anything, { body });
    if (answer.ok) return;
    this.#deps.log.debug('status.not_told', { target: 'heartbeat', code: answer.error.code });
    const { error } = answer;
    const lost = isTransient(error) && error.code !== 'rate_limited';
    if (this.#online && lost) this.#beatWithin(spacingMs);
  }
}
