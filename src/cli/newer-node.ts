import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';

// Runs the command with a newer Node if this one is too old. The child must not outlive this process, even
// after SIGKILL: it watches a pipe that closes with its parent. Must parse on Node 20.

/** Set in the environment of such a child. */
const variable = 'KENNEL_REEXECUTED';
/** File descriptor of the child's end of the pipe. */
const leash = 3;

/** Runs `script` with `node` instead of this process; returns its exit code. */
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
    // Except on Windows, Node implements pipes as sockets; a FIFO here would be one of Node's own.
    return process.platform === 'win32' ? kind.isFIFO() : kind.isSocket();
  } catch {
    return false;
  }
}

/** Stops this process gracefully when its parent is gone. Call it once, before anything starts. */
export function endWithParent(): void {
  // Processes started by this one, e.g. an editor or its replacement, have no such pipe.
  delete process.env[variable];
  if (!holdsPipe()) return;
  const parent = new Socket({ fd: leash, readable: true, writable: false });
  parent.on('error', () => undefined);
  parent.once('close', () => process.kill(process.pid, 'SIGTERM'));
  parent.resume();
  parent.unref();
}
