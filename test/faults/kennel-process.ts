/** A real `kennel start` in a process of its own, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostSocket } from '../../bench/lib/host-socket.ts';

const entry = fileURLToPath(new URL('../../dist/cli/kennel.js', import.meta.url));

export interface KennelProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
}

export function startKennel(
  home: string,
  args: readonly string[] = ['--demo', '--no-web'],
  env: Readonly<Record<string, string>> = {},
): KennelProcess {
  if (!existsSync(entry)) throw new Error('dist/cli is missing: npm run build');
  const child = spawn(process.execPath, [entry, 'start', ...args], {
    env: { ...process.env, KENNEL_HOME: home, DBUS_SESSION_BUS_ADDRESS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const keep = (piece: Buffer): void => {
    text = (text + piece.toString('utf8')).slice(-20_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return { child, output: () => text };
}

/** Resolves when the host answers; throws with its output when it ended instead. */
export async function answering(
  home: string,
  kennel: KennelProcess,
  deadlineMs = 20_000,
): Promise<HostSocket> {
  const until = performance.now() + deadlineMs;
  while (performance.now() < until) {
    if (kennel.child.exitCode !== null)
      throw new Error(`kennel ended with ${kennel.child.exitCode}: ${kennel.output()}`);
    const socket = await HostSocket.open(home);
    if (socket) {
      const info = JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')) as { pid?: number };
      if (info.pid === kennel.child.pid) return socket;
      socket.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`kennel did not answer: ${kennel.output()}`);
}

export async function kill(kennel: KennelProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (kennel.child.exitCode !== null || kennel.child.signalCode !== null) return;
  const gone = once(kennel.child, 'exit');
  kennel.child.kill(signal);
  await gone;
}
