import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { needs, onLinux } from '../../../test/fakes/programs.ts';
import type { SandboxView } from '../../core/tools/process-ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { bubblewrapArgs, findBubblewrap } from './bubblewrap.ts';
import { createProcessPort } from './process.ts';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-bwrap-')));
const at = (...names: string[]): string => join(parent, ...names);
for (const name of ['work/keys', 'work/ro', 'docs', 'outside']) mkdirSync(at(name), { recursive: true });
writeFileSync(at('outside/secret.txt'), 'TOP-SECRET');
writeFileSync(at('work/keys/id.json'), 'TOP-SECRET');
writeFileSync(at('docs/doc.txt'), 'doc');
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const sandbox = await findBubblewrap({
  process: createProcessPort({ clock: createSystemClock() }),
  hidden: [at('work/keys'), '/root/.kennel'],
});
if (onLinux) needs('bwrap');
if (!sandbox) console.warn('bubblewrap is not usable here: the sandbox tests are skipped');

const view: SandboxView = { readable: [at('docs'), at('work/ro')], writable: [at('work')], network: false };

async function run(script: string, more: Partial<SandboxView> = {}) {
  if (!sandbox) throw new Error('no sandbox');
  const request = {
    program: '/bin/sh',
    args: ['-c', script],
    cwd: at('work'),
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 10_000,
    maxStdoutBytes: 100_000,
    maxStderrBytes: 100_000,
  };
  const result = await sandbox.run(request, { ...view, ...more }, new AbortController().signal);
  if (!result.ok) throw new Error(result.error.message);
  const { exitCode, stdout, stderr } = result.value;
  return { exitCode, out: Buffer.from(stdout).toString(), err: Buffer.from(stderr).toString() };
}

describe.skipIf(!sandbox)('Bubblewrap sandbox', () => {
  it('T9 T14: shows its own folders and no others', async () => {
    expect(await run('pwd; cat ../docs/doc.txt; echo x > made.txt')).toMatchObject({
      exitCode: 0,
      out: `${at('work')}\ndoc`,
    });
    expect(readFileSync(at('work/made.txt'), 'utf8')).toBe('x\n');
    const all = await run(
      `ls ${at('outside')}; cat ${at('outside/secret.txt')}; ls -A keys /home /root /tmp; cat /etc/shadow`,
    );
    expect(all.out).not.toContain('SECRET');
    expect(all.out).not.toContain('id.json');
    expect(all.err).toContain('/etc/shadow');
  });

  it('T14: gives no access through a root folder that was replaced by a link', async () => {
    symlinkSync(at('outside'), at('work/later'));
    const found = await run('cat later/secret.txt; ls -A later/', { readable: [at('work/later')] });
    expect([found.out, found.exitCode]).toEqual(['', 2]);
    const written = await run('echo x > later/made', { writable: [at('work'), at('work/later')] });
    expect([written.exitCode === 0, existsSync(at('outside/made'))]).toEqual([false, false]);
  });

  it('allows writes only in the writable folders', async () => {
    for (const path of [at('docs/x'), at('work/ro/x'), '/usr/x', '/etc/x']) {
      expect((await run(`echo x > ${path}`)).exitCode).not.toBe(0);
      expect(existsSync(path)).toBe(false);
    }
  });

  it('has no network, no other processes and no way to gain privileges', async () => {
    const { out } = await run(
      'ls /sys/class/net /proc/net/dev 2>&1; cat /proc/net/dev; ps -e 2>/dev/null || ls /proc',
    );
    expect(out).not.toMatch(/eth0|ens|enp/);
    const status = await run('grep -E "NoNewPrivs|CapEff" /proc/self/status; mount -t tmpfs x /tmp; echo $?');
    expect(status.out).toMatch(/NoNewPrivs:\s+1/);
    expect(status.out).toMatch(/CapEff:\s+0000000000000000/);
    expect(status.out.trimEnd().endsWith('0')).toBe(false);
    expect((await run('ls /proc')).out).not.toContain(`\n${process.pid}\n`);
  });

  it('passes on only the given environment', async () => {
    expect((await run('env')).out).not.toMatch(/HOME=|USER=/);
  });
});

it('mounts narrower folders after wider ones, and shares the network only on request', () => {
  const args = bubblewrapArgs({ readable: ['/a/b/c'], writable: ['/a'], network: true }, '/a', [
    '/a/b',
    '/z',
  ]);
  const text = args.join(' ');
  expect(text).toContain('--share-net');
  expect(text).toContain('--bind-try /a /a --tmpfs /a/b --ro-bind-try /a/b/c /a/b/c');
  expect(text).not.toContain('/z');
  expect(text.endsWith('--chdir /a --')).toBe(true);
});
