import { t } from '../../language/texts.ts';

/** Input that a provider requires from the operator. */
export type ProviderNeed = 'nothing' | 'key' | 'address' | 'both';

const localServers: Readonly<Record<string, string>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  vllm: 'vLLM',
  llamacpp: 'llama.cpp',
};

const providers = (): readonly (readonly [string, string, ProviderNeed])[] => [
  ['', t('runtime.automatic'), 'nothing'],
  ['anthropic', 'Anthropic', 'key'],
  ['openai', 'OpenAI', 'key'],
  ['google', 'Google', 'key'],
  ['openrouter', 'OpenRouter', 'key'],
  ...Object.entries(localServers).map(
    ([key, name]) => [key, t('runtime.onThisComputer', { name }), 'address'] as const,
  ),
  ['openai-compatible', t('runtime.compatible'), 'both'],
  ['kennel-proxy', t('runtime.kennelProxy'), 'both'],
  ['scripted', t('runtime.scripted'), 'nothing'],
];

/**
 * Without the script, except for an agent that follows it and in the demo. Adds the current value if it is
 * unknown to the page, so that saving never changes it silently.
 */
export function providerOptions(current: string, demo: boolean): readonly (readonly [string, string])[] {
  const known = providers()
    .filter(([key]) => key !== 'scripted' || demo || current === 'scripted')
    .map(([key, name]) => [key, name] as const);
  return known.some(([key]) => key === current) ? known : [...known, [current, current]];
}

export const providerName = (provider: string): string =>
  providers().find(([key]) => key === provider)?.[1] ?? provider;

/** Without the place of a local server. */
export const shortProviderName = (provider: string): string =>
  localServers[provider] ?? providerName(provider);

export const providerNeed = (provider: string): ProviderNeed =>
  providers().find(([key]) => key === provider)?.[2] ?? 'both';

/** True for a server of the operator's own, which has no default model. */
export const needsModelName = (provider: string): boolean =>
  ['address', 'both'].includes(providerNeed(provider));

/** False if the provider has no endpoint that lists models. */
export const hasModelList = (provider: string): boolean =>
  !['', 'scripted', 'kennel-proxy'].includes(provider);
