import { type ReactNode, useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { InviteAgent } from './invite-agent.tsx';
import { ExportDialog } from './moving/export-dialog.tsx';

type Asking = 'archive' | 'delete' | 'invite' | 'export' | null;

/**
 * Shows one primary action for the agent's state and puts the rest into a menu. Destructive actions ask
 * first.
 */
export function AgentActions({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const [asking, setAsking] = useState<Asking>(null);
  const close = (): void => setAsking(null);
  const { slug } = agent;
  const stopped = agent.life === 'paused';
  const failed = agent.life === 'gave_up' || agent.life === 'backing_off';
  const call = (method: 'agents.pause' | 'agents.resume' | 'agents.restart'): void =>
    void act(link, method, { agent: agent.id });
  return (
    <div className="actions">
      {slug !== null && (
        <button type="button" className="button" onClick={() => go({ view: 'chat', room: dmRoomId(slug) })}>
          <Icon name="chat" size={16} /> {t('agents.message')}
        </button>
      )}
      {failed ? (
        <button type="button" className="button is-primary" onClick={() => call('agents.restart')}>
          {t('agents.restart')}
        </button>
      ) : (
        <button
          type="button"
          className={stopped ? 'button is-primary' : 'button'}
          onClick={() => call(stopped ? 'agents.resume' : 'agents.pause')}
        >
          <Icon name={stopped ? 'play' : 'pause'} size={16} />{' '}
          {stopped ? t('agents.resume') : t('agents.pause')}
        </button>
      )}
      <Menu label={t('agents.more')}>
        {slug !== null && <MenuItem onPick={() => setAsking('invite')}>{t('agents.invite')}</MenuItem>}
        <MenuItem onPick={() => call('agents.restart')}>{t('agents.restart')}</MenuItem>
        <MenuItem onPick={() => setAsking('export')}>{t('agents.export')}</MenuItem>
        <MenuItem onPick={() => setAsking('archive')}>{t('agents.archive')}</MenuItem>
        <MenuItem danger onPick={() => setAsking('delete')}>
          {t('agents.delete')}
        </MenuItem>
      </Menu>
      {asking === 'invite' && <InviteAgent agent={agent} onClose={close} />}
      {asking === 'export' && <ExportDialog agent={agent} onClose={close} />}
      {(asking === 'archive' || asking === 'delete') && (
        <Leaving agent={agent} how={asking} onClose={close} />
      )}
    </div>
  );
}

interface LeavingOf {
  readonly agent: AgentSummary;
  readonly how: 'archive' | 'delete';
  onClose(): void;
}

const bold = (chunks: ReactNode) => <strong key="name">{chunks}</strong>;

function Leaving({ agent, how, onClose }: LeavingOf) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const name = visibleLine(agent.displayName);
  const archives = how === 'archive';
  const leave = async (): Promise<void> => {
    setBusy(true);
    const gone = await act(link, archives ? 'agents.archive' : 'agents.delete', { agent: agent.id });
    setBusy(false);
    onClose();
    if (!gone) return;
    showNotice(archives ? t('agents.archived', { name }) : t('agents.deleted', { name }));
    go({ view: 'agents', agent: null });
  };
  return (
    <Confirm
      title={archives ? t('agents.archiveTitle') : t('agents.deleteTitle')}
      verb={archives ? t('agents.archiveVerb') : t('agents.deleteVerb')}
      danger={how === 'delete'}
      busy={busy}
      onConfirm={() => void leave()}
      onClose={onClose}
    >
      <p>{t.rich(archives ? 'agents.archiveText' : 'agents.deleteText', { name, b: bold })}</p>
      <p className="soft">{t('agents.wroteStays')}</p>
    </Confirm>
  );
}
