/** The host inside the app: started once, asked for by gate and tray, stopped within ten seconds. */
import { appError } from '../contract/errors.ts';
import { err, type Result } from '../contract/result.ts';
import type { Host } from '../host/host-ports.ts';

/** Host.stop promises the same; this is for the day it does not keep it. */
const stopDeadlineMs = 10_000;

export interface AppHost {
  /** Settles when the host has started, or has said why not; never rejects. */
  started(): Promise<Result<Host>>;
  /** True when everything stopped in time; a host that never started is stopped. */
  stop(reason: string): Promise<boolean>;
}

const failure = (error: unknown): Result<Host> =>
  err(
    appError('internal', 'Kennel could not start because of a bug in it. Your data was left as it was.', {
      where: error instanceof Error ? error.message : String(error),
    }),
  );

export function createAppHost(start: () => Promise<Result<Host>>, deadlineMs = stopDeadlineMs): AppHost {
  const starting = start().catch(failure);

  async function stopStarted(reason: string): Promise<true> {
    const host = await starting;
    if (host.ok) await host.value.stop(reason);
    return true;
  }

  return {
    started: () => starting,
    stop(reason) {
      const late = new Promise<false>((resolve) => {
        setTimeout(() => resolve(false), deadlineMs).unref();
      });
      return Promise.race([stopStarted(reason).catch(() => false), late]);
    },
  };
}
