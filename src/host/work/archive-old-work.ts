import { messageOf } from '../../contract/errors.ts';
import type { HostApi } from '../../contract/host-api.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';

const lookMs = 3_600_000;

export interface ArchiveOldWorkDeps {
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly call: HostApi['call'];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Archives finished tasks and runs after the days that the operator chose, once an hour; a failure is tried again
 * with the next look. Returns a function that stops it.
 */
export function archiveOldWork({ settings, call, clock, log }: ArchiveOldWorkDeps): () => void {
  const look = async (): Promise<void> => {
    timer = clock.after(lookMs, () => void look(), { unref: true });
    const days = settings.config().tasks.archive_days;
    if (days === 0) return;
    for (const method of ['tasks.archive', 'runs.archive'] as const) {
      const done = await call({ kind: 'owner-cli' }, method, { archived: true, olderThanDays: days });
      if (!done.ok) log.warn('archive_failed', { method, reason: messageOf(done.error) });
    }
  };
  let timer = clock.after(lookMs / 60, () => void look(), { unref: true });
  return () => timer.cancel();
}
