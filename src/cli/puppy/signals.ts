import os from 'node:os';

// A signal interrupts the run: running steps are ended, finished ones stay recorded, and the exit code names
// the signal.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Exit code of `work`, or 128 plus the signal's number. A second signal exits at once. */
export async function untilSignal(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const control = new AbortController();
  let code: number | null = null;
  const onSignal = (name: NodeJS.Signals): void => {
    if (code !== null) process.exit(code);
    code = 128 + (os.constants.signals[name] ?? 0);
    control.abort();
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    const ended = await work(control.signal);
    return code ?? ended;
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}
