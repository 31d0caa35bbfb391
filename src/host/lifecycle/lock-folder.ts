import type { Result } from '../../contract/result.ts';
import { acquireHostLock, type HostLock } from '../../services/db/host-lock.ts';
import type { HostPorts } from '../host-ports.ts';
import { restartVariable } from '../watchdog/restart-budget.ts';

/** ms to wait for the host that the watchdog replaces; it holds the lock until it dies. */
const replacementWaitMs = 10_000;

/** Locks the data folder for this process; an error names the current holder. */
export async function lockFolder({
  home,
  clock,
  env,
}: Pick<HostPorts, 'home' | 'clock' | 'env'>): Promise<Result<HostLock>> {
  const until = clock.monotonic() + (env[restartVariable] ? replacementWaitMs : 0);
  for (;;) {
    const lock = acquireHostLock(home, clock.now());
    if (lock.ok || lock.error.code !== 'held' || clock.monotonic() >= until) return lock;
    await new Promise<void>((resolve) => clock.after(100, resolve));
  }
}
