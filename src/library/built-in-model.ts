/** The providers that Kennel knows, by name; an adapter is loaded with its first request. */
import type { LoopModel, StreamFunction, StreamOptions } from '../core/loop/stream-function.ts';
import { outputLimit } from '../core/loop/tokens.ts';
import { handOff } from '../core/models/hand-off.ts';
import { costOf, modelFacts } from '../core/models/model-facts.ts';
import type {
  ModelContext,
  ModelFacts,
  ModelOptions,
  ModelPort,
  ModelTarget,
} from '../core/models/model-ports.ts';
import { providerIds, providerInfo } from '../core/models/providers.ts';
import type { Clock } from '../core/ports.ts';
import { modelAdapters } from '../services/models/adapters.ts';

export interface NamedModel {
  /**
   * E.g. `anthropic`, `openai`, `google`, `ollama`, `openai-compatible`, `scripted` (a fixed script, no
   * model).
   */
  readonly provider: string;
  /** The provider's default model if absent. */
  readonly name?: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

const defaultOutputTokens = 8_192;

function modelOptions(options: StreamOptions, context: ModelContext, facts: ModelFacts): ModelOptions {
  const { maxOutputTokens = defaultOutputTokens, thinkingLevel, idleMs, sessionId, temperature } = options;
  return {
    maxOutputTokens: outputLimit(context, maxOutputTokens, facts),
    thinkingLevel,
    idleMs,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

export function builtInModel(
  named: NamedModel,
  clock: Clock,
): { readonly model: LoopModel; readonly stream: StreamFunction } {
  const info = providerInfo(named.provider);
  if (!info)
    throw new Error(`There is no provider '${named.provider}'. There are: ${providerIds.join(', ')}.`);
  const name = named.name ?? info.defaultModel;
  const baseUrl = named.baseUrl ?? info.baseUrl;
  if (name === '') throw new Error(`Name a model of ${info.name}.`);
  const adapter = baseUrl === info.baseUrl ? info.adapter : (info.elsewhere ?? info.adapter);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const facts = modelFacts({ provider: info.id, model: name }, day);
  let loading: Promise<ModelPort> | null = null;
  const target = (apiKey: string | null): ModelTarget => ({
    provider: info.id,
    model: name,
    baseUrl,
    apiKey: (apiKey ?? named.apiKey) || null,
    auth: 'api_key',
  });
  return {
    model: {
      api: adapter,
      provider: info.id,
      id: name,
      contextWindow: facts.contextWindow,
      nativeTools: facts.nativeTools,
    },
    stream: async function* (context, options, signal) {
      loading ??= modelAdapters[adapter]({ clock });
      const port = await loading;
      const to = { api: port.api, provider: info.id, model: name, vision: facts.vision };
      const fitted = { ...context, messages: handOff(context.messages, to) };
      const asked = modelOptions(options, fitted, facts);
      for await (const event of port.stream(target(options.apiKey), fitted, asked, signal)) {
        if (event.type !== 'done' && event.type !== 'error') yield event;
        else {
          const { usage } = event.message;
          const cost = usage.cost ?? costOf(usage, facts.price);
          yield { ...event, message: { ...event.message, usage: { ...usage, cost } } };
        }
      }
    },
  };
}
