/**
 * One desktop per worker: X server, session bus, keyring, tray and notifications, isolated from other
 * workers.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test as base } from '@playwright/test';
import { root } from './desktop.ts';

/** Prints the session's environment, then keeps the session alive until its input ends. */
const hold = 'env -0; printf "\\0\\0"; exec cat >/dev/null';

interface DesktopSession {
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

function startSession(): Promise<DesktopSession> {
  const child = spawn('bash', [path.join(root, 'scripts/desktop-session.sh'), 'bash', '-c', hold], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    void ended.then(() => reject(new Error(`The desktop session ended at its start: ${text}`)));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.endsWith('\0\0')) return;
      const lines = text.split('\0').filter((line) => line.includes('='));
      const env = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      resolve({
        env,
        end: () => {
          child.stdin.end();
          return ended;
        },
      });
    });
  });
}

/** Variables that the session sets; the others come from this process. */
const owned = /^(DISPLAY|XAUTHORITY|HOME|DBUS_SESSION_BUS_ADDRESS|XDG_(RUNTIME_DIR|CONFIG_HOME|CACHE_HOME))$/;

export const test = base.extend<object, { desktop: undefined }>({
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const session = await startSession();
      for (const [name, value] of Object.entries(session.env))
        if (owned.test(name)) process.env[name] = value;
      await use(undefined);
      await session.end();
    },
    { scope: 'worker', auto: true },
  ],
});
