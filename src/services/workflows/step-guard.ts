/**
 * A small process beside the engine that ends the steps which run when the engine is killed: nothing goes on unattended.
 * It learns of each step before the step may do anything, and ends by itself when the engine lets go of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { markerName } from './process-table.ts';

/**
 * Lines `+PID MARKER` and `-PID MARKER`; the end of input without `quit` is the end of the engine. Groups are ended by
 * number, what left them by its marker where the system shows environments.
 */
const script = `
running=' '
while read -r sign pid marker; do
  case $sign in
    +) running="$running$pid:$marker " ;;
    -) case $running in *" $pid:$marker "*) running="\${running%%" $pid:$marker "*} \${running#*" $pid:$marker "}" ;; esac ;;
    quit) exit 0 ;;
  esac
done
for each in $running; do kill -9 -- "-\${each%%:*}" 2>/dev/null; done
for round in 1 2 3; do
  for each in $running; do
    marker=\${each#*:}
    for environ in $(grep -alsF -- "${markerName}=$marker" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${environ#/proc/}
      kill -9 "\${pid%/environ}" 2>/dev/null
    done
  done
done
`;

/** ms without a step after which the process is let go. */
const idleMs = 3_000;

export interface StepGuard {
  /** Markers hold no blanks. */
  watch(pid: number, marker: string): void;
  forget(pid: number, marker: string): void;
  close(): void;
}

export function createStepGuard(): StepGuard {
  let child: ChildProcess | null = null;
  let watched = 0;
  let idle: NodeJS.Timeout | null = null;
  const start = (): ChildProcess => {
    const guard = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    const lost = (): void => {
      if (child === guard) child = null;
    };
    guard.once('error', lost);
    guard.once('exit', lost);
    guard.stdin?.on('error', lost);
    guard.unref();
    return guard;
  };
  const tell = (line: string): void => void child?.stdin?.write(`${line}\n`);
  const close = (): void => {
    if (idle) clearTimeout(idle);
    idle = null;
    tell('quit');
    child?.stdin?.end();
    child = null;
  };
  return {
    watch(pid, marker) {
      if (idle) clearTimeout(idle);
      idle = null;
      watched += 1;
      child ??= start();
      tell(`+ ${pid} ${marker}`);
    },
    forget(pid, marker) {
      watched -= 1;
      tell(`- ${pid} ${marker}`);
      if (watched > 0) return;
      idle = setTimeout(close, idleMs);
      idle.unref();
    },
    close,
  };
}
