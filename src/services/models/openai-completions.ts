/**
 * Chat completions, of OpenAI and of every server that imitates them. It promises to handle the known
 * differences, to retry without a field that a server rejects by name, and never to run a call that arrived
 * incomplete.
 */
import type { ModelPort } from '../../core/models/model-ports.ts';
import { createCompletionsReader } from './completions-reader.ts';
import { completionsBody, completionsRemedies } from './completions-request.ts';
import { endpoint, type HttpModelDeps, streamOverHttp } from './http-stream.ts';
import { lenientFetch } from './lenient-fetch.ts';

const api = 'openai-completions';

export function createOpenAiCompletionsModel(deps: HttpModelDeps): ModelPort {
  const asking = { ...deps, fetch: lenientFetch(deps.fetch ?? fetch, completionsRemedies) };
  return {
    api,
    stream(target, context, options, signal) {
      const url = endpoint(target.baseUrl, '/v1', '/chat/completions');
      const headers = target.apiKey ? { authorization: `Bearer ${target.apiKey}` } : {};
      return streamOverHttp(asking, {
        api,
        target,
        options,
        signal,
        request: url === null ? null : { url, headers, body: completionsBody(target, context, options) },
        reader: (builder) => createCompletionsReader(target, builder),
      });
    },
  };
}
