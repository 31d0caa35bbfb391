import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs, onLinux } from '../../../test/fakes/programs.ts';

const run = promisify(execFile);
const worker = path.join(import.meta.dirname, '../../../test/children/keychain-session.ts');
let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-keychain-'));
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A temporary home, so that the test neither touches a user's keyring nor finds that of an earlier run. */
function environment(): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env;
  return { PATH, HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run'), NODE_OPTIONS: '' };
}

async function inSession(unlock: boolean, ...steps: readonly (readonly string[])[]) {
  const commands = steps.map((step) => `"${process.execPath}" "${worker}" ${step.join(' ')}`).join(' && ');
  const daemon = unlock
    ? 'printf testpw | gnome-keyring-daemon --unlock --components=secrets >/dev/null &&'
    : '';
  const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', `${daemon} ${commands}`], {
    env: environment(),
    timeout: 60_000,
  });
  return stdout
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { ok: boolean; hex?: string | null; backend: string; error?: { code: string } },
    );
}

describe.skipIf(!onLinux)('System Secret Service', () => {
  beforeAll(() => needs('dbus-run-session', 'gnome-keyring-daemon'));

  it('stores, returns and deletes a key, also across sessions (T20)', { timeout: 90_000 }, async () => {
    const hex = 'ab'.repeat(32);
    const first = await inSession(true, ['get', 'a'], ['set', 'a', hex], ['get', 'a'], ['get', 'b']);
    expect(first.map((row) => [row.ok, row.hex])).toEqual([
      [true, null],
      [true, undefined],
      [true, hex],
      [true, null],
    ]);
    expect(first[0]?.backend).toBe('secret-service');
    const second = await inSession(true, ['get', 'a'], ['delete', 'a'], ['get', 'a']);
    expect(second.map((row) => row.hex)).toEqual([hex, undefined, null]);
  });

  it('returns an error without a keyring, and never uses the volatile kernel keyring (T20)', {
    timeout: 60_000,
  }, async () => {
    const { stdout } = await run(process.execPath, [worker, 'set', 'a', 'abab'], {
      env: { ...environment(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});
