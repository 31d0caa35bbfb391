import { useMemo } from 'react';
import { t } from '../../language/texts.ts';
import { useAgentBySlug, useAgents, useRooms } from '../state/subscriptions.ts';

/** Own agents as they run now; others by what their latest message says. */
function useIsScripted(slug: string | null): boolean {
  const own = useAgentBySlug(slug);
  const foreign = useRooms((view) => slug !== null && view?.scripts.includes(slug) === true);
  return own === null ? foreign : own.scripted;
}

/** Slugs of all agents that follow a script, for texts that are not components. */
export function useScriptedSlugs(): ReadonlySet<string> {
  const own = useAgents((all) => all);
  const foreign = useRooms((view) => view?.scripts);
  return useMemo(() => {
    const agents = Object.values(own ?? {});
    const real = new Set(agents.flatMap(({ scripted, slug }) => (scripted ? [] : (slug ?? []))));
    const scripted = agents.flatMap((agent) => (agent.scripted ? (agent.slug ?? []) : []));
    return new Set([...scripted, ...(foreign ?? []).filter((slug) => !real.has(slug))]);
  }, [own, foreign]);
}

/** Marks an agent; one that follows a script is always labelled as not being a model. */
export function AgentChip({ slug }: { slug: string }) {
  return useIsScripted(slug) ? (
    <ScriptChip />
  ) : (
    <span className="chip" title={t('chat.anAgent')}>
      {t('chat.agent')}
    </span>
  );
}

/** The label alone, for lists of agents; nothing for agents with a model and for people. */
export function ScriptedMark({ slug }: { slug: string | null }) {
  return useIsScripted(slug) && <ScriptChip />;
}

const ScriptChip = () => (
  <span className="chip is-scripted" title={t('chat.scriptedHint')}>
    {t('chat.scripted')}
  </span>
);
