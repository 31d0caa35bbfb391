/**
 * Brings what an account says of its runs over messages to the server, in order, one at a time. It promises that a call
 * lost on the way is made again with the same run ids, which a server counts once; that a run which is over is not
 * announced as begun afterwards; and that what cannot be told stays bounded and holds up nothing.
 */
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import type { Log, Random, Timer } from '../../core/ports.ts';
import { isTransient, type RequestError } from './request-error.ts';
import type { Wheel } from './wheel.ts';

export interface ProcessingCall {
  readonly target: string;
  readonly body: object;
  /** The run that it announces as begun; null for the end of runs. */
  readonly begins: string | null;
}

export interface ProcessingQueueDeps {
  readonly wheel: Wheel;
  readonly random: Random;
  readonly log: Log;
  /** Null: the server took it. */
  send(call: ProcessingCall): Promise<RequestError | null>;
  /** Something was told later than it happened: the status told meanwhile may be outdated by it. */
  onLate(): void;
}

export interface ProcessingQueue {
  add(call: ProcessingCall): void;
  /** These runs are over: whatever was to announce their beginning is not needed any more. */
  forget(runIds: readonly string[]): void;
  online(): void;
  offline(): void;
}

/** Calls that wait; beyond that the oldest are given up. */
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
