/**
 * Code of the watchdog's thread, passed as source text; it must not refer to anything outside itself. It
 * counts its own ticks instead of reading a clock, so that sleep is not mistaken for a hang.
 */

export interface GuardOrders {
  readonly beats: SharedArrayBuffer;
  readonly tickMs: number;
  /** Ticks without a heartbeat before it acts. */
  readonly patience: number;
  readonly logPath: string;
  /** `null` to only log and kill. */
  readonly restart: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Record<string, string>;
  } | null;
  readonly reason: string;
}

/** Exported for its source text only; see `guardSource`. */
export function guard(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const orders = workerData as GuardOrders;
  const counter = new Int32Array(orders.beats);
  const idle = new Int32Array(new SharedArrayBuffer(4));
  let last = Atomics.load(counter, 0);
  let missed = 0;
  while (missed < orders.patience) {
    Atomics.wait(idle, 0, 0, orders.tickMs);
    const beat = Atomics.load(counter, 0);
    if (beat < 0) return;
    missed = beat === last ? missed + 1 : 0;
    last = beat;
  }
  const line = JSON.stringify({
    level: 'error',
    time: new Date().toISOString(),
    event: 'watchdog_killed_host',
    pid: process.pid,
    silentMs: orders.tickMs * orders.patience,
    restarting: orders.restart !== null,
    reason: orders.reason,
  });
  try {
    fs.appendFileSync(orders.logPath, `${line}\n`, { mode: 0o600 });
    fs.writeSync(2, `kennel: the host stopped answering and is restarted (${orders.reason})\n`);
  } catch {
    // The restart must happen even if logging fails.
  }
  if (orders.restart) {
    const { command, args, env } = orders.restart;
    spawn(command, [...args], { env, stdio: 'inherit' }).on('error', () => undefined);
  }
  process.kill(process.pid, 'SIGKILL');
}

export const guardSource = `(${guard.toString()})();`;
