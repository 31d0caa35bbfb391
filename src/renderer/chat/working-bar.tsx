import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { apart, hidden } from '../parts/rich.tsx';
import { act } from '../state/action.ts';
import { useAsked } from '../state/approvals.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';

/** Number of latest messages whose marks count; older ones belong to turns that ended. */
const recent = 30;

/** Own agents with a turn in this room or thread. */
function useWorking(roomId: string, threadRootId: string | null): readonly string[] {
  const { room } = useReplica();
  return useStore(
    room(roomId).store,
    useShallow(({ state }) => {
      const here = (rootId: string | null): boolean => threadRootId === null || rootId === threadRootId;
      const drafting = Object.values(state?.drafts ?? {})
        .filter((draft) => here(draft.threadRootId))
        .map((draft) => draft.agentId);
      const marked = (state?.messages.slice(-recent) ?? [])
        .filter((message) => here(message.threadRootId ?? message.id))
        .flatMap((message) => message.marks)
        .filter((mark) => mark.state === 'working')
        .flatMap(({ agentId }) => agentId ?? []);
      return [...new Set([...drafting, ...marked])].sort();
    }),
  );
}

/** Lists the agents working here, above the composer, with the ways to steer or stop them. */
export function WorkingBar({ roomId, threadRootId }: { roomId: string; threadRootId: string | null }) {
  const working = useWorking(roomId, threadRootId);
  if (working.length === 0) return null;
  return (
    <ul className="working-bar" aria-label={t('workInChat.workingHere')}>
      {working.map((id) => (
        <Worker key={id} id={id} roomId={roomId} />
      ))}
    </ul>
  );
}

function arrivalWords(arrival: 'steer' | 'follow_up', waits: boolean): string {
  if (arrival === 'follow_up') return t('workInChat.readsWhenDone');
  return waits ? t('workInChat.readsAfterAnswer') : t('workInChat.steers');
}

function Worker({ id, roomId }: { id: string; roomId: string }) {
  const { link } = useReplica();
  const agent = useAgent(id);
  const arrival = useArrival(id);
  const asked = useAsked();
  const [busy, setBusy] = useState(false);
  if (agent === null) return null;
  const name = visibleLine(agent.displayName);
  const stop = async (): Promise<void> => {
    setBusy(true);
    const stopped = await act(link, 'agents.stop', { agent: id });
    setBusy(false);
    if (stopped) showNotice(t('workInChat.stopped', { name }));
  };
  const waits = asked.some((one) => one.agentId === id && one.roomId === roomId);
  return (
    <li>
      <StateDot state={waits ? 'needs_you' : 'working'} size={11} label="" />
      <span>
        {t.rich(waits ? 'workInChat.isWaiting' : 'workInChat.isWorking', { who: name, name: apart })}{' '}
        <span className="soft">{arrival === null ? '' : arrivalWords(arrival, waits)}</span>
      </span>
      <button type="button" className="button is-small" disabled={busy} onClick={() => void stop()}>
        <Icon name="stop" size={14} /> <span>{t.rich('workInChat.stopAgent', { name, hidden })}</span>
      </button>
    </li>
  );
}

/** Effect of a message during the agent's turn; `null` until the host answers. */
function useArrival(agent: string): 'steer' | 'follow_up' | null {
  const { link } = useReplica();
  const [arrival, setArrival] = useState<'steer' | 'follow_up' | null>(null);
  useEffect(() => {
    let left = false;
    void link.call('agents.tools', { agent }).then((result) => {
      if (!left && result.ok) setArrival(result.value.canSteer ? result.value.arrival : 'follow_up');
    });
    return () => {
      left = true;
    };
  }, [link, agent]);
  return arrival;
}
