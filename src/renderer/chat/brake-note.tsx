import { useMemo, useState } from 'react';
import type { Brake } from '../../contract/work.ts';
import { localize, t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useHost, useReplica } from '../state/subscriptions.ts';

const none: readonly Brake[] = [];

export function useBrakes(roomId: string): readonly Brake[] {
  const brakes = useHost((host) => host?.brakes ?? none);
  return useMemo(() => brakes.filter((brake) => brake.roomId === roomId), [brakes, roomId]);
}

/**
 * Explains why a thread of agents is paused and offers to continue; several brakes of one thread share one
 * note.
 */
export function BrakeNote({ brakes }: { brakes: readonly Brake[] }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const first = brakes[0];
  if (first === undefined) return null;
  const goOn = async (): Promise<void> => {
    setBusy(true);
    const went = await Promise.all(
      brakes.map((brake) =>
        act(link, 'brake.continue', { agent: brake.agentId, room: brake.roomId, rootId: brake.rootId }),
      ),
    );
    setBusy(false);
    if (went.every(Boolean)) showNotice(t('chat.goOn'));
  };
  return (
    <div className="brake-note" role="status">
      <Icon name="pause" size={16} />
      <p>{localize(first.why)}</p>
      <button type="button" className="button is-small" disabled={busy} onClick={() => void goOn()}>
        {t('chat.letGoOn')}
      </button>
    </div>
  );
}
