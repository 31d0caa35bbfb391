/** The app's host: started or found once, shared by IPC gate and tray, stopped within a deadline. */

import { errorText, textError } from '../contract/errors.ts';
import type { Principal } from '../contract/method-row.ts';
import { err, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import type { LinkedHost } from './linked-host.ts';

/** Backstop in ms; longer than the grace period for steps plus Host.stop's own deadline. */
const stopDeadlineMs = 22_000;
/**
 * A page calls the host as soon as it runs. A page that never does delays the start by this time at most, in
 * ms.
 */
const pageAsksMs = 2000;

export interface AppHost {
  /** Starts the host on the first call. Resolves when it has started or failed; never rejects. */
  started(): Promise<Result<LinkedHost>>;
  /**
   * Resolves on the first call of `started`, or after `withinMs`; starts nothing. This process serves the
   * page's files and cannot answer while it loads the host, so the files go first.
   */
  askedFor(withinMs?: number): Promise<void>;
  /** Calls the current host, starting it if necessary. */
  ask(principal: Principal, method: string, input: unknown): Promise<Result<unknown>>;
  /**
   * `now` skips the grace period for running steps. Resolves to true if everything stopped in time, also if
   * no host was started.
   */
  stop(reason: string, now?: boolean): Promise<boolean>;
  /** Stops the current host and starts or finds another. */
  again(): Promise<Result<LinkedHost>>;
}

const failure = (error: unknown): Result<LinkedHost> =>
  err(
    textError('internal', t('shell.startedBug'), {
      where: errorText(error),
    }),
  );

export function createAppHost(
  start: () => Promise<Result<LinkedHost>>,
  deadlineMs = stopDeadlineMs,
): AppHost {
  // Starts on demand: after repeated failed starts, the recovery window needs the data folder without a host.
  let starting: Promise<Result<LinkedHost>> | null = null;
  let tellAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });

  async function stopStarted(reason: string, now: boolean): Promise<true> {
    const host = await starting;
    if (!host?.ok) return true;
    const stopped = host.value.stop(reason);
    // A second stop ends the grace period for steps.
    await (now ? Promise.all([stopped, host.value.stop(reason)]) : stopped);
    return true;
  }

  function stop(reason: string, now = false): Promise<boolean> {
    const late = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), deadlineMs).unref();
    });
    return Promise.race([stopStarted(reason, now).catch(() => false), late]);
  }

  const started = (): Promise<Result<LinkedHost>> => {
    tellAsked();
    starting ??= start().catch(failure);
    return starting;
  };

  async function askedFor(withinMs = pageAsksMs): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([asked, late]);
    clearTimeout(timer);
  }

  return {
    started,
    askedFor,
    async ask(principal, method, input) {
      const host = await started();
      return host.ok ? host.value.call(principal, method, input) : host;
    },
    stop,
    again() {
      const before = stop('another one takes over');
      starting = before.then(start).catch(failure);
      return starting;
    },
  };
}
