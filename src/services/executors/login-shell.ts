/**
 * The PATH of the user's login shell. Programs started from a dock or by a service manager have another PATH,
 * and then miss programs that a terminal finds.
 */
import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';

const patienceMs = 5_000;
const mark = '__kennel_path__';

/**
 * Returns `null` if the shell is missing or does not answer in time. Of `env` only the login variables are
 * passed on.
 */
export function loginShellPath(
  shell: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (!isAbsolute(shell)) return Promise.resolve(null);
  const { HOME, USER, LOGNAME, LANG } = env;
  const given = Object.entries({ HOME, USER, LOGNAME, LANG, SHELL: shell, TERM: 'dumb' });
  const script = `printf '%s%s%s' ${mark} "$PATH" ${mark}`;
  const options = {
    env: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    timeout: patienceMs,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
  } as const;
  return new Promise((resolve) => {
    const child = execFile(shell, ['-l', '-c', script], options, (_error, stdout) => {
      // Output of start-up files may surround the marks.
      resolve(stdout.split(mark)[1] ?? null);
    });
    child.stdin?.end();
  });
}
