import { userInfo } from 'node:os';
import { loginShellPath } from '../services/executors/login-shell.ts';
import type { HostPorts } from './host-ports.ts';

function shellOf(env: HostPorts['env']): string {
  if (env.SHELL) return env.SHELL;
  try {
    return userInfo().shell ?? '';
  } catch {
    return '';
  }
}

/** The PATH of the operator's login shell, or `null` if it gives none. */
export const loginPath = (env: HostPorts['env']): Promise<string | null> =>
  process.platform === 'win32' ? Promise.resolve(null) : loginShellPath(shellOf(env), env);
