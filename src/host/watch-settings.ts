import { errorSentence } from '../contract/error-text.ts';
import type { HostContext } from './context.ts';

const lookMs = 2_000;

/**
 * Shows an error of `daemon.yml` while it lasts (F20) and applies changed settings; returns a function that
 * stops it.
 */
export function watchSettings({ settings, problems, ports, proxy, bridge }: HostContext): () => void {
  const look = (): void => {
    const error = settings.error();
    if (!error) problems.clear('daemon');
    else problems.set('daemon', 'error', { ...error, message: errorSentence(error) });
    void proxy.apply();
    void bridge.apply();
    timer = ports.clock.after(lookMs, look, { unref: true });
  };
  let timer = ports.clock.after(0, look, { unref: true });
  return () => timer.cancel();
}
