/**
 * The `chat-local` runtime: one streamed completion per turn, no tools. Temporary model errors are tried again with
 * back-off behind the server's gate; whatever the model does, the last event is `turn_done` or `turn_failed`.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import { raceAgainst, sleep } from '../../core/lib/sleep.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { ProviderGate } from '../../core/models/provider-gate.ts';
import type {
  Clock,
  Log,
  ModelEvent,
  ModelPort,
  Random,
  RuntimeEvent,
  RuntimePort,
  TurnInput,
} from '../../core/ports.ts';

export interface ChatLocalDeps {
  /** Asked before every try, so that a changed choice counts at once. */
  readonly choose: () => Result<ModelChoice>;
  /** Adapters load lazily; null when this build has none for the choice. */
  readonly model: (adapter: ModelChoice['adapter']) => Promise<ModelPort | null>;
  readonly gate: ProviderGate;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const maxOutputTokens = 2_048;
const maxTries = 5;
const backoff: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000 };
/** ms a model may stay silent; longer than any adapter's own limit. */
const silenceMs = 400_000;

type Failed = Extract<ModelEvent, { type: 'failed' }>;
interface Attempt {
  text: string;
  failure: Failed | null;
}

export function createChatLocalRuntime(deps: ChatLocalDeps): RuntimePort {
  return { run: (turn, signal) => runTurn(deps, turn, signal) };
}

async function* runTurn(
  deps: ChatLocalDeps,
  turn: TurnInput,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  // The longest text that any try produced is what a person would want to keep.
  let partialText = '';
  for (let tries = 1; ; tries += 1) {
    const choice = deps.choose();
    if (!choice.ok) {
      yield { type: 'turn_failed', error: choice.error, partialText };
      return;
    }
    yield* waitAtGate(deps, choice.value, tries, signal);
    const attempt: Attempt = { text: '', failure: null };
    yield* tryOnce(deps, choice.value, { turn, signal, attempt });
    if (!attempt.failure) {
      yield {
        type: 'turn_done',
        parts: attempt.text.trim() === '' ? [] : [attempt.text],
        messageSent: false,
      };
      return;
    }
    if (attempt.text.length > partialText.length) partialText = attempt.text;
    const { error, retryable, retryAfterMs } = attempt.failure;
    if (!retryable || tries >= maxTries || signal.aborted) {
      yield { type: 'turn_failed', error, partialText };
      return;
    }
    const own = backoffMs(backoff, tries - 1, deps.random.fraction());
    const inMs = Math.max(own, retryAfterMs ?? 0);
    deps.log.warn('model_retry', { turnId: turn.turnId, tries, inMs, code: error.code });
    yield { type: 'retrying', attempt: tries, inMs, error };
    await sleep(deps.clock, inMs, signal);
  }
}

/** Scripted replies need no server and no gate. */
const serverOf = (choice: ModelChoice): string => `${choice.provider} ${choice.baseUrl}`;

async function* waitAtGate(
  deps: ChatLocalDeps,
  choice: ModelChoice,
  tries: number,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  if (choice.scripted) return;
  for (let told = false; !signal.aborted; ) {
    const inMs = deps.gate.enter(serverOf(choice));
    if (inMs === 0) return;
    if (!told) {
      const error = appError('rate_limited', `Waiting: ${choice.provider} asked for a pause.`);
      yield { type: 'retrying', attempt: tries, inMs, error };
      told = true;
    }
    await sleep(deps.clock, inMs, signal);
  }
}

interface Try {
  readonly turn: TurnInput;
  readonly signal: AbortSignal;
  readonly attempt: Attempt;
}

async function* tryOnce(deps: ChatLocalDeps, choice: ModelChoice, one: Try): AsyncGenerator<RuntimeEvent> {
  const { attempt, signal } = one;
  if (signal.aborted) {
    attempt.failure = stopped;
    return;
  }
  try {
    for await (const event of modelEvents(deps, choice, one)) {
      if (event.type === 'text_delta') attempt.text += event.text;
      if (event.type === 'failed') attempt.failure = event;
      if (event.type === 'text_delta' || event.type === 'usage') yield event;
    }
  } catch (error) {
    // An adapter must not throw; if one does, that is a bug, and still only this turn's.
    deps.log.error('model_threw', { turnId: one.turn.turnId, error: String(error) });
    attempt.failure = failure(appError('internal', 'The model adapter failed unexpectedly.'), false);
  }
  report(deps.gate, choice, attempt.failure);
}

/** Passes events on until `done` or `failed`; a stream that ends or falls silent without either has failed. */
async function* modelEvents(deps: ChatLocalDeps, choice: ModelChoice, one: Try): AsyncGenerator<ModelEvent> {
  const model = await deps.model(choice.adapter);
  if (!model) {
    yield failure(appError('unsupported', `There is no adapter for ${choice.provider} here.`), false);
    return;
  }
  const inner = new AbortController();
  const abort = (): void => inner.abort();
  one.signal.addEventListener('abort', abort, { once: true });
  const { provider, baseUrl, apiKey } = choice;
  const { system, messages } = one.turn;
  const request = { provider, model: choice.model, baseUrl, apiKey, system, messages, maxOutputTokens };
  const stream = model.stream(request, inner.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await raceAgainst(stream.next(), deps.clock, silenceMs, one.signal);
      const event = next.type === 'value' ? (next.value.done ? brokeOff : next.value.value) : null;
      yield event ?? (next.type === 'aborted' ? stopped : silent);
      if (!event || event.type === 'done' || event.type === 'failed') return;
    }
  } finally {
    one.signal.removeEventListener('abort', abort);
    inner.abort();
    stream.return?.()?.catch(() => undefined);
  }
}

function report(gate: ProviderGate, choice: ModelChoice, failed: Failed | null): void {
  if (choice.scripted || failed?.error.code === 'cancelled') return;
  if (failed?.retryable) gate.failed(serverOf(choice), failed.retryAfterMs);
  else gate.succeeded(serverOf(choice));
}

const failure = (error: AppError, retryable: boolean): Failed => ({ type: 'failed', error, retryable });
const stopped = failure(appError('cancelled', 'The reply was stopped.'), false);
const silent = failure(appError('timeout', 'The model fell silent in the middle of the reply.'), true);
const brokeOff = failure(appError('unavailable', 'The model broke off in the middle of the reply.'), true);
