import { describe, expect, it } from 'vitest';
import { createAgentRig } from '../../../test/fakes/agent-rig.ts';
import { says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';

describe('Guarded stream', () => {
  it('waits minutes for a model that is loading, up to a limit (F12)', async () => {
    const rig = createAgentRig([says('never')], {
      retry: { tries: 0, firstMs: 0, maxMs: 0 },
      stream: async function* (_context, _options, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      },
    });
    const run = rig.agent.prompt('go');
    await settle(10);
    await rig.clock.advance(329_000);
    expect(rig.agent.state.isStreaming).toBe(true);
    await rig.clock.advance(2_000);
    await run;
    expect(rig.agent.state.errorMessage).toBe('The model has sent nothing for 330 s.');
  });
});
