/**
 * Consumes one response and always comes to an end: a stream that throws, stalls, ends without a terminal event or
 * does not heed an abort becomes the failure it is, with the text that had arrived.
 */
import { appError, type ErrorCode } from '../../contract/errors.ts';
import type { BlockEvent, ModelEvent, ModelFailure } from '../model-ports.ts';
import { type AssistantMessage, noUsage } from '../models/messages.ts';
import type { Clock } from '../ports.ts';
import type { LoopModel } from './stream-function.ts';

export interface StreamGuard {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly model: LoopModel;
  readonly idleMs: number;
  readonly abortGraceMs: number;
}

export interface StreamEnd {
  readonly message: AssistantMessage;
  /** Null when it ended well. */
  readonly failure: ModelFailure | null;
}

type OpeningEvent = Extract<ModelEvent, { type: 'start' }>;
type Cut = 'stalled' | 'aborted';

export const abortedText = 'Request was aborted';

/** `partial` is what had arrived. */
export function endedMessage(
  guard: Pick<StreamGuard, 'clock' | 'model'>,
  partial: AssistantMessage | null,
  stopReason: 'error' | 'aborted',
  errorMessage: string,
): AssistantMessage {
  const { api, provider, id } = guard.model;
  const base = partial ?? {
    role: 'assistant',
    content: [],
    api,
    provider,
    model: id,
    usage: noUsage,
    timestamp: guard.clock.now(),
  };
  return { ...base, stopReason, errorMessage };
}

const failureOf = (code: ErrorCode, message: string, retryable: boolean): ModelFailure => ({
  error: appError(code, message),
  retryable,
});

/** Lets the other side clean up; how that goes is its own affair. */
function letGo(iterator: AsyncIterator<ModelEvent>): void {
  try {
    iterator.return?.().then(undefined, () => undefined);
  } catch {
    // a broken iterator has nothing left to release
  }
}

export class GuardedStream {
  readonly #own = new AbortController();
  readonly #guard: StreamGuard;
  readonly #onEvent: (event: OpeningEvent | BlockEvent) => Promise<void> | undefined;
  #partial: AssistantMessage | null = null;
  #lastAt = 0;
  #cut: Cut | null = null;
  #interrupt: ((cut: Cut) => void) | null = null;

  constructor(guard: StreamGuard, onEvent: (event: OpeningEvent | BlockEvent) => Promise<void> | undefined) {
    this.#guard = guard;
    this.#onEvent = onEvent;
  }

  /** The signal given to `open` fires on an abort of the run, and when the response is given up. */
  async consume(open: (signal: AbortSignal) => AsyncIterable<ModelEvent>): Promise<StreamEnd> {
    const release = this.#watch();
    let iterator: AsyncIterator<ModelEvent> | null = null;
    try {
      iterator = open(this.#own.signal)[Symbol.asyncIterator]();
      return await this.#read(iterator);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return this.#guard.signal.aborted ? this.#aborted() : this.#failed(failureOf('internal', text, false));
    } finally {
      release();
      if (iterator) letGo(iterator);
    }
  }

  async #read(iterator: AsyncIterator<ModelEvent>): Promise<StreamEnd> {
    for (;;) {
      const step = await this.#next(iterator);
      if (step === 'aborted') return this.#aborted();
      if (step === 'stalled') return this.#stalled();
      if (step.done) {
        if (this.#guard.signal.aborted) return this.#aborted();
        const text = 'The answer broke off before its end.';
        return this.#failed(failureOf('protocol', text, true));
      }
      const event = step.value;
      this.#lastAt = this.#guard.clock.monotonic();
      if (event.type === 'done') return { message: event.message, failure: null };
      if (event.type === 'error') return { message: event.message, failure: event.failure };
      this.#partial = event.partial;
      const waiting = this.#onEvent(event);
      if (waiting) {
        await waiting;
        this.#lastAt = this.#guard.clock.monotonic();
      }
    }
  }

  #next(iterator: AsyncIterator<ModelEvent>): Promise<IteratorResult<ModelEvent> | Cut> {
    return new Promise((resolve, reject) => {
      if (this.#cut) {
        resolve(this.#cut);
        return;
      }
      this.#interrupt = resolve;
      iterator.next().then(resolve, reject);
    });
  }

  /** One timer per response, not one per event. */
  #watch(): () => void {
    const { clock, signal, idleMs, abortGraceMs } = this.#guard;
    const cut = (why: Cut): void => {
      this.#cut = why;
      this.#own.abort();
      this.#interrupt?.(why);
    };
    const check = (): void => {
      const silent = clock.monotonic() - this.#lastAt;
      if (silent >= idleMs) cut('stalled');
      else timer = clock.after(idleMs - silent, check);
    };
    const abort = (): void => {
      timer.cancel();
      this.#own.abort();
      timer = clock.after(abortGraceMs, () => cut('aborted'));
    };
    this.#lastAt = clock.monotonic();
    let timer = clock.after(idleMs, check);
    signal.addEventListener('abort', abort, { once: true });
    return () => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
    };
  }

  #aborted(): StreamEnd {
    const message = endedMessage(this.#guard, this.#partial, 'aborted', abortedText);
    return { message, failure: failureOf('cancelled', abortedText, false) };
  }

  #stalled(): StreamEnd {
    const text = `The model has sent nothing for ${Math.round(this.#guard.idleMs / 1_000)} s.`;
    return this.#failed(failureOf('timeout', text, true));
  }

  #failed(failure: ModelFailure): StreamEnd {
    return { message: endedMessage(this.#guard, this.#partial, 'error', failure.error.message), failure };
  }
}
