import type { Result } from '../contract/result.ts';
import { acquireHostLock, type HostLock } from '../services/db/host-lock.ts';
import type { HostPorts } from './host-ports.ts';
import { restartVariable } from './watchdog/restart-budget.ts';

/** The host that the watchdog replaces dies within moments; until then it holds the folder. */
const replacementWaitMs = 10_000;

/** Takes the data folder for this process, or names who has it. */
export async function takeFolder({ home, clock, env }: HostPorts): Promise<Result<HostLock>> {
  const until = clock.monotonic() + (env[restartVariable] ? replacementWaitMs : 0);
  for (;;) {
    const lock = acquireHostLock(home, clock.now());
    if (lock.ok || lock.error.code !== 'held' || clock.monotonic() >= until) return lock;
    await new Promise<void>((resolve) => clock.after(100, resolve));
  }
}
