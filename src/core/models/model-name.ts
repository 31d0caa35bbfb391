/** Names of models with their provider, such as `anthropic/claude-sonnet-4-6`, as LiteLLM and the reference write them. */
import { providerInfo } from './providers.ts';

export interface NamedProviderModel {
  /** Id of `providers.ts`. */
  readonly provider: string;
  readonly model: string;
}

const otherNames: Readonly<Record<string, string>> = {
  gemini: 'google',
  ollama_chat: 'ollama',
  lm_studio: 'lmstudio',
};

const families: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
];

/** A name without a known provider belongs to OpenAI. */
export function readModelName(name: string): NamedProviderModel {
  const slash = name.indexOf('/');
  if (slash > 0) {
    const first = name.slice(0, slash);
    const provider = Object.hasOwn(otherNames, first) ? (otherNames[first] ?? first) : first;
    if (providerInfo(provider)) return { provider, model: name.slice(slash + 1) };
  }
  const family = families.find(([pattern]) => pattern.test(name));
  if (family) return { provider: family[1], model: name };
  return providerInfo(name)?.defaultModel
    ? { provider: name, model: '' }
    : { provider: 'openai', model: name };
}

/** Variables of the environment that hold the key of a provider, the first one first. */
export const keyVariables: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  'openai-compatible': ['OPENAI_API_KEY'],
};

/** Variable with another address of a provider, for example `OPENAI_BASE_URL`. */
export const addressVariable = (provider: string): string =>
  `${provider === 'google' ? 'GEMINI' : provider.replaceAll('-', '_').toUpperCase()}_BASE_URL`;
