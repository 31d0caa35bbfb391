import { afterEach, describe, expect, it } from 'vitest';
import {
  createLocalModelServer,
  type LocalModelServer,
  ollamaRunning,
  ollamaShow,
} from '../../../test/fakes/local-model-server.ts';
import { askModelFacts } from './ask-model-facts.ts';

const servers: LocalModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

type Answers = Parameters<typeof createLocalModelServer>[0];

async function ask(provider: string, answers: Answers, { model = 'qwen3:8b', apiKey = '' } = {}) {
  const server = await createLocalModelServer(answers);
  servers.push(server);
  const target = { provider, model, baseUrl: `${server.url}/v1`, apiKey: apiKey || null, auth: 'api_key' };
  const facts = await askModelFacts({ fetch }, { ...target, auth: 'api_key' });
  return { facts, asked: [...server.asked].sort() };
}

describe('Ollama model facts', () => {
  it('report the trained window of a model that is not loaded as preliminary', async () => {
    const { facts, asked } = await ask('ollama', {
      'POST /api/show': ollamaShow(),
      'GET /api/ps': { models: [] },
    });
    expect(facts).toEqual({ contextWindow: 40_960, vision: false, nativeTools: true, settled: false });
    expect(asked).toEqual(['GET /api/ps', 'POST /api/show {"model":"qwen3:8b"}']);
  });
  it('prefer the model’s num_ctx to its trained window', async () => {
    const { facts } = await ask('ollama', {
      'POST /api/show': ollamaShow({ parameters: 'num_ctx                        8192\nstop "<|end|>"' }),
    });
    expect(facts).toMatchObject({ contextWindow: 8_192, settled: true });
  });
  it('prefer the window of the loaded model to all others', async () => {
    const loaded = { 'POST /api/show': ollamaShow(), 'GET /api/ps': ollamaRunning('qwen3:latest', 4_096) };
    expect((await ask('ollama', loaded, { model: 'qwen3' })).facts).toMatchObject({
      contextWindow: 4_096,
      settled: true,
    });
    expect((await ask('ollama', loaded, { model: 'other' })).facts).toMatchObject({ contextWindow: 40_960 });
  });
  it('report no native tool calls for a model without the capability', async () => {
    const { facts } = await ask('ollama', {
      'POST /api/show': ollamaShow({ capabilities: ['completion', 'vision'] }),
    });
    expect(facts).toMatchObject({ nativeTools: false, vision: true });
  });
  it('leave capabilities unknown for an old server that does not report them', async () => {
    const { facts } = await ask('ollama', { 'POST /api/show': ollamaShow({ capabilities: undefined }) });
    expect(facts).toMatchObject({ nativeTools: null, vision: null });
  });
});

describe('LM Studio model facts', () => {
  const model = (more: object) => ({
    id: 'qwen/qwen3-8b',
    object: 'model',
    type: 'llm',
    publisher: 'qwen',
    arch: 'qwen3',
    compatibility_type: 'gguf',
    quantization: 'Q4_K_M',
    state: 'not-loaded',
    max_context_length: 40_960,
    capabilities: ['tool_use'],
    ...more,
  });
  const list = (more: object = {}) => ({
    'GET /api/v0/models': { object: 'list', data: [model({ id: 'other', type: 'embeddings' }), model(more)] },
  });
  it('report the loaded window, or the largest for a model that is not loaded', async () => {
    const loaded = await ask('lmstudio', list({ state: 'loaded', loaded_context_length: 4_096 }), {
      model: 'qwen/qwen3-8b',
      apiKey: 'k1',
    });
    expect(loaded.facts).toEqual({
      contextWindow: 4_096,
      vision: false,
      nativeTools: null,
      settled: true,
    });
    expect((await ask('lmstudio', list({ type: 'vlm' }), { model: 'qwen/qwen3-8b' })).facts).toMatchObject({
      contextWindow: 40_960,
      vision: true,
      settled: false,
    });
  });
});

describe('Model facts of vLLM and similar servers', () => {
  const card = { id: 'qwen3:8b', object: 'model', created: 1_760_000_000, owned_by: 'vllm', root: 'qwen' };
  it.each([
    ['vllm', { ...card, parent: null, max_model_len: 32_768, permission: [] }],
    ['openai-compatible', { ...card, owned_by: 'llamacpp', meta: { n_ctx: 32_768, n_ctx_train: 131_072 } }],
    ['openai-compatible', { ...card, context_length: 32_768 }],
  ])('are read from the model list of %s', async (provider, one) => {
    const data = [{ ...card, id: 'lora', max_model_len: 1 }, one];
    const { facts, asked } = await ask(provider, { 'GET /v1/models': { object: 'list', data } });
    expect(facts).toMatchObject({ contextWindow: 32_768, settled: true });
    expect(asked).toEqual(['GET /v1/models']);
  });
});

describe('Model facts of a server without usable responses', () => {
  it.each<[string, Answers]>([
    ['is no such server', {}],
    ['says something else', { 'GET /v1/models': '<html>', 'POST /api/show': '[]', 'GET /api/ps': '5' }],
    [
      'sends elsewhere',
      {
        'GET /v1/models': (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
        'POST /api/show': (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      },
    ],
    ['never ends', { 'GET /v1/models': (response) => void response.writeHead(200).write('{') }],
  ])('are unknown if the server %s', async (_what, answers) => {
    for (const provider of ['ollama', 'lmstudio', 'vllm'])
      expect((await ask(provider, answers)).facts).toBeNull();
  });
  it('A provider on the public internet is not asked for model facts', async () => {
    expect(await ask('openai', {})).toEqual({ facts: null, asked: [] });
  });
});
