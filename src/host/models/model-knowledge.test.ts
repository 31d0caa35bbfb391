import { afterEach, describe, expect, it } from 'vitest';
import {
  createLocalModelServer,
  type LocalModelServer,
  ollamaRunning,
  ollamaShow,
} from '../../../test/fakes/local-model-server.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { type AgentConfig, agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { defaultDaemonConfig } from '../../services/config/daemon-schema.ts';
import { createModelKnowledge } from './model-knowledge.ts';

const servers: LocalModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const choiceOf = (baseUrl: string, more: Partial<ModelChoice> = {}): ModelChoice => ({
  provider: 'ollama',
  adapter: 'openai-completions',
  model: 'qwen3:8b',
  baseUrl,
  apiKey: null,
  auth: 'api_key',
  scripted: false,
  reason: 'agent',
  ...more,
});

function rig(runtime: object = {}, daemon: object = {}, baseUrl = 'http://127.0.0.1:1/v1') {
  const clock = createVirtualClock();
  const config: AgentConfig = agentConfigSchema().parse({
    runtime: { provider: 'ollama', model: 'qwen3:8b', ...runtime },
  });
  const knowledge = createModelKnowledge({
    ports: { clock, fetch },
    settings: { config: () => ({ ...defaultDaemonConfig(), ...daemon }) },
    agents: { get: (id) => (id === 'ada' ? ({ lastGood: config } as LoadedAgent) : null) },
    choose: (_id, { runtime: { provider, model } }) => ok(choiceOf(baseUrl, { provider, model })),
  });
  return { clock, knowledge, choice: choiceOf(baseUrl) };
}

async function ollama(answers: Parameters<typeof createLocalModelServer>[0]) {
  const server = await createLocalModelServer(answers);
  servers.push(server);
  return server;
}

const models = {
  'ollama/*': { context_window: 16_384, max_output_tokens: null, temperature: 0.5, native_tools: false },
};
const limits = { context_window: 32_768, max_output_tokens: 2_000, temperature: 0, native_tools: true };

describe('Model settings', () => {
  it('prefer the agent’s values over those of daemon.yml', () => {
    const price = { input: 0.1, output: 0.2 };
    const { knowledge, choice } = rig({ ...limits, price }, { models, prices: {} });
    expect(knowledge.known('ada', choice)).toMatchObject({
      contextWindow: 32_768,
      maxOutputTokens: 2_000,
      answerTokens: 2_000,
      temperature: 0,
      nativeTools: true,
      price: { input: 0.1, output: 0.2, cacheRead: 0.1, simulated: false },
    });
    expect(knowledge.known('bob', choice)).toMatchObject({
      contextWindow: 16_384,
      answerTokens: null,
      temperature: 0.5,
      nativeTools: false,
      price: null,
    });
  });
  it('of an agent do not apply to a model named by a workflow', () => {
    const { knowledge } = rig(limits);
    const other = { provider: 'ollama', model: 'other' };
    expect(knowledge.known('ada', other)).toMatchObject({ contextWindow: null, temperature: null });
  });
});

describe('Model facts from the server', () => {
  it('are cached and fetched again after 30 s, or after ten minutes while the model is loaded', async () => {
    const answers: Record<string, object> = { 'POST /api/show': ollamaShow(), 'GET /api/ps': { models: [] } };
    const server = await ollama(answers);
    const { clock, knowledge, choice } = rig({}, {}, `${server.url}/v1`);
    const window = async () => (await knowledge.facts('ada', choice)).contextWindow;
    expect(await Promise.all([window(), window()])).toEqual([40_960, 40_960]);
    expect(server.asked).toHaveLength(2);
    answers['GET /api/ps'] = ollamaRunning('qwen3:8b', 4_096);
    await clock.advance(30_000);
    expect([await window(), await window()]).toEqual([4_096, 4_096]);
    expect(server.asked).toHaveLength(4);
    await clock.advance(599_999);
    await window();
    expect(server.asked).toHaveLength(4);
    await clock.advance(1);
    await window();
    expect(server.asked).toHaveLength(6);
  });
  it('are overridden by a setting', async () => {
    const server = await ollama({ 'POST /api/show': ollamaShow({ capabilities: ['completion'] }) });
    const { knowledge, choice } = rig({ context_window: 10_000 }, {}, `${server.url}/v1`);
    expect(await knowledge.facts('ada', choice)).toMatchObject({ contextWindow: 10_000, nativeTools: false });
  });
  it('are empty if the server is unreachable', async () => {
    const { knowledge, choice } = rig();
    expect(await knowledge.facts('ada', choice)).toMatchObject({ contextWindow: null, nativeTools: true });
  });
});
