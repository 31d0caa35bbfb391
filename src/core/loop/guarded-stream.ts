/**
 * Consumes one response and always ends: a stream that throws, stalls, ends without a terminal event or
 * ignores an abort becomes a failure, with the text received so far.
 */
import { type ErrorCode, errorText, textError } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { type AssistantMessage, noUsage } from '../models/messages.ts';
import type { BlockEvent, ModelEvent, ModelFailure } from '../models/model-ports.ts';
import type { Clock } from '../ports.ts';
import { onAbort } from './on-abort.ts';
import type { LoopModel } from './stream-function.ts';

export interface StreamGuard {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly model: LoopModel;
  /** ms until the first event. */
  readonly firstMs: number;
  readonly idleMs: number;
  readonly abortGraceMs: number;
}

export interface StreamEnd {
  readonly message: AssistantMessage;
  /** `null` on success. */
  readonly failure: ModelFailure | null;
}

type OpeningEvent = Extract<ModelEvent, { type: 'start' }>;

export const abortedText = 'Request was aborted';

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

const failureOf = (code: ErrorCode, message: HostText, retryable: boolean): ModelFailure => ({
  error: textError(code, message),
  retryable,
});

/** Lets the stream clean up; the result is ignored. */
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
  #iterator: AsyncIterator<ModelEvent> | null = null;
  #lastAt = 0;
  #heard = false;
  #over = false;
  /** A slow listener does not count as a silent model. */
  #telling = false;
  #release: () => void = () => undefined;
  #resolve: (end: StreamEnd) => void = () => undefined;

  constructor(guard: StreamGuard, onEvent: (event: OpeningEvent | BlockEvent) => Promise<void> | undefined) {
    this.#guard = guard;
    this.#onEvent = onEvent;
  }

  /** The signal passed to `open` aborts with the run, and when the response is abandoned. */
  consume(open: (signal: AbortSignal) => AsyncIterable<ModelEvent>): Promise<StreamEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#release = this.#watch();
      this.#read(open)
        .catch((error: unknown) => this.#broken(error))
        .then((end) => this.#finish(end));
    });
  }

  /** The first call wins: the stream's own end or a cut. */
  #finish(end: StreamEnd): void {
    this.#over = true;
    this.#release();
    this.#resolve(end);
  }

  async #read(open: (signal: AbortSignal) => AsyncIterable<ModelEvent>): Promise<StreamEnd> {
    const { clock, signal } = this.#guard;
    if (signal.aborted) this.#own.abort();
    const iterator = open(this.#own.signal)[Symbol.asyncIterator]();
    this.#iterator = iterator;
    for (;;) {
      const step = await iterator.next();
      if (this.#over) return this.#aborted();
      if (step.done) {
        if (signal.aborted) return this.#aborted();
        return this.#failed(failureOf('protocol', say('turns.answerBrokeOff'), true));
      }
      const event = step.value;
      this.#lastAt = clock.monotonic();
      this.#heard = true;
      if (event.type === 'done' || event.type === 'error') {
        letGo(iterator);
        return { message: event.message, failure: event.type === 'error' ? event.failure : null };
      }
      this.#partial = event.partial;
      const waiting = this.#onEvent(event);
      if (waiting) {
        this.#telling = true;
        await waiting;
        this.#telling = false;
        this.#lastAt = clock.monotonic();
      }
    }
  }

  /** One timer per response, not one per event. */
  #watch(): () => void {
    const { clock, signal, firstMs, idleMs, abortGraceMs } = this.#guard;
    const check = (): void => {
      const silent = this.#telling ? 0 : clock.monotonic() - this.#lastAt;
      const limit = this.#heard ? idleMs : firstMs;
      if (silent >= limit) this.#cut(this.#stalled(limit));
      else timer = clock.after(Math.min(limit - silent, idleMs), check);
    };
    const abort = (): void => {
      timer.cancel();
      this.#own.abort();
      timer = clock.after(abortGraceMs, () => this.#cut(this.#aborted()));
    };
    this.#lastAt = clock.monotonic();
    let timer = clock.after(Math.min(firstMs, idleMs), check);
    const forget = onAbort(signal, abort);
    return () => {
      timer.cancel();
      forget();
    };
  }

  #cut(end: StreamEnd): void {
    this.#own.abort();
    this.#finish(end);
    if (this.#iterator) letGo(this.#iterator);
  }

  #broken(error: unknown): StreamEnd {
    const text = errorText(error);
    return this.#guard.signal.aborted ? this.#aborted() : this.#failed(failureOf('internal', text, false));
  }

  #aborted(): StreamEnd {
    const message = endedMessage(this.#guard, this.#partial, 'aborted', abortedText);
    return { message, failure: failureOf('cancelled', abortedText, false) };
  }

  #stalled(ms: number): StreamEnd {
    const text = say('turns.modelSentNothing', { n: Math.round(ms / 1_000) });
    return this.#failed(failureOf('timeout', text, true));
  }

  #failed(failure: ModelFailure): StreamEnd {
    return { message: endedMessage(this.#guard, this.#partial, 'error', failure.error.message), failure };
  }
}
