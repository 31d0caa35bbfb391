import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

export function createDataHandlers({ agents, data }: HostContext): Pick<Handlers, 'agents.dataAccess'> {
  return {
    'agents.dataAccess': ({ agent: ref, tcp }) => {
      const found = findAgent(agents, ref);
      return found.ok ? data.access(found.value.id, tcp) : found;
    },
  };
}
