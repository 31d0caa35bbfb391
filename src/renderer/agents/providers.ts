/** The model providers a person can choose by name; any other name that the host knows stays as it is. */

export const providers: readonly (readonly [string, string])[] = [
  ['', 'Automatic: the first that is set up'],
  ['scripted', 'Scripted helper (no model)'],
  ['anthropic', 'Anthropic'],
  ['openai', 'OpenAI'],
  ['google', 'Google'],
  ['openrouter', 'OpenRouter'],
  ['ollama', 'Ollama, on this computer'],
  ['lmstudio', 'LM Studio, on this computer'],
  ['vllm', 'vLLM'],
  ['openai-compatible', 'Another server that speaks the OpenAI protocol'],
  ['kennel-proxy', 'Another Kennel'],
];

/** Adds the present value when it is none of the known ones, so that saving never changes it silently. */
export const providerOptions = (current: string): readonly (readonly [string, string])[] =>
  providers.some(([key]) => key === current) ? providers : [...providers, [current, current]];

export const providerName = (provider: string): string =>
  providers.find(([key]) => key === provider)?.[1] ?? provider;
