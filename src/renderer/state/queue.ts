/** The operator's queue on this page, counted like the host counts it. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Approval } from '../../contract/approvals.ts';
import type { AgentSummary, Problem } from '../../contract/model.ts';
import { type QueueItem, queueItems } from '../../contract/operator-queue.ts';
import type { InviteView } from '../../contract/space-methods.ts';
import type { Brake } from '../../contract/work.ts';
import { useNow } from '../parts/time.tsx';
import { useAgents, useHost, useReplica, useRooms } from './subscriptions.ts';

const noApprovals: Readonly<Record<string, Approval>> = {};
const noAgents: Readonly<Record<string, AgentSummary>> = {};
const noBrakes: readonly Brake[] = [];
const noProblems: readonly Problem[] = [];
const noInvites: readonly InviteView[] = [];

export function useQueue(): readonly QueueItem[] {
  const approvals = useStore(useReplica().approvals.store, ({ state }) => state?.waiting ?? noApprovals);
  const agents = useAgents((all) => all ?? noAgents);
  const brakes = useHost((host) => host?.brakes ?? noBrakes);
  const problems = useHost((host) => host?.problems ?? noProblems);
  const invites = useRooms((view) => view?.invites ?? noInvites);
  const now = useNow();
  return useMemo(
    () => queueItems({ approvals, agents, brakes, problems, invites: invites.map(({ id }) => id), now }),
    [approvals, agents, brakes, problems, invites, now],
  );
}

export const useQueueLength = (): number => useQueue().length;

/** Notes of the host and unregistered agents: shown on Home, but not counted, because nothing waits. */
export function useNotes(): {
  readonly problems: readonly Problem[];
  readonly agents: readonly AgentSummary[];
} {
  const problems = useHost((host) => host?.problems ?? noProblems);
  const agents = useAgents((all) => all ?? noAgents);
  return useMemo(
    () => ({
      problems: problems.filter(({ severity, about }) => severity === 'info' && about?.kind !== 'person'),
      agents: Object.values(agents).filter(
        ({ life, configError, dot }) => life === 'not_connected' && configError === null && dot !== 'error',
      ),
    }),
    [problems, agents],
  );
}
