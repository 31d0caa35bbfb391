import { describe, expect, it } from 'vitest';
import type { RuntimeAdapter, RuntimeRegistry } from '../../core/runtimes/runtime-adapter.ts';
import { type AgentRuntimesDeps, createAgentRuntimes, type RuntimeOf } from './agent-runtime.ts';

function runtimes() {
  const closed: number[] = [];
  let count = 0;
  const adapter: RuntimeAdapter = {
    open() {
      count += 1;
      const number = count;
      return {
        run: () => (async function* () {})(),
        close: async () => void closed.push(number),
      };
    },
  };
  const registry = { 'cli-local': async () => adapter } as unknown as RuntimeRegistry;
  const deps = { runtimes: registry, kitOf: async () => async () => null } as unknown as AgentRuntimesDeps;
  const agent = {
    opened: { id: 'ada', store: {}, crypto: {} },
    config: () => ({ runtime: { kind: 'cli-local' } }),
    messaging: async () => null,
  } as unknown as RuntimeOf;
  return { ...createAgentRuntimes(deps)(agent), closed };
}

describe('Runtimes of an agent', () => {
  it('are closed once: those of claims of tasks with their claim, the others with the agent', async () => {
    const { taskRuntime, close, closed } = runtimes();
    const first = await taskRuntime((turns) => turns, null);
    await taskRuntime((turns) => turns, null);
    await first.close?.();
    expect(closed).toEqual([1]);
    await close();
    expect(closed).toEqual([1, 2]);
  });
});
