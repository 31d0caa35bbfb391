import type { Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';

interface RequestedChanges {
  retire<T>(id: string, work: () => Result<T>): Promise<Result<T>>;
  restart(id: string): boolean;
  /** Looks at all agents again. */
  apply(): void;
  /** Whether the agent is being archived or deleted already. */
  isLeaving(id: string): boolean;
}

export interface AgentRequestsDeps {
  readonly agents: Pick<AgentStore, 'archive' | 'delete' | 'clearRequest'>;
  readonly fleet: () => RequestedChanges;
  readonly clock: Clock;
  readonly log: Log;
}

/** Other programs request a restart, archiving or deletion by a file (spec §5). */
export interface AgentRequests {
  honour(agent: LoadedAgent): Promise<void>;
}

/** Pause in ms before a failed request for archiving or deletion is tried again. */
const retryMs = 60_000;

export function createAgentRequests({ agents, fleet, clock, log }: AgentRequestsDeps): AgentRequests {
  /** Agents whose request file could not be carried out lately. */
  const failed = new Set<string>();
  /** The request file is still there: without a pause, each look at it would try again at once. */
  const retryLater = (id: string): void => {
    failed.add(id);
    const retry = (): void => {
      failed.delete(id);
      fleet().apply();
    };
    clock.after(retryMs, retry, { unref: true });
  };
  const remove = async (id: string, archive: boolean): Promise<void> => {
    if (fleet().isLeaving(id) || failed.has(id)) return;
    const done = await fleet().retire<unknown>(id, () => {
      const removed: Result<unknown> = archive ? agents.archive(id, 'flag') : agents.delete(id);
      if (!removed.ok) retryLater(id);
      return removed;
    });
    if (!done.ok) log.warn('request_failed', { agent: id, message: done.error.message });
  };
  return {
    async honour({ id, requests }) {
      if (requests.length === 0) return;
      const archive = requests.includes('archive');
      if (archive || requests.includes('delete')) return remove(id, archive);
      agents.clearRequest(id, 'restart');
      fleet().restart(id);
    },
  };
}
