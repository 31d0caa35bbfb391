import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createProblems } from '../problems.ts';
import { Registrations } from './registrations.ts';

const registered = (slug: string): LoadedAgent => {
  const config = agentConfigSchema().parse({});
  return { id: 'guide', lastGood: { ...config, puffo_core: { ...config.puffo_core, slug } } } as LoadedAgent;
};

/** The problem after a registration that the server refused. */
async function refused(agent: LoadedAgent) {
  const problems = createProblems(createVirtualClock(), () => undefined);
  const registrations = new Registrations({
    pending: {
      isWanted: () => true,
      want: () => ok(undefined),
      forget: () => ok(undefined),
      once: (_, run) => run(),
    },
    agents: { get: () => agent, list: () => [agent] },
    problems,
    createRetryLoop: (_, pass) => ({
      run: async () => {
        await pass();
      },
      isStopped: () => false,
      stop: () => undefined,
    }),
    isSignedIn: () => true,
    register: async () => err(fail('forbidden', 'identity.noOperator')),
  });
  registrations.online();
  await Promise.resolve();
  await Promise.resolve();
  return problems.list()[0];
}

it('A refused registration is a problem with a typed message', async () => {
  expect(await refused(registered(''))).toMatchObject({
    message: 'guide has its files and no identity yet: There is no operator yet.',
    said: { values: { id: 'guide', why: { key: 'identity.noOperator' } } },
    help: { key: 'identity.runAgentRegister' },
  });
  expect(await refused(registered('guide-0001'))).toMatchObject({
    message: 'There is no operator yet.',
    said: { key: 'identity.noOperator' },
  });
});
