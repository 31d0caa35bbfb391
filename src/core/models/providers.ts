/** Model providers that Kennel knows by name: address, need of a key, and default model. */

import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';

/** Wire formats, one adapter each. */
export type AdapterName =
  | 'anthropic'
  | 'openai-responses'
  | 'openai-completions'
  | 'google'
  | 'stream-proxy'
  | 'scripted';

export interface ProviderInfo {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** A key or a login. */
  readonly needsKey: boolean;
  /** Empty if the operator must name one. */
  readonly defaultModel: string;
  readonly adapter: AdapterName;
  /** Each response reports its cost in US dollars. */
  readonly reportsCost?: true;
  /** Adapter for a custom address: servers that imitate a provider support only its older interface. */
  readonly elsewhere?: AdapterName;
}

export const scriptedProvider = 'scripted';
export const scriptedModelName = 'scripted-helper';

const known: readonly ProviderInfo[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    needsKey: true,
    defaultModel: 'claude-sonnet-4-6',
    adapter: 'anthropic',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    defaultModel: 'gpt-4o',
    adapter: 'openai-responses',
    elsewhere: 'openai-completions',
  },
  {
    id: 'google',
    name: 'Google',
    baseUrl: 'https://generativelanguage.googleapis.com',
    needsKey: true,
    defaultModel: 'gemini-2.5-flash',
    adapter: 'google',
  },
  { ...compatible('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', true), reportsCost: true },
  compatible('ollama', 'Ollama', 'http://127.0.0.1:11434/v1', false),
  compatible('lmstudio', 'LM Studio', 'http://127.0.0.1:1234/v1', false),
  compatible('vllm', 'vLLM', 'http://127.0.0.1:8000/v1', false),
  compatible('llamacpp', 'llama.cpp', 'http://127.0.0.1:8080/v1', false),
  compatible('openai-compatible', 'OpenAI-compatible server', '', false),
  {
    id: 'kennel-proxy',
    name: 'Another Kennel',
    baseUrl: '',
    needsKey: true,
    // The other host chooses.
    defaultModel: 'default',
    adapter: 'stream-proxy',
  },
  {
    id: scriptedProvider,
    name: 'Scripted helper (not a model)',
    baseUrl: '',
    needsKey: false,
    defaultModel: scriptedModelName,
    adapter: 'scripted',
  },
];

function compatible(id: string, name: string, baseUrl: string, needsKey: boolean): ProviderInfo {
  return { id, name, baseUrl, needsKey, defaultModel: '', adapter: 'openai-completions' };
}

export const providerIds: readonly string[] = known.map((provider) => provider.id);

export const providerInfo = (id: string): ProviderInfo | null =>
  known.find((provider) => provider.id === id) ?? null;

/** `where` is the field that holds the name. */
export const unknownProvider = (
  name: string,
  where: string,
  names: readonly string[] = providerIds,
): AppError =>
  fail(
    'invalid_input',
    'models.unknownProviderName',
    { name, names: names.join(', ') },
    { help: 'models.useOneOf', where },
  );
