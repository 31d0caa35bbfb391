/** Items that need the operator, shared by the badge, the status line and the home page. */

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { AgentSummary, Problem } from '../../contract/model.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import type { Brake } from '../../contract/work.ts';
import { localize, localizeError, localizeHint, t } from '../../language/texts.ts';
import { taskPlace } from '../work/places.ts';
import { useAsking } from './asked.ts';
import type { Route } from './route.ts';
import { useAgents, useHost, useReplica, useRooms } from './subscriptions.ts';

export interface Need {
  readonly key: string;
  readonly agent: AgentSummary | null;
  readonly tone: 'amber' | 'red' | 'plain';
  readonly text: string;
  readonly hint: string;
  readonly at: number | null;
  /** Button label and target, or `null` without a button. */
  readonly leads: readonly [string, Route] | null;
  /** The paused thread, which one click continues. */
  readonly brake: Brake | null;
}

const noProblems: readonly Problem[] = [];
const noBrakes: readonly Brake[] = [];
const noTasks: Readonly<Record<string, TaskSummary>> = {};

/** Stopped agents, invalid settings, interrupted steps, brakes and the host's own problems. */
export function useNeeds(): readonly Need[] {
  const agents = useAgents((all) => all);
  const problems = useHost((host) => host?.problems ?? noProblems);
  const brakes = useHost((host) => host?.brakes ?? noBrakes);
  const tasks = useStore(useReplica().tasks.store, ({ state }) => state?.tasks ?? noTasks);
  return useMemo(
    () => [
      ...Object.values(agents ?? {}).flatMap(agentNeed),
      ...brakes.map((brake) => brakeNeed(brake, agents?.[brake.agentId] ?? null)),
      ...Object.values(tasks).flatMap((task) => taskNeed(task, agents)),
      ...problems.map(problemNeed),
    ],
    [agents, brakes, problems, tasks],
  );
}

function agentNeed(agent: AgentSummary): Need[] {
  const about = (text: string, hint: string, tone: Need['tone']): Need[] => [
    {
      key: `agent ${agent.id}`,
      agent,
      tone,
      text,
      hint,
      at: agent.since,
      leads: [t('states.open'), { view: 'agents', agent: agent.id }],
      brake: null,
    },
  ];
  if (agent.configError !== null)
    return about(
      localizeError(agent.configError),
      localizeHint(agent.configError) || t('states.oldSettings'),
      'amber',
    );
  if (agent.life === 'gave_up' || agent.dot === 'error')
    return about(
      localizeError(agent.error) || t('states.stopped'),
      localizeHint(agent.error) || t('states.stoppedHint'),
      'red',
    );
  // Its approvals are already shown as cards.
  if (agent.dot === 'needs_you' && agent.waiting === 0)
    return about(
      localizeError(agent.error) || localize(agent.activity) || t('states.waits'),
      localizeHint(agent.error) || t('states.waitsHint'),
      'amber',
    );
  if (agent.life === 'not_connected')
    return about(t('states.unregistered'), t('states.unregisteredHint'), 'plain');
  return [];
}

const problemNeed = (problem: Problem): Need => ({
  key: `problem ${problem.id}`,
  agent: null,
  tone: problem.severity === 'error' ? 'red' : problem.severity === 'warning' ? 'amber' : 'plain',
  text: localizeError(problem),
  hint: localizeHint(problem),
  at: problem.at,
  leads: null,
  brake: null,
});

/** Interrupted steps only: other waits of a task are shown as approvals of its agent. */
function taskNeed(
  { id, waitingFor, runnerId, updatedAt }: TaskSummary,
  agents: Readonly<Record<string, AgentSummary>> | null,
): Need[] {
  if (waitingFor?.kind !== 'unknown-step') return [];
  return [
    {
      key: `task ${id}`,
      agent: agents?.[runnerId ?? ''] ?? null,
      tone: 'amber',
      text: t('tasks.needStep', { number: String(id), step: waitingFor.step }),
      hint: t('tasks.needHint'),
      at: updatedAt,
      leads: [t('states.open'), { view: 'work', place: taskPlace(id) }],
      brake: null,
    },
  ];
}

const brakeNeed = (brake: Brake, agent: AgentSummary | null): Need => ({
  key: `brake ${brake.agentId} ${brake.roomId} ${brake.rootId}`,
  agent,
  tone: 'amber',
  text: localize(brake.why),
  hint: t('states.brakeHint'),
  at: brake.at,
  leads: [t('states.openThread'), { view: 'chat', room: brake.roomId }],
  brake,
});

/** A held first contact, which the home page shows as a person with answer buttons. */
const isStranger = ({ id }: Problem): boolean => id.startsWith('contact-');

/** Plain notes do not count as waiting; held contacts and invitations do. */
export function useWaiting(): number {
  const asking = useAsking().length;
  const strangers = useHost((host) => (host?.problems ?? noProblems).filter(isStranger).length);
  const invites = useRooms((view) => view?.invites.length ?? 0);
  return useNeeds().filter((need) => need.tone !== 'plain').length + asking + strangers + invites;
}
