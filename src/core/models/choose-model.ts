/**
 * Chooses the model of an agent's next turn: the agent's setting, the daemon's, the first key found,
 * in the demo the scripted model, otherwise an error that asks for a model.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import {
  type AdapterName,
  type ProviderInfo,
  providerInfo,
  scriptedModelName,
  scriptedProvider,
  unknownProvider,
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
  /** Only the demo may answer with the script if nothing else is set up. */
  readonly isScriptAllowed: () => boolean;
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
  return input.isScriptAllowed() ? ok(scripted('nothing_configured')) : err(nothingSetUp);
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
  if (!info) return err(unknownProvider(id, 'runtime.provider'));
  if (info.adapter === 'scripted') return ok(scripted(reason));
  const daemon = input.daemonFor(id);
  const own = input.agent.provider === id || (input.agent.provider === '' && reason === 'agent');
  const baseUrl = (own ? input.agent.baseUrl : '') || daemon.baseUrl || info.baseUrl;
  const adapter = baseUrl === info.baseUrl ? info.adapter : (info.elsewhere ?? info.adapter);
  if (!input.adapters.includes(adapter)) return err(noAdapter(info));
  const key = input.keyFor(id);
  if (!baseUrl) return err(missing(say('models.neededBaseUrl'), info));
  // A custom base URL may be a server without keys; the provider's public address and another Kennel always
  // need one.
  const closed = baseUrl === info.baseUrl || adapter === 'stream-proxy';
  if (!key && info.needsKey && closed) return err(noKey(info));
  const model = input.agent.model || daemon.model || info.defaultModel;
  if (!model) return err(missing(say('models.neededModelName'), info));
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

const nothingSetUp = fail(
  'unauthenticated',
  'models.noModelSetUp',
  {},
  { help: 'models.setUpModel', where: 'runtime.provider' },
);

const noAdapter = (info: ProviderInfo): AppError =>
  fail(
    'unsupported',
    'models.unsupportedProviderName',
    { name: info.name },
    { help: 'models.chooseOtherProvider', where: 'runtime.provider' },
  );

const noKey = (info: ProviderInfo): AppError =>
  fail(
    'unauthenticated',
    'models.keyOrLoginNeeded',
    { name: info.name },
    { help: 'models.setKeyOrLogIn', where: 'runtime.api_key' },
  );

const missing = (what: HostText, info: ProviderInfo): AppError =>
  fail(
    'invalid_input',
    'models.providerNeeds',
    { name: info.name, what },
    { help: 'models.runAgentRuntime', where: 'runtime' },
  );
