import { ok } from '../../contract/result.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

type BridgeMethods = Pick<
  Handlers,
  'agents.request' | 'bridge.status' | 'bridge.openPairing' | 'bridge.closePairing' | 'bridge.unpair'
>;

export function createBridgeHandlers({ agents, bridge, secrets }: HostContext): BridgeMethods {
  return {
    'agents.request': ({ agent: ref, request }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { id } = found.value;
      // The agent stays paused even if archiving fails.
      const paused = request === 'archive' ? agents.setState(id, 'paused') : found;
      if (!paused.ok) return paused;
      const asked = agents.request(id, request);
      if (!asked.ok) return asked;
      // The API key is stored outside the folder, which the request deletes.
      const forgotten = request === 'delete' ? secrets.apiKeys.removeForAgent(id) : asked;
      return forgotten.ok ? ok({}) : forgotten;
    },
    'bridge.status': () => ok(bridge.status()),
    'bridge.openPairing': async ({ device }) => {
      const opened = await bridge.openPairing(device ?? null);
      if (!opened.ok) return opened;
      const { code, until, url } = opened.value;
      return ok({ code, until, url });
    },
    'bridge.closePairing': async () => {
      await bridge.closePairing();
      return ok({});
    },
    'bridge.unpair': () => {
      const before = bridge.unpair();
      return before.ok ? ok({ slug: before.value?.slug ?? null }) : before;
    },
  };
}
