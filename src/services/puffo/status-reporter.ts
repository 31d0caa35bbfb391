/**
 * Tells the server what the account does (spec §6.5): a heartbeat at once and then each minute, news at most every ten
 * seconds, processing runs as they begin and end. All best effort: nothing waits for it, nothing fails by it.
 */
import { z } from 'zod';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { AccountStatus, Clock, Log, ProcessingRun, Random, Timer } from '../../core/ports.ts';
import type { SignedClient } from './signed-client.ts';
import type { Wheel } from './wheel.ts';

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
/** The server takes no more than one heartbeat in this time. */
const spacingMs = 10_000;
const errorTextLimit = 1_024;

const anything = z.unknown();

const sameStatus = (a: AccountStatus, b: AccountStatus): boolean => JSON.stringify(a) === JSON.stringify(b);

function heartbeat(status: AccountStatus): Record<string, string> {
  if (status.status === 'busy') return { status: 'busy', current_message_id: status.messageId };
  if (status.status === 'error') {
    return { status: 'error', error_text: cutCodePoints(status.errorText, errorTextLimit) };
  }
  return { status: 'idle' };
}

const runBody = (run: ProcessingRun) => ({
  run_id: run.runId,
  message_id: run.messageId,
  succeeded: run.succeeded,
  ...(run.errorText === undefined ? {} : { error_text: cutCodePoints(run.errorText, errorTextLimit) }),
});

export class StatusReporter {
  readonly #deps: StatusDeps;
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
  }

  offline(): void {
    this.#online = false;
    this.#next?.cancel();
  }

  processingStarted(run: { readonly runId: string; readonly messageId: string }): void {
    this.#tell(`/messages/${encodeURIComponent(run.messageId)}/processing/start`, { run_id: run.runId });
  }

  processingEnded(runs: readonly ProcessingRun[]): void {
    if (runs.length > 0) this.#tell('/messages/processing/end:batch', { runs: runs.map(runBody) });
  }

  /** As soon as the spacing allows, but not before `ms`. */
  #beatWithin(ms: number): void {
    this.#next?.cancel();
    const wait = Math.max(ms, this.#sentAt + spacingMs - this.#deps.clock.monotonic());
    if (wait <= 0) this.#beat();
    else this.#next = this.#deps.wheel.after(wait, () => this.#beat());
  }

  #beat(): void {
    if (!this.#online) return;
    this.#sentAt = this.#deps.clock.monotonic();
    this.#tell('/agents/me/heartbeat', heartbeat(this.#status));
    const jitter = 0.9 + 0.1 * this.#deps.random.fraction();
    this.#next = this.#deps.wheel.after((this.#deps.beatMs ?? usualBeatMs) * jitter, () => this.#beat());
  }

  #tell(target: string, body: object): void {
    if (!this.#online) return;
    void this.#deps.client.json('POST', target, anything, { body }).then((answer) => {
      if (!answer.ok) this.#deps.log.debug('status.not_told', { target, code: answer.error.code });
    });
  }
}
