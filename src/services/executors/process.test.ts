import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProcessRequest } from '../../core/tools/process-ports.ts';
import { processStart, systemProcesses } from '../../platform/process-tree.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createProcessPort } from './process.ts';

const posix = process.platform !== 'win32';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-process-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const port = createProcessPort({ clock: createSystemClock() });
const never = new AbortController().signal;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const sh = (script: string, more: Partial<ProcessRequest> = {}): ProcessRequest => ({
  program: '/bin/sh',
  args: ['-c', script],
  cwd: folder,
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 10_000,
  maxStdoutBytes: 1_000,
  maxStderrBytes: 1_000,
  ...more,
});

/** A killed process that its parent has not collected yet counts as gone. */
const alive = (pid: number): boolean => processStart(pid) !== '';

/** Killed processes of another parent disappear with a short delay. */
async function goneSoon(pid: number): Promise<boolean> {
  for (let round = 0; round < 200 && alive(pid); round += 1) await new Promise((go) => setTimeout(go, 10));
  return !alive(pid);
}

describe.skipIf(!posix)('Child process', () => {
  it('reports output and exit code, and inherits nothing of Kennel’s environment', async () => {
    process.env.KENNEL_CANARY = 'secret';
    const result = await port.run(sh('pwd; env; echo bad >&2; cat; exit 3'), never);
    delete process.env.KENNEL_CANARY;
    if (!result.ok) throw new Error(result.error.message);
    const { exitCode, stdout, stderr, timedOut } = result.value;
    expect({ exitCode, timedOut, stderr: text(stderr) }).toEqual({
      exitCode: 3,
      timedOut: false,
      stderr: 'bad\n',
    });
    expect(text(stdout).split('\n')[0]).toBe(folder);
    expect(text(stdout)).not.toContain('secret');
    expect(text(stdout)).not.toContain('HOME=');
  });

  it('keeps a limited amount of output and counts the rest', async () => {
    const result = await port.run(sh('head -c 3000000 /dev/zero; head -c 5000 /dev/zero >&2'), never);
    expect(result.ok && [result.value.stdout.length, result.value.stdoutBytes]).toEqual([1_000, 3_000_000]);
    expect(result.ok && [result.value.stderr.length, result.value.stderrBytes]).toEqual([1_000, 5_000]);
  });

  it('is killed with its whole group after the timeout', async () => {
    const result = await port.run(sh('sleep 60 & echo $!; sleep 60', { timeoutMs: 300 }), never);
    expect(result.ok && result.value.timedOut).toBe(true);
    expect(await goneSoon(Number(result.ok && text(result.value.stdout)))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'is killed with children that started their own session',
    async () => {
      const script = join(folder, 'escape.sh');
      writeFileSync(script, 'setsid sleep 60 >/dev/null 2>&1 &\necho $!\n');
      const result = await port.run(sh(`sh ${script}; sleep 0.2`), never);
      expect(result.ok && result.value.exitCode).toBe(0);
      expect(await goneSoon(Number(result.ok && text(result.value.stdout)))).toBe(true);
    },
  );

  it('ends without waiting for children that keep the output open', async () => {
    const result = await port.run(sh('sleep 60 & echo $!'), never);
    expect(result.ok && result.value.exitCode).toBe(0);
    expect(await goneSoon(Number(result.ok && text(result.value.stdout)))).toBe(true);
  });

  it.each([true, false])(
    'has its tree searched at a timeout or an abort, not at its own end (markers: %s)',
    async (hasMarkers) => {
      let reads = 0;
      const rows = (): ReturnType<typeof systemProcesses.rows> => {
        reads += 1;
        return systemProcesses.rows();
      };
      const processes = { ...systemProcesses, hasMarkers: hasMarkers && systemProcesses.hasMarkers, rows };
      const watched = createProcessPort({ clock: createSystemClock(), processes });
      const ended = await watched.run(sh('exit 3'), never);
      expect([ended.ok && ended.value.exitCode, reads]).toEqual([3, 0]);
      const late = await watched.run(sh('sleep 60', { timeoutMs: 100 }), never);
      expect(late.ok && late.value.timedOut).toBe(true);
      const afterTimeout = reads;
      expect(afterTimeout).toBeGreaterThan(0);
      const stop = new AbortController();
      await watched.run(sh('echo x; sleep 60', { onOutput: () => stop.abort() }), stop.signal);
      expect(reads).toBeGreaterThan(afterTimeout);
    },
  );

  it('is stopped by the abort signal', async () => {
    const stop = new AbortController();
    const running = port.run(sh('echo $$; sleep 60', { onOutput: () => stop.abort() }), stop.signal);
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await port.run(sh('echo x'), stop.signal)).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
    });
  });

  it('reports a missing program, and passes arguments without shell expansion', async () => {
    const missing = await port.run(sh('', { program: join(folder, 'nothing') }), never);
    expect(missing).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const plain = await port.run(sh('', { program: '/bin/echo', args: ['$(id); x', '*'] }), never);
    expect(plain.ok && text(plain.value.stdout)).toBe('$(id); x *\n');
  });
});
