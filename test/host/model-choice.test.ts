import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalModelServer, type LocalModelServer, streamText } from '../fakes/local-model-server.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let server: LocalModelServer;
const bodies: { max_tokens?: number; model: string }[] = [];

beforeEach(async () => {
  home = newHome();
  const keychain = createMemoryKeychain();
  kennel = await startHost(home.home, { loadKeychain: async () => keychain });
  bodies.length = 0;
  server = await createLocalModelServer({
    'GET /v1/models': { data: [{ id: 'qwen3:8b' }] },
    'GET /api/ps': { models: [] },
    'POST /v1/chat/completions': (response, body) => {
      bodies.push(JSON.parse(body) as (typeof bodies)[number]);
      streamText(response, 'Hi');
    },
  });
});
afterEach(async () => {
  await kennel.stop();
  await server.stop();
  home.remove();
});

describe('Model settings', () => {
  it('are read back as saved; a save with an old version is refused and changes nothing', async () => {
    const before = await kennel.call('config.get', {});
    expect(before).toMatchObject({ defaultProvider: 'anthropic', providers: {}, inUse: null });
    const { version } = before;
    const change = { defaultProvider: 'openai', provider: 'openai', model: 'gpt-5', baseUrl: '' };
    await kennel.call('config.set', { ...change, version });
    const saved = await kennel.call('config.get', {});
    expect(saved).toMatchObject({ defaultProvider: 'openai', providers: { openai: { model: 'gpt-5' } } });
    const late = {
      defaultProvider: 'google',
      provider: 'google',
      model: 'other',
      apiKey: 'sk-late',
      version,
    };
    expect(await kennel.tryCall('config.set', late)).toMatchObject({ error: { code: 'conflict' } });
    expect(await kennel.call('config.get', {})).toEqual(saved);
  });

  it('refuse an old version for each part of an agent, rules and budgets', async () => {
    await kennel.call('agents.create', { id: 'ada', register: false });
    const { versions } = await kennel.call('agents.get', { agent: 'ada' });
    const { version: tools } = await kennel.call('agents.tools', { agent: 'ada' });
    const { version: policy } = await kennel.call('policy.get', {});
    const { budget } = await kennel.call('usage.get', { agent: 'ada' });
    const rules = [{ action: 'deny' as const, tool: 'bash_exec' }];
    const writes = [
      () => kennel.tryCall('agents.setRuntime', { agent: 'ada', model: 'm', version: versions.model }),
      () => kennel.tryCall('agents.setModel', { agent: 'ada', temperature: 1, version: versions.limits }),
      () => kennel.tryCall('agents.edit', { agent: 'ada', role: 'Writes', version: versions.profile }),
      () => kennel.tryCall('agents.setTools', { agent: 'ada', rules, version: tools }),
      () => kennel.tryCall('policy.set', { rules, version: policy }),
      () =>
        kennel.tryCall('usage.setBudget', {
          agent: 'ada',
          budget: { ...budget, tokensPerDay: 5_000 },
          before: budget,
        }),
    ];
    for (const write of writes) expect(await write()).toMatchObject({ ok: true });
    for (const write of writes) expect(await write()).toMatchObject({ error: { code: 'conflict' } });
  });
});

describe('Test of a model', () => {
  it('sends one request of one token to the values of the form and saves nothing', async () => {
    const baseUrl = `${server.url}/v1`;
    expect(await kennel.call('models.test', { provider: 'ollama', baseUrl })).toMatchObject({
      provider: 'ollama',
      model: 'qwen3:8b',
      scripted: false,
    });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({ model: 'qwen3:8b' });
    expect(JSON.stringify(bodies[0])).toMatch(/"max(_completion)?_tokens":1[,}]/);
    expect((await kennel.call('config.get', {})).providers).toEqual({});
  });

  it('reports a missing key and an unreachable server, and tests the model of all agents', async () => {
    expect(await kennel.tryCall('models.test', { provider: 'anthropic' })).toMatchObject({
      error: { code: 'unauthenticated' },
    });
    expect(await kennel.tryCall('models.test', { provider: '' })).toMatchObject({
      error: { code: 'unauthenticated', message: 'No model is set up yet.' },
    });
    const baseUrl = `${server.url}/v1`;
    await kennel.call('config.set', { defaultProvider: 'vllm', provider: 'vllm', model: 'm', baseUrl });
    expect(await kennel.call('models.test', { provider: '' })).toMatchObject({
      provider: 'vllm',
      model: 'm',
    });
    await server.stop();
    expect(await kennel.tryCall('models.test', { provider: 'vllm' })).toMatchObject({ ok: false });
  });
});

describe('An agent without a model', () => {
  it('has an error instead of a script outside the demo, and loses it when a model is saved', async () => {
    await kennel.call('agents.create', { id: 'ada', register: false });
    const start = (await kennel.call('models.test', { provider: 'scripted' })).scripted;
    expect(start).toBe(true);
    const without = await kennel.call('agents.get', { agent: 'ada' });
    expect([without.scripted, without.provider]).toEqual([false, '']);
    await kennel.call('config.set', { provider: 'anthropic', apiKey: 'sk-ant-test' });
    expect(await kennel.call('agents.get', { agent: 'ada' })).toMatchObject({
      scripted: false,
      provider: 'anthropic',
      error: null,
    });
  });
});
