import { ok } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';
import type { Bridge } from './bridge.ts';

type BridgeMethods = Pick<
  Handlers,
  'agents.request' | 'bridge.status' | 'bridge.openPairing' | 'bridge.closePairing' | 'bridge.unpair'
>;

export interface BridgeHandlerDeps {
  readonly agents: AgentStore;
  readonly bridge: Bridge;
  readonly apiKeys: Pick<ApiKeySecrets, 'removeForAgent'>;
}

export function createBridgeHandlers({ agents, bridge, apiKeys }: BridgeHandlerDeps): BridgeMethods {
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
      const forgotten = request === 'delete' ? apiKeys.removeForAgent(id) : asked;
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
