import { useEffect, useState } from 'react';
import type { BackupFacts, DesktopView } from '../../contract/desktop-methods.ts';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

const lookMs = 300;

/**
 * Picks and restores a backup. The desktop app answers while the host is stopped, and reloads the page at the
 * end.
 */
export function useRestore(view: DesktopView) {
  const { link } = useReplica();
  const pick = useAction('desktop.pickBackup');
  const begin = useAction('desktop.restore');
  const [picked, setPicked] = useState<BackupFacts | null>(null);
  const [state, setState] = useState(view.restore);
  const running = state?.type === 'running';
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      void link.call('desktop.view', {}).then((now) => now.ok && setState(now.value.restore));
    }, lookMs);
    return () => clearInterval(timer);
  }, [link, running]);
  const choose = async (): Promise<void> => {
    if (pick.busy) return;
    begin.clear();
    const chosen = await pick.run({});
    if (chosen.ok) setPicked(chosen.value.backup);
  };
  const putBack = async (): Promise<void> => {
    const begun = await begin.run({});
    setPicked(null);
    if (begun.ok) setState({ type: 'running', files: 0, of: 0 });
  };
  const error = pick.error ?? begin.error;
  return {
    picked,
    state,
    running,
    busy: pick.busy || begin.busy,
    error,
    choose,
    putBack,
    drop: () => setPicked(null),
  };
}
