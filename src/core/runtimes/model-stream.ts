/**
 * One request to the agent's current model: behind the provider gate (F11), admitted by the budget, fitted to
 * the model, recorded with its cost. Every failure is the stream's last event.
 */
import { type AppError, messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import { sleep } from '../lib/sleep.ts';
import { endedMessage } from '../loop/guarded-stream.ts';
import type { LoopModel, StreamFunction, StreamOptions } from '../loop/stream-function.ts';
import { countedUsage, estimateContext, outputLimit } from '../loop/tokens.ts';
import type { ModelChoice } from '../models/choose-model.ts';
import { handOff } from '../models/hand-off.ts';
import type { AssistantMessage, ModelTiming, Usage } from '../models/messages.ts';
import { costOf } from '../models/model-facts.ts';
import type {
  ModelContext,
  ModelEvent,
  ModelFacts,
  ModelFailure,
  ModelPort,
  ModelTarget,
} from '../models/model-ports.ts';
import { longPauseMs, serverOf, tellGate } from '../models/provider-gate.ts';
import type { SpendGate, SpendHold, SpendQuestion } from '../models/spend-gate.ts';
import { isBilled } from '../models/usage.ts';
import type { Clock, Random } from '../ports.ts';
import type { OnWaiting, RuntimeModels } from './runtime-ports.ts';

export type ModelCall = Extract<TurnTrace, { kind: 'model' }>;

export interface StreamedTurn {
  readonly agentId: string;
  readonly threadKey: string;
  readonly turnId: string;
  onWaiting: OnWaiting;
  /** Waits for the end of a long pause of the model's account. */
  park(provider: string, pausedUntil: () => number | null): Promise<void>;
  /** Aborts when the turn is over. */
  readonly ended: AbortSignal;
  /**
   * Called if a budget is used up and the operator is asked; resolves with true if the budget is worth
   * checking again.
   */
  onAsked(question: SpendQuestion, signal: AbortSignal): Promise<boolean>;
  onCalled(call: ModelCall): void;
}

/** Cap on the output tokens of one response, if the model allows more. */
const maxOutputTokens = 8_192;

export const loopModelOf = (choice: ModelChoice, facts: ModelFacts): LoopModel => ({
  api: choice.adapter,
  provider: choice.provider,
  id: choice.model,
  contextWindow: facts.contextWindow,
  nativeTools: facts.nativeTools,
});

export interface ModelStream {
  readonly stream: StreamFunction;
  /** Waits for the gate and the budget; outside of the request, where silence would count as a stall. */
  beforeRequest(signal: AbortSignal): Promise<void>;
}

export interface ModelStreamDeps {
  readonly models: RuntimeModels;
  readonly spend: SpendGate;
  readonly clock: Clock;
  readonly random: Random;
}

export function createModelStream(deps: ModelStreamDeps, turn: StreamedTurn): ModelStream {
  const entered = { gate: false };
  return {
    stream: (context, options, signal) => {
      const left = new AbortController();
      const events = ask(deps, turn, { context, options, signal, entered, left: left.signal });
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => events.next(),
          return: () => {
            left.abort();
            return events.return(undefined);
          },
        }),
      };
    },
    async beforeRequest(signal) {
      for (;;) {
        const chosen = await deps.models.choose();
        if (chosen.ok) {
          const { provider } = chosen.value;
          await turn.park(provider, () => deps.models.gate.pausedUntil(serverOf(chosen.value)));
          await waitAtGate(deps, chosen.value, turn.onWaiting, signal);
        }
        entered.gate = chosen.ok;
        if (!chosen.ok || signal.aborted) return;
        const question = deps.spend.question(turn, chosen.value);
        if (!question) return;
        // Frees the gate for other turns while a person decides.
        deps.models.gate.abandoned(serverOf(chosen.value));
        entered.gate = false;
        if (!(await turn.onAsked(question, signal))) return;
      }
    },
  };
}

interface Request {
  readonly context: ModelContext;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
  /** The gate admits one request at a time while a server recovers, so one request must not pass it twice. */
  readonly entered: { gate: boolean };
  /** Aborts when the reader leaves, even while the server is silent. */
  readonly left: AbortSignal;
}

async function* ask(deps: ModelStreamDeps, turn: StreamedTurn, request: Request): AsyncGenerator<ModelEvent> {
  const { options } = request;
  const prepared = await prepare(deps, turn, request);
  if (!prepared.ok) {
    const { error } = prepared;
    const message = endedMessage({ clock: deps.clock, model: options.model }, null, 'error', error.message);
    yield { type: 'error', reason: 'error', message, failure: { error, retryable: false } };
    return;
  }
  try {
    yield* answer(deps, turn, request, prepared.value);
  } finally {
    prepared.value.hold.release();
  }
}

interface Prepared {
  readonly choice: ModelChoice;
  readonly model: ModelPort;
  readonly facts: ModelFacts;
  readonly hold: SpendHold;
}

/** The model, behind its gate, with the likely cost of the request reserved. */
async function prepare(
  deps: ModelStreamDeps,
  turn: StreamedTurn,
  { context, options, signal, entered, left }: Request,
): Promise<Result<Prepared>> {
  const chosen = await deps.models.choose();
  if (!chosen.ok) return chosen;
  const choice = chosen.value;
  if (!entered.gate) await waitAtGate(deps, choice, turn.onWaiting, signal);
  entered.gate = false;
  const refused = (error: AppError): Result<Prepared> => {
    deps.models.gate.abandoned(serverOf(choice));
    return err(error);
  };
  const admitted = deps.spend.admit(turn.agentId, choice);
  if (!admitted.ok) return refused(admitted.error);
  const model = await deps.models.model(choice.adapter);
  if (!model) return refused(fail('unsupported', 'turns.adapterUnavailable', { provider: choice.provider }));
  const facts = await deps.models.facts(choice);
  const held = await deps.spend.reserve(
    {
      agentId: turn.agentId,
      target: choice,
      input: estimateContext(context),
      output: optionsFor(options, context, facts).maxOutputTokens,
    },
    AbortSignal.any([signal, left]),
  );
  return held.ok ? ok({ choice, model, facts, hold: held.value }) : refused(held.error);
}

async function* answer(
  deps: ModelStreamDeps,
  turn: StreamedTurn,
  { context, options, signal, left }: Request,
  { choice, model, facts, hold }: Prepared,
): AsyncGenerator<ModelEvent> {
  const { provider, model: name, baseUrl, apiKey, auth } = choice;
  const target: ModelTarget = { provider, model: name, baseUrl, apiKey, auth };
  const fitted: ModelContext = {
    ...context,
    messages: handOff(context.messages, {
      api: model.api,
      provider,
      model: name,
      vision: facts.vision,
    }),
  };
  const startedAt = deps.clock.now();
  let firstAt: number | null = null;
  let partial: AssistantMessage | null = null;
  let over = false;
  const end = (event: Terminal['event']): ModelEvent => {
    over = true;
    const timing = { startedAt, firstAt, endedAt: deps.clock.now() };
    const ended = settled(deps, turn, { choice, facts, event, context: fitted, timing });
    hold.release();
    return ended;
  };
  // Tokens used before the reader left are billed too.
  const leave = (): void => {
    if (partial && !over) end(leftEarly(partial));
  };
  left.addEventListener('abort', leave, { once: true });
  const events = model.stream(target, fitted, optionsFor(options, fitted, facts), signal);
  for await (const event of events) {
    if (over) return;
    if (event.type !== 'done' && event.type !== 'error') {
      if (event.type !== 'start') firstAt ??= deps.clock.now();
      partial = event.partial;
      yield event;
      continue;
    }
    yield end(event);
    return;
  }
}

const leftEarly = (partial: AssistantMessage): Terminal['event'] => ({
  type: 'error',
  reason: 'aborted',
  message: { ...partial, stopReason: 'aborted' },
  failure: { error: fail('cancelled', 'turns.replyStopped'), retryable: false },
});

const optionsFor = (options: StreamOptions, context: ModelContext, facts: ModelFacts) => ({
  maxOutputTokens: outputLimit(
    context,
    options.maxOutputTokens ?? facts.answerTokens ?? maxOutputTokens,
    facts,
  ),
  thinkingLevel: options.thinkingLevel,
  ...(facts.temperature === null ? {} : { temperature: facts.temperature }),
  ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
});

/** The scripted model needs no server and no gate. */
async function waitAtGate(
  deps: ModelStreamDeps,
  choice: ModelChoice,
  onWaiting: OnWaiting,
  signal: AbortSignal,
): Promise<void> {
  if (choice.scripted) return;
  for (let told = false; !signal.aborted; told = true) {
    const inMs = deps.models.gate.enter(serverOf(choice));
    if (inMs === 0) return;
    const asked = fail('rate_limited', 'turns.waitingForProvider', { provider: choice.provider });
    const error = deps.models.gate.reason(serverOf(choice)) ?? asked;
    if (!told) onWaiting({ attempt: 1, inMs, error });
    await sleep(deps.clock, inMs, signal);
  }
}

interface Terminal {
  readonly choice: ModelChoice;
  readonly facts: ModelFacts;
  readonly context: ModelContext;
  readonly event: Extract<ModelEvent, { type: 'done' | 'error' }>;
  readonly timing: ModelTiming;
}

/** Prices and records the usage, and reports the outcome to the gate. */
function settled(deps: ModelStreamDeps, turn: StreamedTurn, terminal: Terminal): ModelEvent {
  const { choice, facts, event, context, timing } = terminal;
  const usage = pricedUsage(countedUsage(event.message, context), facts);
  const message = { ...event.message, usage, timing };
  if (isBilled(usage)) {
    deps.spend.record({
      agentId: turn.agentId,
      threadKey: turn.threadKey,
      turnId: turn.turnId,
      provider: choice.provider,
      model: choice.model,
      usage,
      callId: deps.random.uuid(),
      simulated: facts.price?.simulated ?? false,
      unfinished: event.type === 'error',
      at: deps.clock.now(),
    });
  }
  const error = event.type === 'error' ? messageOf(event.failure.error) : '';
  turn.onCalled({
    kind: 'model',
    provider: choice.provider,
    model: choice.model,
    ...timing,
    error,
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    usd: usage.cost?.total ?? null,
    stop: message.stopReason,
  });
  tellGate(deps.models.gate, choice, event.type === 'error' ? event.failure : null);
  if (event.type === 'done') return { ...event, message };
  const { failure } = event;
  return { ...event, message, failure: leftToTheGate(failure) };
}

const pricedUsage = (usage: Usage, { price }: ModelFacts): Usage =>
  usage.cost !== null || !price ? usage : { ...usage, cost: costOf(usage, price) };

/**
 * Removes a long delay from the failure, because the gate stays closed that long and the loop only has to
 * retry.
 */
function leftToTheGate(failure: ModelFailure): ModelFailure {
  if ((failure.retryAfterMs ?? 0) <= longPauseMs) return failure;
  const { retryAfterMs: _kept, ...rest } = failure;
  return rest;
}
