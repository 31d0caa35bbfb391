import { useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Name } from '../parts/name.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

type Asking = 'archive' | 'delete' | null;

/** One primary action that fits the state; the rest in a menu; what cannot be undone asks first. */
export function AgentActions({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const [asking, setAsking] = useState<Asking>(null);
  const { slug } = agent;
  const stopped = agent.life === 'paused';
  const failed = agent.life === 'gave_up' || agent.life === 'backing_off';
  const call = (method: 'agents.pause' | 'agents.resume' | 'agents.restart'): void =>
    void act(link, method, { agent: agent.id });
  return (
    <div className="actions">
      {slug !== null && (
        <button type="button" className="button" onClick={() => go({ view: 'chat', room: `dm:${slug}` })}>
          <Icon name="chat" size={16} /> Message
        </button>
      )}
      {failed ? (
        <button type="button" className="button is-primary" onClick={() => call('agents.restart')}>
          Restart
        </button>
      ) : (
        <button
          type="button"
          className={stopped ? 'button is-primary' : 'button'}
          onClick={() => call(stopped ? 'agents.resume' : 'agents.pause')}
        >
          <Icon name={stopped ? 'play' : 'pause'} size={16} /> {stopped ? 'Resume' : 'Pause'}
        </button>
      )}
      <Menu label="More actions">
        <MenuItem onPick={() => call('agents.restart')}>Restart</MenuItem>
        <MenuItem onPick={() => setAsking('archive')}>Archive…</MenuItem>
        <MenuItem danger onPick={() => setAsking('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      {asking !== null && <Leaving agent={agent} how={asking} onClose={() => setAsking(null)} />}
    </div>
  );
}

interface LeavingOf {
  readonly agent: AgentSummary;
  readonly how: 'archive' | 'delete';
  onClose(): void;
}

function Leaving({ agent, how, onClose }: LeavingOf) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const leave = async (): Promise<void> => {
    setBusy(true);
    const gone = await act(link, how === 'archive' ? 'agents.archive' : 'agents.delete', { agent: agent.id });
    setBusy(false);
    onClose();
    if (!gone) return;
    say(how === 'archive' ? `${agent.displayName} was archived.` : `${agent.displayName} was deleted.`);
    go({ view: 'agents', agent: null });
  };
  return (
    <Confirm
      title={how === 'archive' ? 'Archive this agent?' : 'Delete this agent?'}
      verb={how === 'archive' ? 'Archive' : 'Delete for good'}
      danger={how === 'delete'}
      busy={busy}
      onConfirm={() => void leave()}
      onClose={onClose}
    >
      <p>
        <strong>
          <Name>{agent.displayName}</Name>
        </strong>{' '}
        {how === 'archive'
          ? 'stops, and its folder moves to the archive with everything in it. You can bring it back by moving the folder.'
          : 'stops, and its folder, soul, memory and keys are removed from this computer. This cannot be undone.'}
      </p>
      <p className="soft">What it wrote stays in the rooms of those who received it.</p>
    </Confirm>
  );
}
