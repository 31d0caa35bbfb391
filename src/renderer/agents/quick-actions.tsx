import type { AgentSummary } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon, type IconName } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Row actions for the pointer only; keyboard users find the same actions on the agent's page. */
export function QuickActions({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const { slug } = agent;
  const name = visibleLine(agent.displayName);
  const paused = agent.life === 'paused';
  const turn = (): void => void act(link, paused ? 'agents.resume' : 'agents.pause', { agent: agent.id });
  return (
    <span className="quick-actions">
      {slug !== null && (
        <Quick
          icon="chat"
          label={t('agents.messageTo', { name })}
          onPress={() => go({ view: 'chat', room: dmRoomId(slug) })}
        />
      )}
      <Quick
        icon={paused ? 'play' : 'pause'}
        label={paused ? t('agents.resumeOne', { name }) : t('agents.pauseOne', { name })}
        onPress={turn}
      />
    </span>
  );
}

function Quick({ icon, label, onPress }: { icon: IconName; label: string; onPress(): void }) {
  return (
    <button
      type="button"
      className="icon-button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
