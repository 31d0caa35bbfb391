import os from 'node:os';

// A signal lays the run down: what runs is ended, what was done stays written down, and the exit code names the signal.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The code of `work`, or 128 and the number of the signal that ended it. A second signal ends it at once. */
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
