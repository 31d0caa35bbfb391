/** Signals to other processes of this machine; a process that is gone is no error. */
import { systemErrorCode } from './system-error.ts';

/** True if the process exists, also if it belongs to another user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Sends `signal` to a process, or to the group of `-pid`; ignores one that is gone or not ours. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  // 0 is our own group, 1 the system, -1 every process.
  if (Math.abs(pid) < 2) return;
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not permitted.
  }
}
