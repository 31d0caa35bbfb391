/**
 * Runs the product as a child of a launcher: passes signals once, returns the exit code, and leaves no
 * process behind.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';

/**
 * A terminal's Ctrl-C and npm's forwarding of it arrive as two signals; a second one within this time is an
 * echo.
 */
const sameSignalMs = 1000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Separates a user's signal from its echo. `now`: milliseconds of any clock.
 * @param {() => number} now
 */
export function createEchoFilter(now) {
  const last = new Map();
  /** @param {string} signal */
  return (signal) => {
    const at = now();
    if (at - (last.get(signal) ?? Number.NEGATIVE_INFINITY) < sameSignalMs) return false;
    last.set(signal, at);
    return true;
  };
}

/**
 * The child has a process group of its own, so that a Ctrl-C reaches it only through this process, once per
 * key press. If npm, the parent process, is killed, the child is stopped.
 */
export function runChild(file, args, env) {
  const child = spawn(file, args, { stdio: 'inherit', env, detached: process.platform !== 'win32' });
  const isMeant = createEchoFilter(() => performance.now());
  const forward = (signal) => {
    if (isMeant(signal)) child.kill(signal);
  };
  const listeners = signals.map((signal) => [signal, () => forward(signal)]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) forward('SIGTERM');
  }, 2000);
  return new Promise((resolve) => {
    const done = (outcome) => {
      clearInterval(watch);
      for (const [signal, listener] of listeners) process.off(signal, listener);
      resolve(outcome);
    };
    child.on('error', (error) => done({ code: 127, signal: null, error: error.message }));
    child.on('exit', (code, signal) =>
      done({ code: code ?? 128 + (os.constants.signals[signal] ?? 0), signal, error: '' }),
    );
  });
}
