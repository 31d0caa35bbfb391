/** Names of the starter and the approvers of a run. */
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useAgents, useHost } from '../state/subscriptions.ts';

/** Maps a name in the journal (the operator, an agent id, a schedule, a slug) to a display name. */
export function useNames(): (who: string) => string {
  const agents = useAgents((all) => all);
  const own = useHost((host) => host?.operator?.slug ?? null);
  return (who) => {
    if (who === '') return t('workflows.nobody');
    if (who === 'operator' || who === own) return t('workflows.you');
    if (who.startsWith('schedule')) return t('workflows.bySchedule');
    const agent = agents !== null && Object.hasOwn(agents, who) ? agents[who] : undefined;
    return visibleLine(agent?.displayName ?? who);
  };
}

export function useStarter(who: string): string {
  const name = useNames()(who);
  return t('workflows.startedBy', { name });
}
