/** Every adapter that the suites of this folder test. */
import type { AdapterUnderTest } from './adapter-under-test.ts';
import { anthropicAdapter } from './anthropic-wire.ts';
import { googleAdapter } from './google-wire.ts';
import { compatibleAdapter, openAiCompletionsAdapter } from './openai-completions-wire.ts';
import { openAiResponsesAdapter } from './openai-responses-wire.ts';
import { streamProxyAdapter } from './stream-proxy-wire.ts';

export const adaptersUnderTest: readonly AdapterUnderTest[] = [
  anthropicAdapter,
  googleAdapter,
  openAiResponsesAdapter,
  openAiCompletionsAdapter,
  compatibleAdapter,
  streamProxyAdapter,
];
