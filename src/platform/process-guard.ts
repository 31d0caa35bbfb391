/**
 * A small process beside this one that kills the programs it started if this process is killed, so that none
 * continues unattended. It learns of each program before the program may do anything, and exits when no
 * program is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads lines `+ PID NUMBER` and `- PID NUMBER`, short because a shell reads byte by byte; end of input
 * without `quit` means that the owner died. Groups are killed by their id, and processes that left them by
 * their marker (`$1` is the owner's part of it) if the system exposes environments.
 */
const script = `
running=' '
while read -r sign pid number; do
  case $sign in
    +) running="$running$pid:$number " ;;
    -) case $running in *" $pid:$number "*) running="\${running%%" $pid:$number "*} \${running#*" $pid:$number "}" ;; esac ;;
    quit) exit 0 ;;
  esac
done
for each in $running; do kill -9 -- "-\${each%%:*}" 2>/dev/null; done
for round in 1 2 3; do
  for each in $running; do
    for environ in $(grep -alsF -- ":$1:\${each#*:}:" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${environ#/proc/}
      kill -9 "\${pid%/environ}" 2>/dev/null
    done
  done
done
`;

/** ms without a program after which the process is released. */
const idleMs = 3_000;

export interface ProcessGuard {
  watch(pid: number, number: number): void;
  forget(pid: number, number: number): void;
  close(): void;
}

/** `self` is the owner's part of markers; it is random, so that no other marker contains it. */
export function createProcessGuard(self: string): ProcessGuard {
  let child: ChildProcess | null = null;
  let watched = 0;
  let idle: NodeJS.Timeout | null = null;
  const start = (): ChildProcess => {
    const guard = spawn('/bin/sh', ['-c', script, 'guard', self], {
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
    watch(pid, number) {
      if (idle) clearTimeout(idle);
      idle = null;
      watched += 1;
      child ??= start();
      tell(`+ ${pid} ${number}`);
    },
    forget(pid, number) {
      watched -= 1;
      tell(`- ${pid} ${number}`);
      if (watched > 0) return;
      idle = setTimeout(close, idleMs);
      idle.unref();
    },
    close,
  };
}
