import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proof } from '../../../test/fakes/test-run.ts';
import { acquireHostLock, readHolder } from './host-lock.ts';

const holder = path.join(import.meta.dirname, '../../../test/children/lock-holder.ts');
interface Said {
  readonly held: boolean;
  readonly pid?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

let home: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-lock-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<{ child: ChildProcess; said: Said }> {
  const child = spawn(process.execPath, ['--expose-gc', holder, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const lines = createInterface({ input: child.stdout });
  const said = await new Promise<Said>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', () => reject(new Error('ended without a word')));
  });
  return { child, said };
}

const killed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** CI runs a sample; the proof run runs more. */
const rounds = proof ? 1_000 : 4;

describe('Host lock', () => {
  it('names its holder to a second process and can be taken again when released (F17)', async () => {
    const first = acquireHostLock(home, 1_778_790_000_000);
    if (!first.ok) throw new Error(first.error.message);
    expect(first.value.publish('/tmp/x.sock')).toEqual({ ok: true, value: undefined });
    expect(readHolder(home)).toEqual({
      pid: process.pid,
      startedAt: 1_778_790_000_000,
      socket: '/tmp/x.sock',
    });
    expect(statSync(path.join(home, 'host.lock')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(home, 'host.json')).mode & 0o777).toBe(0o600);
    const second = await start();
    expect(second.said).toMatchObject({
      held: false,
      error: { code: 'held', message: expect.stringContaining(`process ${process.pid}`) },
    });
    first.value.release();
    first.value.release();
    expect(readHolder(home)).toBeNull();
    expect((await start()).said.held).toBe(true);
  });

  it('is refused within the same process too, and does not depend on host.json', () => {
    const first = acquireHostLock(home, 1);
    expect(acquireHostLock(home, 2)).toMatchObject({ error: { code: 'held' } });
    writeFileSync(path.join(home, 'host.json'), 'nonsense');
    expect(acquireHostLock(home, 3)).toMatchObject({
      error: { code: 'held', message: expect.stringContaining('another process') },
    });
    if (first.ok) first.value.release();
    writeFileSync(path.join(home, 'host.json'), '{"pid":1,"startedAt":1,"socket":null}');
    const after = acquireHostLock(home, 4);
    expect(after.ok).toBe(true);
    if (after.ok) after.value.release();
  });

  it('never has two holders among three processes, and never stays locked after SIGKILL (F17)', {
    timeout: 120_000 + rounds * 3_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const starters = await Promise.all([start(), start(), start()]);
      const holders = starters.filter(({ said }) => said.held);
      expect(holders, `round ${round}`).toHaveLength(1);
      for (const { said } of starters) expect(said.held || said.error?.code === 'held').toBe(true);
      await killed(holders[0]!.child);
    }
  });

  it('reports an error for an unusable folder (F6)', () => {
    const file = path.join(home, 'a-file');
    writeFileSync(file, '');
    expect(acquireHostLock(path.join(file, 'home'), 1)).toMatchObject({ error: { code: 'io_error' } });
  });
});
