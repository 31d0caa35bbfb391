import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { DataService } from './data-service.ts';

export interface DataHandlersDeps {
  readonly agents: AgentStore;
  readonly data: Pick<DataService, 'access'>;
}

export function createDataHandlers({ agents, data }: DataHandlersDeps): Pick<Handlers, 'agents.dataAccess'> {
  return {
    'agents.dataAccess': ({ agent: ref, tcp }) => {
      const found = findAgent(agents, ref);
      return found.ok ? data.access(found.value.id, tcp) : found;
    },
  };
}
