/** What waits for the person: one list for the badge, the status line and home. */
import { useMemo } from 'react';
import type { AgentSummary, Problem } from '../../contract/model.ts';
import { useAgents, useHost } from './subscriptions.ts';

export interface Need {
  readonly key: string;
  readonly agent: AgentSummary | null;
  readonly tone: 'amber' | 'red' | 'plain';
  readonly text: string;
  readonly hint: string;
  readonly at: number | null;
}

const noProblems: readonly Problem[] = [];

/** Agents that stopped, settings that cannot be read, and the host's own problems. */
export function useNeeds(): readonly Need[] {
  const agents = useAgents((all) => all);
  const problems = useHost((host) => host?.problems ?? noProblems);
  return useMemo(
    () => [...Object.values(agents ?? {}).flatMap(agentNeed), ...problems.map(problemNeed)],
    [agents, problems],
  );
}

function agentNeed(agent: AgentSummary): Need[] {
  const about = (text: string, hint: string, tone: Need['tone']): Need[] => [
    { key: `agent ${agent.id}`, agent, tone, text, hint, at: agent.since },
  ];
  if (agent.configError !== null)
    return about(
      agent.configError.message,
      agent.configError.hint ?? 'It goes on with its last good settings.',
      'amber',
    );
  if (agent.life === 'gave_up' || agent.dot === 'error')
    return about(
      agent.error?.message ?? 'It stopped and did not come back.',
      agent.error?.hint ?? 'Open it and choose Restart.',
      'red',
    );
  if (agent.dot === 'needs_you')
    return about(
      agent.error?.message ?? (agent.activity || 'It waits for your answer.'),
      agent.error?.hint ?? 'Open it to answer.',
      'amber',
    );
  if (agent.life === 'not_connected')
    return about(
      'It is not connected to a server yet.',
      'Register it, or fill in its settings by hand.',
      'plain',
    );
  return [];
}

const problemNeed = (problem: Problem): Need => ({
  key: `problem ${problem.id}`,
  agent: null,
  tone: problem.severity === 'error' ? 'red' : problem.severity === 'warning' ? 'amber' : 'plain',
  text: problem.message,
  hint: problem.hint ?? '',
  at: problem.at,
});

/** Plain remarks do not count as waiting. */
export const useWaiting = (): number => useNeeds().filter((need) => need.tone !== 'plain').length;
