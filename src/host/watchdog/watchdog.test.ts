import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { patienceMs } from '../../../test/fakes/patience.ts';
import { recentStarts, spendRestart } from './restart-budget.ts';

const here = import.meta.dirname;

function runScript(
  path: string,
  env: Record<string, string>,
): Promise<{ signal: string | null; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path], { env: { ...process.env, ...env }, stdio: 'ignore' });
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

async function until(check: () => boolean): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!check() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A host that hangs at once, and a replacement that writes a file. */
function hangingHost(folder: string, blockMs: number, patience = 10): string {
  const path = join(folder, 'host.ts');
  writeFileSync(
    path,
    `import { writeFileSync } from 'node:fs';
     import { startWatchdog } from ${JSON.stringify(join(here, 'watchdog.ts'))};
     import { createSystemClock } from ${JSON.stringify(join(here, '../../services/clock/system-clock.ts'))};
     if (process.env.SECOND) { writeFileSync(${JSON.stringify(join(folder, 'second'))}, process.env.KENNEL_WATCHDOG_STARTS ?? ''); process.exit(0); }
     const dog = startWatchdog({
       clock: createSystemClock(), logPath: ${JSON.stringify(join(folder, 'log'))}, env: { ...process.env, SECOND: '1' },
       relaunch: { command: process.execPath, args: [${JSON.stringify(path)}] }, tickMs: 50, patience: ${patience},
     });
     setTimeout(() => {
       const end = Date.now() + ${blockMs};
       while (Date.now() < end);
       setTimeout(() => { dog.stop(); process.exit(7); }, 200);
     }, 200);`,
  );
  return path;
}

it('The watchdog kills a hanging host, logs the reason and starts a replacement (F21)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-dog-'));
  try {
    const end = await runScript(hangingHost(folder, 20_000), {});
    expect(end.signal).toBe('SIGKILL');
    expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('watchdog_killed_host');
    await until(() => existsSync(join(folder, 'second')));
    expect(readFileSync(join(folder, 'second'), 'utf8')).toMatch(/^\d{13}$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('The watchdog leaves a briefly busy or stopping host alone (F21)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-dog-'));
  try {
    // High patience, because a busy machine can delay the heartbeats too.
    expect(await runScript(hangingHost(folder, 150, 200), {})).toEqual({ code: 7, signal: null });
    expect(existsSync(join(folder, 'log'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('The watchdog allows three restarts in ten minutes', () => {
  const now = 2_000_000_000_000;
  expect(spendRestart(undefined, now)).toBe(String(now));
  expect(spendRestart(`${now - 3},${now - 2}`, now)).toBe(`${now - 3},${now - 2},${now}`);
  expect(spendRestart(`${now - 3},${now - 2},${now - 1}`, now)).toBeNull();
  expect(recentStarts(`${now - 600_000},junk,-4,${now + 5},${now - 1}`, now)).toEqual([now - 1]);
});
