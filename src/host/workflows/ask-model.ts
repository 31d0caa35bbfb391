import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { threadKey } from '../../core/agents/thread-key.ts';
import { sleep } from '../../core/lib/sleep.ts';
import { countedUsage, estimateContext, outputLimit } from '../../core/loop/tokens.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { type AssistantMessage, transcriptText, userMessage } from '../../core/models/messages.ts';
import { costOf } from '../../core/models/model-facts.ts';
import type { ModelContext, ModelEvent, ModelFacts } from '../../core/models/model-ports.ts';
import { serverOf, tellGate } from '../../core/models/provider-gate.ts';
import type { SpendGate, SpendHold, SpendRequest } from '../../core/models/spend-gate.ts';
import { isBilled, noneSpent, type Spent, spentOn } from '../../core/models/usage.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { ModelQuestion, ModelRefusal, ModelReply } from '../../core/workflows/model-step.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { ModelAccess } from '../fleet/model-access.ts';

export interface AskModelDeps {
  readonly models: Pick<ModelAccess, 'chooseFor' | 'chooseFresh' | 'facts' | 'model' | 'gate'>;
  readonly spend: SpendGate;
  readonly agents: Pick<AgentStore, 'get'>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Asker {
  /** Owner of model, budget and account, or `null` for the operator. */
  readonly agentId: string | null;
  readonly run: string;
  /** Set if an agent asks within its own turn, outside of a run. */
  readonly turn?: { readonly threadKey: string; readonly turnId: string };
}

const defaultOutputTokens = 4_096;
/** Ledger id of runs that no agent started. */
const nobodysAccount = 'workflows';

async function choose(
  deps: AskModelDeps,
  { agentId }: Asker,
  question: ModelQuestion,
): Promise<Result<ModelChoice>> {
  const { models, agents } = deps;
  const { provider, model } = question;
  if (agentId === null) return models.chooseFor({ provider: provider ?? '', model: model ?? '' });
  const config = agents.get(agentId)?.lastGood;
  if (!config) return err(fail('not_found', 'workflows.unknownAgent', { agentId }));
  if (provider === null && model === null) return models.chooseFresh(agentId, config);
  const named = provider === null ? { model: model ?? '' } : { provider, model: model ?? '', base_url: '' };
  return models.chooseFresh(agentId, { ...config, runtime: { ...config.runtime, ...named } });
}

type Last = Extract<ModelEvent, { type: 'done' | 'error' }>;

async function lastOf(events: AsyncIterable<ModelEvent>): Promise<Last | null> {
  let last: Last | null = null;
  for await (const event of events) if (event.type === 'done' || event.type === 'error') last = event;
  return last;
}

/** Waits while the server is in back-off (F11). */
async function waitAtGate(
  { models, clock }: Pick<AskModelDeps, 'models' | 'clock'>,
  choice: ModelChoice,
  signal: AbortSignal,
): Promise<void> {
  while (!choice.scripted && !signal.aborted) {
    const inMs = models.gate.enter(serverOf(choice));
    if (inMs === 0) return;
    await sleep(clock, inMs, signal);
  }
}

interface Asked {
  readonly asker: Asker;
  readonly choice: ModelChoice;
  readonly facts: ModelFacts;
  readonly context: ModelContext;
}

/** Recorded before the answer is passed on. */
function record(
  deps: AskModelDeps,
  { asker, choice, facts, context }: Asked,
  message: AssistantMessage,
): Spent {
  const { spend, clock, random } = deps;
  const simulated = facts.price?.simulated ?? false;
  const counted = countedUsage(message, context);
  const usage =
    counted.cost === null && facts.price ? { ...counted, cost: costOf(counted, facts.price) } : counted;
  if (isBilled(usage)) {
    const ofRun = threadKey({ kind: 'run', run: asker.run });
    const turn = asker.turn ?? { threadKey: ofRun, turnId: ofRun };
    spend.record({
      agentId: asker.agentId ?? nobodysAccount,
      threadKey: turn.threadKey,
      turnId: turn.turnId,
      provider: choice.provider,
      model: choice.model,
      usage,
      callId: random.uuid(),
      simulated,
      unfinished: message.stopReason === 'error' || message.stopReason === 'aborted',
      at: clock.now(),
    });
  }
  return spentOn(usage, simulated);
}

const unasked = (error: AppError) => err({ error, spent: noneSpent });

async function reserve(
  { spend }: Pick<AskModelDeps, 'spend'>,
  request: SpendRequest,
  maxUsd: number | null,
  signal: AbortSignal,
): Promise<Result<SpendHold>> {
  const { agentId, target } = request;
  if (maxUsd === null || spend.isPriced(agentId, target)) return spend.reserve(request, signal);
  const { provider, model } = target;
  const text = say('workflows.unknownPrice', { limit: maxUsd, provider, model });
  return err(appError('rate_limited', text, { hint: say('workflows.setPrice') }));
}

/** One request to a model in the name of an agent or of the operator. */
export type AskModelFor = (
  asker: Asker,
  question: ModelQuestion,
  signal: AbortSignal,
) => Promise<Result<ModelReply & { readonly model: string }, ModelRefusal>>;

function optionsFor(question: ModelQuestion, context: ModelContext, facts: ModelFacts) {
  const temperature = question.temperature ?? facts.temperature;
  return {
    maxOutputTokens: outputLimit(
      context,
      question.maxTokens ?? facts.answerTokens ?? defaultOutputTokens,
      facts,
    ),
    thinkingLevel: 'off' as const,
    ...(temperature === null ? {} : { temperature }),
  };
}

/** One request: waits for the server's back-off, checks the budgets and records the cost. */
export async function askModel(
  deps: AskModelDeps,
  asker: Asker,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<Result<ModelReply & { readonly model: string }, ModelRefusal>> {
  const chosen = await choose(deps, asker, question);
  if (!chosen.ok) return unasked(chosen.error);
  const choice = chosen.value;
  const { models, clock } = deps;
  const facts = await models.facts(asker.agentId, choice);
  await waitAtGate(deps, choice, signal);
  const model = await models.model(choice.adapter);
  const context: ModelContext = {
    system: question.system,
    messages: [userMessage(question.prompt, clock.now())],
    tools: [],
  };
  const options = optionsFor(question, context, facts);
  const request = {
    agentId: asker.agentId ?? nobodysAccount,
    target: choice,
    input: estimateContext(context),
    output: options.maxOutputTokens,
  };
  const held = model && (await reserve(deps, request, question.maxUsd, signal));
  if (!model || !held?.ok) {
    models.gate.abandoned(serverOf(choice));
    return unasked(
      held && !held.ok
        ? held.error
        : fail('unsupported', 'turns.adapterUnavailable', { provider: choice.provider }),
    );
  }
  const { provider, model: name, baseUrl, apiKey, auth } = choice;
  try {
    const target = { provider, model: name, baseUrl, apiKey, auth };
    const last = await lastOf(model.stream(target, context, options, signal));
    if (!last) return unasked(fail('model_error', 'workflows.modelEndedWithoutAnswer'));
    const spent = record(deps, { asker, choice, facts, context }, last.message);
    tellGate(models.gate, choice, last.type === 'error' ? last.failure : null);
    if (signal.aborted) return err({ error: fail('cancelled', 'workflows.stepStopped'), spent });
    return last.type === 'error'
      ? err({ error: last.failure.error, spent })
      : ok({ text: transcriptText(last.message), spent, model: name });
  } finally {
    held.value.release();
  }
}
