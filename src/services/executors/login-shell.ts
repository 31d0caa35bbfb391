/**
 * The PATH that a login shell of this person would have. Programs started from a dock or by a service manager have
 * another one, and then miss what a terminal finds.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const patienceMs = 5_000;
const mark = '__kennel_path__';

/** Null where there is no such shell, or it says nothing in time. `env` is not handed on but for what a login has. */
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
      // Whatever start-up files print stands around the marks.
      resolve(stdout.split(mark)[1] ?? null);
    });
    child.stdin?.end();
  });
}

/** The whole path of a program, or null. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this one.
    }
  }
  return null;
}
