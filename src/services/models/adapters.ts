/** The registry of model adapters: one loader per wire format. */
import type { ModelPort } from '../../core/models/model-ports.ts';
import type { AdapterName } from '../../core/models/providers.ts';
import type { Log } from '../../core/ports.ts';
import type { HttpModelDeps } from './http-stream.ts';

export interface AdapterDeps extends HttpModelDeps {
  readonly log?: Pick<Log, 'warn'>;
}

export const modelAdapters: Readonly<Record<AdapterName, (deps: AdapterDeps) => Promise<ModelPort>>> = {
  anthropic: async (deps) => (await import('./anthropic.ts')).createAnthropicModel(deps),
  'openai-responses': async (deps) =>
    (await import('./openai-responses.ts')).createOpenAiResponsesModel(deps),
  'openai-completions': async (deps) =>
    (await import('./openai-completions.ts')).createOpenAiCompletionsModel(deps),
  google: async (deps) => (await import('./google.ts')).createGoogleModel(deps),
  'stream-proxy': async (deps) => (await import('./stream-proxy.ts')).createStreamProxyModel(deps),
  scripted: async (deps) => (await import('./scripted/scripted-model.ts')).createScriptedModel(deps),
};
