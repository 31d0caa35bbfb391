import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { findModelTarget, type ModelTargetDeps } from './model-target.ts';

const gateway = 'https://gateway.example/v1';
const agent = { id: 'guide', lastGood: agentConfigSchema().parse({}) } as LoadedAgent;
const deps: ModelTargetDeps = {
  agents: { get: () => agent, list: () => [agent] } as unknown as AgentStore,
  settings: { provider: () => ({ model: '', baseUrl: gateway }) },
  apiKeys: {
    find: () => ({ key: 'secret', auth: 'api_key', own: false }),
    hasOwn: () => false,
  } as unknown as ModelTargetDeps['apiKeys'],
  token: async () => ok(''),
};
const address = async (wish: { agent?: string; baseUrl?: string }) => {
  const target = await findModelTarget(deps, { provider: 'openai', ...wish });
  return target.ok ? target.value.baseUrl : target.error.code;
};

it('An empty address means to a test what it means to a save', async () => {
  expect(await address({ baseUrl: '' })).toBe('https://api.openai.com/v1');
  expect(await address({ agent: 'guide', baseUrl: '' })).toBe(gateway);
  expect(await address({})).toBe(gateway);
});
