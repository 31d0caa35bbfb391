/**
 * Answers one request of the stream proxy with this host's model, budget and keys; returns only the events of
 * the answer.
 */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { threadKey } from '../../core/agents/thread-key.ts';
import { countedUsage, estimateContext } from '../../core/loop/tokens.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { AssistantMessage, Message } from '../../core/models/messages.ts';
import type { ModelContext, ModelEvent, ModelPort } from '../../core/models/model-ports.ts';
import { serverOf, tellGate } from '../../core/models/provider-gate.ts';
import { scriptedProvider } from '../../core/models/providers.ts';
import { encodeEvent, otherHostsChoice, type ProxyRequest } from '../../core/models/proxy-wire.ts';
import type { SpendGate, SpendHold } from '../../core/models/spend-gate.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import { findProxyRefusal, type ProxyRefusal } from './proxy-guard.ts';

export interface ProxyStreamDeps {
  readonly models: Pick<ModelAccess, 'chooseFor' | 'model' | 'gate'>;
  readonly spend: SpendGate;
  readonly clock: Clock;
  readonly random: Random;
}

export const spenderOf = (tokenName: string): string => `proxy:${tokenName}`;

const defaultOutputTokens = 8_192;
/** ms between heartbeat comments; clients drop a silent connection. */
const beatMs = 15_000;

export interface ReadyModel {
  readonly choice: ModelChoice;
  readonly model: ModelPort;
  readonly hold: SpendHold;
}

export async function prepareModel(
  { models, spend }: ProxyStreamDeps,
  tokenName: string,
  request: ProxyRequest,
  signal: AbortSignal,
): Promise<Result<ReadyModel, ProxyRefusal>> {
  const { model: wish } = request;
  const chosen = await models.chooseFor({
    provider: wish.provider,
    model: wish.id === otherHostsChoice ? '' : wish.id,
  });
  if (!chosen.ok) return err(findProxyRefusal(chosen.error));
  const choice = chosen.value;
  if (choice.adapter === 'stream-proxy') return err(findProxyRefusal(noChain));
  if (choice.scripted && wish.provider !== scriptedProvider) return err(findProxyRefusal(nothingHere));
  const model = await models.model(choice.adapter);
  if (!model) return err(findProxyRefusal(nothingHere));
  const reserved = await spend.reserve(
    {
      agentId: spenderOf(tokenName),
      target: choice,
      input: estimateContext(contextOf(request)),
      output: request.options.maxTokens ?? defaultOutputTokens,
    },
    signal,
  );
  if (!reserved.ok) return err(findProxyRefusal(reserved.error));
  const hold = reserved.value;
  // Shared with the agents of this host: a server in back-off gets no request (F11).
  const inMs = choice.scripted ? 0 : models.gate.enter(serverOf(choice));
  if (inMs === 0) return ok({ choice, model, hold });
  hold.release();
  return err(pause(choice.provider, inMs));
}

function pause(provider: string, inMs: number): ProxyRefusal {
  const seconds = Math.ceil(inMs / 1000);
  const error = fail('rate_limited', 'proxy.providerPause', { provider, n: seconds });
  return { status: 429, error, headers: { 'retry-after': String(seconds) } };
}

const noChain = fail('unsupported', 'proxy.usesAnotherKennel');
const nothingHere = fail('unavailable', 'proxy.noModel', {}, { help: 'proxy.setKeyOrLogin' });

export async function answerWith(
  deps: ProxyStreamDeps,
  tokenName: string,
  request: ProxyRequest,
  { choice, model, hold }: ReadyModel,
  res: ServerResponse,
): Promise<void> {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.flushHeaders();
  const stopBeat = beat(deps.clock, res);
  try {
    for await (const event of events(request, { choice, model, hold }, controller.signal)) {
      if (event.type === 'done' || event.type === 'error') {
        record(deps, { tokenName, request, choice }, event.message);
        tellGate(deps.models.gate, choice, event.type === 'error' ? event.failure : null);
      }
      await send(res, event, controller.signal);
    }
  } finally {
    hold.release();
    stopBeat();
    res.end();
  }
}

function events(
  { context, options }: ProxyRequest,
  { choice, model }: ReadyModel,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const { provider, model: name, baseUrl, apiKey, auth } = choice;
  const { temperature, maxTokens, reasoning, sessionId } = options;
  return model.stream(
    { provider, model: name, baseUrl, apiKey, auth },
    contextOf({ context }),
    {
      maxOutputTokens: maxTokens ?? defaultOutputTokens,
      thinkingLevel: reasoning,
      ...(temperature === undefined ? {} : { temperature }),
      ...(sessionId === undefined ? {} : { sessionId }),
    },
    signal,
  );
}

const contextOf = ({ context }: Pick<ProxyRequest, 'context'>): ModelContext => ({
  system: context.systemPrompt,
  // The schema's type cannot express optional properties without `undefined`; parsing has ensured them.
  messages: context.messages as readonly unknown[] as readonly Message[],
  tools: context.tools,
});

async function send(res: ServerResponse, event: ModelEvent, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const more = res.write(`data: ${JSON.stringify(encodeEvent(event))}\n\n`);
  if (!more) await once(res, 'drain', { signal }).catch(() => undefined);
}

function beat(clock: Clock, res: ServerResponse): () => void {
  const tick = (): void => {
    res.write(': still here\n\n');
    timer = clock.after(beatMs, tick, { unref: true });
  };
  let timer = clock.after(beatMs, tick, { unref: true });
  return () => timer.cancel();
}

interface Spent {
  readonly tokenName: string;
  readonly request: ProxyRequest;
  readonly choice: ModelChoice;
}

/** Called before the last event is sent, and also if the client has disconnected. */
function record(
  deps: ProxyStreamDeps,
  { tokenName, request, choice }: Spent,
  message: AssistantMessage,
): void {
  const usage = countedUsage(message, contextOf(request));
  if (usage.totalTokens === 0) return;
  const agentId = spenderOf(tokenName);
  deps.spend.record({
    agentId,
    threadKey: threadKey({ kind: 'program', session: request.options.sessionId ?? agentId }),
    turnId: deps.random.uuid(),
    provider: choice.provider,
    model: choice.model,
    callId: deps.random.uuid(),
    usage,
    simulated: choice.scripted,
    unfinished: message.stopReason === 'error' || message.stopReason === 'aborted',
    at: deps.clock.now(),
  });
}
