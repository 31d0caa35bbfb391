/**
 * Chooses the model of an agent's next turn: the agent's setting, the daemon's, the first key found,
 * otherwise the scripted model.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import {
  type AdapterName,
  type ProviderInfo,
  providerIds,
  providerInfo,
  scriptedModelName,
  scriptedProvider,
} from './providers.ts';

export interface ModelWish {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
}

export interface FoundKey {
  readonly key: string;
  readonly source: 'agent' | 'login' | 'daemon' | 'environment';
  /** `oauth`: the bearer token of a login, which must be fresh when used. */
  readonly auth: 'api_key' | 'oauth';
}

export interface ChooseModelInput {
  /** From agent.yml `runtime`; empty strings if not set. */
  readonly agent: ModelWish;
  /** `default_provider` of daemon.yml. */
  readonly defaultProvider: string;
  readonly daemonFor: (provider: string) => { readonly model: string; readonly baseUrl: string };
  /** Looks in agent, login, daemon and environment, in this order. */
  readonly keyFor: (provider: string) => FoundKey | null;
  readonly adapters: readonly AdapterName[];
}

export interface ModelChoice {
  readonly provider: string;
  readonly adapter: AdapterName;
  readonly model: string;
  readonly baseUrl: string;
  /** Never logged, never sent to a client of the host. */
  readonly apiKey: string | null;
  readonly auth: 'api_key' | 'oauth';
  readonly scripted: boolean;
  readonly reason: 'agent' | 'daemon' | 'first_key' | 'nothing_configured';
}

/** Providers to try in order if none is configured. */
const keyOrder = ['anthropic', 'openai', 'google', 'openrouter'] as const;

/**
 * An agent that names a provider gets it, or an error about what is missing; no silent substitute. A default
 * that cannot work here (no key, no adapter) is skipped instead.
 */
export function chooseModel(input: ChooseModelInput): Result<ModelChoice> {
  const wished = input.agent.provider || (input.agent.baseUrl ? 'openai-compatible' : '');
  if (wished) return build(input, wished, 'agent');
  const candidates = [input.defaultProvider, ...keyOrder].filter((id) => id !== '');
  for (const [index, id] of candidates.entries()) {
    const choice = build(input, id, index === 0 && id === input.defaultProvider ? 'daemon' : 'first_key');
    if (choice.ok) return choice;
  }
  return ok(scripted('nothing_configured'));
}

function scripted(reason: ModelChoice['reason']): ModelChoice {
  return {
    provider: scriptedProvider,
    adapter: 'scripted',
    model: scriptedModelName,
    baseUrl: '',
    apiKey: null,
    auth: 'api_key',
    scripted: true,
    reason,
  };
}

function build(input: ChooseModelInput, id: string, reason: ModelChoice['reason']): Result<ModelChoice> {
  const info = providerInfo(id);
  if (!info) return err(unknownProvider(id));
  if (info.adapter === 'scripted') return ok(scripted(reason));
  const daemon = input.daemonFor(id);
  const own = input.agent.provider === id || (input.agent.provider === '' && reason === 'agent');
  const baseUrl = (own ? input.agent.baseUrl : '') || daemon.baseUrl || info.baseUrl;
  const adapter = baseUrl === info.baseUrl ? info.adapter : (info.elsewhere ?? info.adapter);
  if (!input.adapters.includes(adapter)) return err(noAdapter(info));
  const key = input.keyFor(id);
  if (!baseUrl) return err(missing('a base URL', info));
  // A custom base URL may be a server without keys; the provider's public address and another Kennel always
  // need one.
  const closed = baseUrl === info.baseUrl || adapter === 'stream-proxy';
  if (!key && info.needsKey && closed) return err(noKey(info));
  const model = input.agent.model || daemon.model || info.defaultModel;
  if (!model) return err(missing('a model name', info));
  return ok({
    provider: id,
    adapter,
    model,
    baseUrl,
    apiKey: key?.key ?? null,
    auth: key?.auth ?? 'api_key',
    scripted: false,
    reason,
  });
}

const unknownProvider = (id: string): AppError =>
  appError('invalid_input', `Kennel does not know a model provider called "${id}".`, {
    hint: `Use one of: ${providerIds.join(', ')}.`,
    where: 'runtime.provider',
  });

const noAdapter = (info: ProviderInfo): AppError =>
  appError('unsupported', `This version of Kennel cannot talk to ${info.name} directly yet.`, {
    hint: 'Choose another provider, or an OpenAI-compatible base URL.',
    where: 'runtime.provider',
  });

const noKey = (info: ProviderInfo): AppError =>
  appError('unauthenticated', `${info.name} needs a key or a login and there is none for this agent.`, {
    hint: 'Set one with `kennel agent runtime ID --api-key -`, log in with `kennel auth login`, or choose another provider.',
    where: 'runtime.api_key',
  });

const missing = (what: string, info: ProviderInfo): AppError =>
  appError('invalid_input', `${info.name} needs ${what}.`, {
    hint: 'Set it with `kennel agent runtime`.',
    where: 'runtime',
  });
