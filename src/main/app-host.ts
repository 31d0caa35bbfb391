/** The host behind the app: started or found once, asked for by gate and tray, let go within ten seconds. */

import { appError } from '../contract/errors.ts';
import type { Principal } from '../contract/method-row.ts';
import { err, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import type { LinkedHost } from './linked-host.ts';

/** Host.stop promises the same; this is for the day it does not keep it. */
const stopDeadlineMs = 22_000;
/** A page asks for its host with its first lines; one that never gets so far does not hold the agents up for longer. */
const pageAsksMs = 2000;

export interface AppHost {
  /** Starts it when first asked; settles when it has started, or has said why not; never rejects. */
  started(): Promise<Result<LinkedHost>>;
  /**
   * Settles when somebody has asked for it, at the latest after so many ms; starts nothing by itself. A window's page has
   * its files from this process, which answers nothing while it loads a host: they go first.
   */
  askedFor(withinMs?: number): Promise<void>;
  /** Of the present one, started if need be. */
  ask(principal: Principal, method: string, input: unknown): Promise<Result<unknown>>;
  /** `now`: steps that are at work are not waited for. True when everything stopped in time; a host that never started is stopped. */
  stop(reason: string, now?: boolean): Promise<boolean>;
  /** Lets go of the present one and starts or finds another. */
  again(): Promise<Result<LinkedHost>>;
}

const failure = (error: unknown): Result<LinkedHost> =>
  err(
    appError('internal', t('shell.startedBug'), {
      where: error instanceof Error ? error.message : String(error),
    }),
  );

export function createAppHost(
  start: () => Promise<Result<LinkedHost>>,
  deadlineMs = stopDeadlineMs,
): AppHost {
  // Not before it is asked for: after bad starts a person decides first, and has the folder to themselves.
  let starting: Promise<Result<LinkedHost>> | null = null;
  let tellAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });

  async function stopStarted(reason: string, now: boolean): Promise<true> {
    const host = await starting;
    if (!host?.ok) return true;
    const stopped = host.value.stop(reason);
    // Asked a second time, it waits for no step.
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
