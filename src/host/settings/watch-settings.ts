import { hintOf, textError } from '../../contract/errors.ts';
import { placedMessage } from '../../contract/located-message.ts';
import type { Clock } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Problems } from '../problems.ts';

const lookMs = 2_000;

export interface SettingsWatchDeps {
  readonly settings: Pick<DaemonSettings, 'error'>;
  readonly problems: Problems;
  readonly clock: Clock;
  /** Listeners on loopback, opened and closed to match the settings. */
  readonly listeners: readonly { apply(): Promise<void> }[];
}

/**
 * Shows an error of `daemon.yml` while it lasts (F20) and applies changed settings; returns a function that
 * stops it.
 */
export function watchSettings({ settings, problems, clock, listeners }: SettingsWatchDeps): () => void {
  const look = (): void => {
    const error = settings.error();
    if (!error) problems.clear('daemon');
    else
      problems.set('daemon', 'error', textError(error.code, placedMessage(error), { hint: hintOf(error) }));
    for (const listener of listeners) void listener.apply();
    timer = clock.after(lookMs, look, { unref: true });
  };
  let timer = clock.after(0, look, { unref: true });
  return () => timer.cancel();
}
