import type { HostView } from '../../contract/model.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { Clock, Log } from '../../core/ports.ts';

/** ms that a stop waits for a start under way. */
const startGraceMs = 2_000;

export interface HostLifeDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends first: retries and watches, which would only start something new. */
  readonly background: Scope;
  /** Starts no further steps and waits for the running ones; returns at once when the signal aborts. */
  readonly finishSteps: (now: AbortSignal) => Promise<void>;
  /** Everything else; ends last. */
  readonly scope: Scope;
  readonly onState: () => void;
}

/** The state of a host, from its start until its last part has ended. */
export interface HostLife {
  state(): HostView['state'];
  become(state: HostView['state']): void;
  isStopping(): boolean;
  /** Resolves when every configured part has started or failed. */
  readonly ready: Promise<void>;
  /** Runs `start` once; `onFailed` is called if it throws. */
  begin(start: () => Promise<void>, onFailed: (error: unknown) => void): void;
  /** A second call waits for no step. */
  stop(reason: string): Promise<void>;
  readonly stopped: Promise<string>;
}

export function createHostLife(deps: HostLifeDeps): HostLife {
  const { clock, log } = deps;
  const stopNow = new AbortController();
  let state: HostView['state'] = 'starting';
  let hasBegun = false;
  let stopping: Promise<void> | null = null;
  let setReady = (): void => undefined;
  let setStopped = (_reason: string): void => undefined;
  const ready = new Promise<void>((resolve) => {
    setReady = resolve;
  });
  const stopped = new Promise<string>((resolve) => {
    setStopped = resolve;
  });
  const become = (next: HostView['state']): void => {
    state = next;
    deps.onState();
  };

  const shutDown = async (reason: string): Promise<void> => {
    const quiet = deps.background.dispose();
    become('stopping');
    log.info('host_stopping', { reason });
    // Parts that are still starting must finish before they can stop.
    const grace = new Promise<void>((resolve) => clock.after(startGraceMs, resolve, { unref: true }));
    const started = hasBegun ? Promise.race([ready, grace]) : undefined;
    await Promise.all([quiet, started, deps.finishSteps(stopNow.signal)]);
    await deps.scope.dispose();
    setStopped(reason);
  };

  return {
    state: () => state,
    become,
    isStopping: () => stopping !== null,
    ready,
    begin(start, onFailed) {
      hasBegun = true;
      start()
        .catch((error: unknown) => {
          onFailed(error);
          become('ready');
        })
        .finally(setReady);
    },
    stop(reason) {
      if (stopping) stopNow.abort();
      stopping ??= shutDown(reason);
      return stopping;
    },
    stopped,
  };
}
