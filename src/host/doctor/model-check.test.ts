import { expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { SummarizeAgent } from '../agents/agent-view.ts';
import { checkModels } from './model-check.ts';

function agent(id: string, provider: string, baseUrl = ''): LoadedAgent {
  const base = agentConfigSchema().parse({});
  return {
    id,
    lastGood: { ...base, runtime: { ...base.runtime, provider, base_url: baseUrl } },
  } as LoadedAgent;
}
const summarize = (({ lastGood }: LoadedAgent) => ({
  provider: lastGood?.runtime.provider ?? '',
  scripted: false,
})) as unknown as SummarizeAgent;

async function check(list: readonly LoadedAgent[], owners: readonly string[] = []) {
  const asked: (string | undefined)[] = [];
  const checks = await checkModels({
    agents: { list: () => list },
    summarize,
    apiKeys: { hasOwn: (id) => owners.includes(id) },
    listModels: ({ provider, agent: id }) => {
      asked.push(id);
      return provider === 'kennel-proxy'
        ? err(textError('unsupported', 'It has no list.'))
        : ok({ models: [], at: 0 });
    },
  });
  return { asked, ids: checks.map(({ id }) => id) };
}

it('A provider without a list of models is not reported', async () => {
  expect((await check([agent('a', 'kennel-proxy'), agent('b', 'openai')])).ids).toEqual(['model-openai']);
});

it('Each address and each owner of a key is asked once', async () => {
  const agents = [
    agent('a', 'openai'),
    agent('b', 'openai'),
    agent('c', 'openai', 'https://gateway.example/v1'),
    agent('d', 'openai'),
  ];
  expect(await check(agents, ['d'])).toEqual({
    asked: ['a', 'c', 'd'],
    ids: ['model-openai', 'model-openai-c', 'model-openai-d'],
  });
});
