/**
 * Detects a hung event loop (F21). The loop writes a heartbeat to shared memory once a second. A separate
 * thread that misses 15 of them logs the reason, starts a replacement within a budget and kills the process,
 * which releases the lock.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/ports.ts';
import { type GuardOrders, guardSource } from './guard-thread.ts';
import { restartVariable, spendRestart } from './restart-budget.ts';

/** The thread only compares numbers. */
const guardLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

export interface Watchdog {
  stop(): void;
}

export interface WatchdogOptions {
  readonly clock: Clock;
  readonly logPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Command that starts this host again, or `null` if its parent process does that. */
  readonly relaunch: { readonly command: string; readonly args: readonly string[] } | null;
  readonly tickMs?: number;
  readonly patience?: number;
}

function replacement(options: WatchdogOptions): GuardOrders['restart'] {
  const starts = spendRestart(options.env[restartVariable], options.clock.now());
  if (!options.relaunch || starts === null) return null;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env)) if (value !== undefined) env[name] = value;
  return { ...options.relaunch, env: { ...env, [restartVariable]: starts } };
}

export function startWatchdog(options: WatchdogOptions): Watchdog {
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  const tickMs = options.tickMs ?? 1000;
  const restart = replacement(options);
  const orders: GuardOrders = {
    beats,
    tickMs,
    patience: options.patience ?? 15,
    logPath: options.logPath,
    restart,
    reason: restart
      ? 'its event loop was blocked'
      : 'its event loop was blocked; no restart is left in the budget',
  };
  const thread = new Worker(guardSource, {
    eval: true,
    workerData: orders,
    stdin: false,
    resourceLimits: guardLimits,
  });
  thread.unref();
  const beat = (): void => {
    Atomics.store(counter, 0, (Atomics.load(counter, 0) + 1) & 0x7fffffff);
    timer = options.clock.after(tickMs, beat, { unref: true });
  };
  let timer = options.clock.after(tickMs, beat, { unref: true });
  return {
    stop() {
      timer.cancel();
      // A negative count ends the thread at its next tick.
      Atomics.store(counter, 0, -1);
      void thread.terminate();
    },
  };
}
