/** The launcher behind `npm start` passes signals once, returns exit codes, and leaves no process behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createEchoFilter } from '../../scripts/lib/run-child.mjs';
import { patienceMs } from '../fakes/patience.ts';

const runChild = pathToFileURL(path.resolve(import.meta.dirname, '../../scripts/lib/run-child.mjs')).href;

/** A launcher whose child runs `script`; the child prints its pid, then its signals. */
function launch(script: string, env: Record<string, string> = {}) {
  const launcher = `
    import { runChild } from ${JSON.stringify(runChild)};
    const { code } = await runChild(process.execPath, ['-e', ${JSON.stringify(script)}], process.env);
    process.exitCode = code;`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', launcher], {
    env: { ...process.env, npm_lifecycle_event: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  return { child, output: () => output };
}

const started: ChildProcess[] = [];
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(holds: () => boolean, ms = patienceMs): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const counting = `
  let seen = 0;
  process.on('SIGINT', () => { seen += 1; console.log('seen ' + seen); });
  process.on('SIGTERM', () => process.exit(5));
  console.log('pid ' + process.pid);
  setInterval(() => {}, 1000);`;

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('Launcher', () => {
  it.each([0, 1, 7])('returns the exit code %i of the child', async (code) => {
    const { child } = launch(`process.exit(${code})`);
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  it('reports a signal that ended the child as shells do', async () => {
    const { child } = launch("process.kill(process.pid, 'SIGKILL')");
    expect(await once(child, 'exit')).toEqual([137, null]);
  });

  it('passes signals to the child', async () => {
    const { child, output } = launch(counting);
    started.push(child);
    await until(() => output().includes('pid'));
    child.kill('SIGINT');
    await until(() => output().includes('seen 1'));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });

  it('merges two interrupts within a second, but no later ones and no other signals', () => {
    let now = 0;
    const isMeant = createEchoFilter(() => now);
    const at = (ms: number, signal = 'SIGINT'): boolean => {
      now = ms;
      return isMeant(signal);
    };
    expect([at(0), at(1), at(2, 'SIGTERM'), at(999), at(1000), at(1999), at(2000)]).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('stops the child when npm was killed', async () => {
    const shell = spawn(
      'sh',
      [
        '-c',
        `"$0" --input-type=module -e "$1" & wait`,
        process.execPath,
        `
      import { runChild } from ${JSON.stringify(runChild)};
      await runChild(process.execPath, ['-e', ${JSON.stringify(counting)}], process.env);`,
      ],
      {
        env: { ...process.env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    await until(() => /pid \d+\n/.test(output));
    const pid = Number(/pid (\d+)/.exec(output)?.[1]);
    expect(alive(pid)).toBe(true);
    shell.kill('SIGKILL');
    await until(() => !alive(pid));
  });
});
