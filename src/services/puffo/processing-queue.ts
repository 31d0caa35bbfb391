/**
 * Reports an account's processing runs to the server, in order, one at a time. It promises that a lost call
 * is repeated with the same run ids, which a server counts once; that the start of an ended run is not
 * reported afterwards; and that unsent calls stay bounded and block nothing.
 */
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import type { Log, Random, Timer } from '../../core/ports.ts';
import { isTransient, type RequestError } from './request-error.ts';
import type { Wheel } from './timer-wheel.ts';

export interface ProcessingCall {
  readonly target: string;
  readonly body: object;
  /** The run whose start it reports, or `null` for the end of runs. */
  readonly begins: string | null;
}

export interface ProcessingQueueDeps {
  readonly wheel: Wheel;
  readonly random: Random;
  readonly log: Log;
  /** Resolves with `null` if the server accepted the call. */
  send(call: ProcessingCall): Promise<RequestError | null>;
  /** Called after a delayed report: it may have outdated the status sent meanwhile. */
  onLate(): void;
}

export interface ProcessingQueue {
  add(call: ProcessingCall): void;
  /** Drops the queued start reports of these ended runs. */
  forget(runIds: readonly string[]): void;
  online(): void;
  offline(): void;
}

/** Maximum queued calls; beyond that the oldest are dropped. */
const most = 500;
const retry: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000 };

export function createProcessingQueue(deps: ProcessingQueueDeps): ProcessingQueue {
  const waiting: ProcessingCall[] = [];
  let online = false;
  let sending = false;
  let fails = 0;
  let again: Timer | null = null;

  const tell = async (call: ProcessingCall): Promise<void> => {
    const error = await deps.send(call);
    if (error && isTransient(error)) {
      fails += 1;
      const wait = Math.max(error.retryAfterMs ?? 0, backoffMs(retry, fails - 1, deps.random.fraction()));
      again = deps.wheel.after(wait, () => {
        again = null;
        flush();
      });
      return;
    }
    if (error) deps.log.debug('status.not_told', { target: call.target, code: error.code });
    const at = waiting.indexOf(call);
    if (at >= 0) waiting.splice(at, 1);
    if (fails > 0 && waiting.length === 0) {
      fails = 0;
      deps.onLate();
    }
  };
  const flush = (): void => {
    const [next] = waiting;
    if (!online || sending || again || !next) return;
    sending = true;
    void tell(next).finally(() => {
      sending = false;
      flush();
    });
  };

  return {
    add(call) {
      waiting.push(call);
      if (waiting.length > most) waiting.splice(0, waiting.length - most);
      flush();
    },
    forget(runIds) {
      const over = new Set(runIds);
      for (const call of waiting.filter(({ begins }) => begins !== null && over.has(begins))) {
        waiting.splice(waiting.indexOf(call), 1);
      }
    },
    online() {
      online = true;
      flush();
    },
    offline() {
      online = false;
      again?.cancel();
      again = null;
      if (waiting.length > 0) fails = Math.max(fails, 1);
    },
  };
}
