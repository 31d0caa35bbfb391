import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';

// A Node that is too old runs the command with a newer one. That child must not outlive it, even where it is killed
// outright: the child holds the far end of a pipe, which ends with whoever holds the near one. Must parse on Node 20.

/** Set for such a child. */
const variable = 'KENNEL_REEXECUTED';
/** The descriptor of the child's end. */
const leash = 3;

/** Runs `script` with `node` in place of this process; the number is its exit code. */
export function runWith(node: string, script: string, argv: readonly string[]): Promise<number> {
  const child = spawn(node, [script, ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [variable]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`kennel could not start ${node}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (code, signal) => {
      child.stdio[leash]?.destroy();
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

function holdsPipe(): boolean {
  try {
    const kind = fstatSync(leash);
    // Node's pipes are sockets where there are such; a plain pipe there would be one of Node's own.
    return process.platform === 'win32' ? kind.isFIFO() : kind.isSocket();
  } catch {
    return false;
  }
}

/** Stops this process, as gracefully as it can, when the one that ran it is gone. Call once, before anything starts. */
export function endWithParent(): void {
  // What this process starts, e.g. an editor or its own replacement, is on no leash.
  delete process.env[variable];
  if (!holdsPipe()) return;
  const parent = new Socket({ fd: leash, readable: true, writable: false });
  parent.on('error', () => undefined);
  parent.once('close', () => process.kill(process.pid, 'SIGTERM'));
  parent.resume();
  parent.unref();
}
