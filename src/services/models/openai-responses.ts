/**
 * OpenAI's Responses API. It promises that the server stores nothing, that encrypted reasoning goes back to
 * the model that made it, and that a call counts only once its arguments are complete.
 */
import type { ModelPort } from '../../core/models/model-ports.ts';
import { endpoint, type HttpModelDeps, streamOverHttp } from './http-stream.ts';
import { lenientFetch } from './lenient-fetch.ts';
import { createResponsesReader } from './responses-reader.ts';
import { responsesBody, responsesRemedies } from './responses-request.ts';

const api = 'openai-responses';

export function createOpenAiResponsesModel(deps: HttpModelDeps): ModelPort {
  const asking = { ...deps, fetch: lenientFetch(deps.fetch ?? fetch, responsesRemedies) };
  return {
    api,
    stream(target, context, options, signal) {
      const url = endpoint(target.baseUrl, '/v1', '/responses');
      const headers = target.apiKey ? { authorization: `Bearer ${target.apiKey}` } : {};
      return streamOverHttp(asking, {
        api,
        target,
        options,
        signal,
        request: url === null ? null : { url, headers, body: responsesBody(target, context, options) },
        reader: (builder) => createResponsesReader(target, builder),
      });
    },
  };
}
