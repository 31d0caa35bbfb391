import { expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { type UseModelDeps, useModel } from './use-model.ts';

it('A model for all agents is rejected as a whole if the settings were changed since they were loaded', async () => {
  const versions: unknown[] = [];
  const edit: UseModelDeps['edit'] = {
    'config.set': ({ version }) => {
      versions.push(version);
      return err(textError('conflict', 'The settings were changed elsewhere.'));
    },
    'agents.setRuntime': () => {
      throw new Error('The agent must stay as it is.');
    },
  };
  const agents = { get: () => ({ id: 'guide' }), list: () => [] } as unknown as AgentStore;
  const wish = { agent: 'guide', provider: 'openai', model: 'gpt-x', baseUrl: '', forAll: true };
  expect(await useModel({ agents, edit }, { ...wish, configVersion: 'old' })).toMatchObject({
    error: { code: 'conflict' },
  });
  expect(versions).toEqual(['old']);
});
