import { setImmediate as breathe } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { createFleetLauncher } from './agent-launcher.ts';

it('Agents that start together let the event loop run in between (F21)', async () => {
  const order: string[] = [];
  const launcher = createFleetLauncher({
    load:
      async () =>
      async (_parts, { id }) => {
        order.push(id);
        return ok({ update: () => undefined, stop: async () => undefined });
      },
    states: { eventsOf: () => ({}) as never },
  });
  launcher.begin({} as never);
  const start = (id: string) =>
    launcher.launch(
      { id, wish: 'run', restartKey: '', config: {} as AgentConfig },
      { failed: () => undefined, signal: new AbortController().signal },
    );
  const started = Promise.all(['a', 'b', 'c'].map(start));
  while (!order.includes('c')) {
    await breathe();
    order.push('turn');
  }
  await started;
  expect(order.join(' ')).toMatch(/a turn.* b turn.* c/);
});
