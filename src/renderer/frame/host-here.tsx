import { t } from '../../language/texts.ts';
import { bridgeOf } from '../client/bridge.ts';
import { useAction } from '../state/action.ts';
import { showError } from '../state/screen.ts';

/** Starts a host in the app after the one in another process is gone; the app then reloads the page. */
export function HostHere() {
  const start = useAction('desktop.hostHere');
  if (bridgeOf(window) === null) return null;
  const run = async (): Promise<void> => {
    const started = await start.run({});
    if (!started.ok) showError(started.error);
  };
  return (
    <button type="button" className="button is-small" disabled={start.busy} onClick={() => void run()}>
      {t('tray.hostHere')}
    </button>
  );
}
