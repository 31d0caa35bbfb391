import { t } from '../../language/texts.ts';

const providers = (): readonly (readonly [string, string])[] => [
  ['', t('runtime.automatic')],
  ['scripted', t('runtime.scripted')],
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI'],
  ['google', 'Google'],
  ['openrouter', 'OpenRouter'],
  ['ollama', t('runtime.ollama')],
  ['lmstudio', t('runtime.lmstudio')],
  ['vllm', 'vLLM'],
  ['openai-compatible', t('runtime.compatible')],
  ['kennel-proxy', t('runtime.kennelProxy')],
];

/** Adds the current value if it is unknown to the page, so that saving never changes it silently. */
export function providerOptions(current: string): readonly (readonly [string, string])[] {
  const known = providers();
  return known.some(([key]) => key === current) ? known : [...known, [current, current]];
}

export const providerName = (provider: string): string =>
  providers().find(([key]) => key === provider)?.[1] ?? provider;

/** False if the provider has no endpoint that lists models. */
export const hasModelList = (provider: string): boolean =>
  !['', 'scripted', 'kennel-proxy'].includes(provider);
