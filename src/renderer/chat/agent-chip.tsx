import { t } from '../../language/texts.ts';
import { useAgentBySlug, useRooms } from '../state/subscriptions.ts';

/** Own agents as they run now; others by what their latest message says. */
export function useIsScripted(slug: string | null): boolean {
  const own = useAgentBySlug(slug);
  const foreign = useRooms((view) => slug !== null && view?.scripts.includes(slug) === true);
  return own === null ? foreign : own.scripted;
}

/** Marks an agent; one that follows a script is always labelled as not being a model. */
export function AgentChip({ scripted }: { scripted: boolean }) {
  return (
    <span
      className={`chip${scripted ? ' is-scripted' : ''}`}
      title={scripted ? t('chat.scriptedHint') : t('chat.anAgent')}
    >
      {scripted ? t('chat.scripted') : t('chat.agent')}
    </span>
  );
}
