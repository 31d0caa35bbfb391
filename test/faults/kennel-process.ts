/** A real `kennel` in a process of its own, for tests that damage it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostSocket } from '../../bench/lib/host-socket.ts';
import { patienceMs } from '../fakes/patience.ts';
import { type Door, openDoor } from './door.ts';

const entry = fileURLToPath(new URL('../../dist/cli/kennel.js', import.meta.url));

export interface KennelProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
}

export interface Launch {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that replaces itself by the rest of its line (exec), which keeps the process id. */
  readonly wrap?: readonly string[];
}

/** Starts `kennel ARGS` in the folder, without a keychain. */
export function spawnKennel(
  home: string,
  args: readonly string[],
  { env = {}, wrap = [] }: Launch = {},
): KennelProcess {
  if (!existsSync(entry)) throw new Error('dist/cli is missing: npm run build');
  const [command = '', ...rest] = [...wrap, process.execPath, entry, ...args];
  const child = spawn(command, rest, {
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

export function startKennel(
  home: string,
  args: readonly string[] = ['--demo', '--no-web'],
  launch: Launch = {},
): KennelProcess {
  return spawnKennel(home, ['start', ...args], launch);
}

export const ended = ({ child }: KennelProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

function holderOf(home: string): { readonly pid?: number; readonly socket?: string | null } {
  try {
    return JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')) as { pid?: number };
  } catch {
    return {};
  }
}

async function untilPublished<T>(
  home: string,
  kennel: KennelProcess,
  deadlineMs: number,
  open: () => Promise<(T & { close(): void }) | null>,
): Promise<T> {
  const until = performance.now() + deadlineMs;
  while (performance.now() < until) {
    if (ended(kennel)) throw new Error(`kennel ended with ${kennel.child.exitCode}: ${kennel.output()}`);
    const opened = holderOf(home).pid === kennel.child.pid ? await open() : null;
    if (opened) return opened;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`kennel did not answer: ${kennel.output()}`);
}

/** Resolves when the host answers; throws with its output if it ended instead. */
export function answering(home: string, kennel: KennelProcess, deadlineMs = patienceMs): Promise<HostSocket> {
  return untilPublished(home, kennel, deadlineMs, () => HostSocket.open(home));
}

/** `home` is the path in this process; the host may know the folder under another path. */
export function doorOf(home: string, kennel: KennelProcess, deadlineMs = patienceMs): Promise<Door> {
  return untilPublished(home, kennel, deadlineMs, async () =>
    holderOf(home).socket ? openDoor(path.join(home, 'host.sock'), kennel.output) : null,
  );
}

export async function kill(kennel: KennelProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (ended(kennel)) return;
  const gone = once(kennel.child, 'exit');
  kennel.child.kill(signal);
  await gone;
}

/** Waits until the process ends by itself; returns the exit code. */
export async function exitOf(kennel: KennelProcess): Promise<number | null> {
  if (!ended(kennel)) await once(kennel.child, 'exit');
  return kennel.child.exitCode;
}
