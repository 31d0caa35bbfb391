import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import type { HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { markerName } from '../../platform/process-marker.ts';
import { processStart } from '../../platform/process-tree.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createProcessLedger } from './process-ledger.ts';

const linux = process.platform === 'linux';
const marker = 'harness:0a6c6c0e-6c1e-4c0e-8d58-0d4d2e5f2a11:1:';
let folder = '';
const left: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-ledger-'));
});
afterEach(() => {
  for (const child of left.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const open = () =>
  createProcessLedger({
    disk: createDisk(createSystemRandom()),
    path: join(folder, 'processes.json'),
    clock: createSystemClock(),
    log: createRecordingLog(),
  });

/** A process that no host follows any more. */
function leave(env: Readonly<Record<string, string>> = {}): number {
  const child = spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore', env });
  left.push(child);
  return child.pid ?? 0;
}

const recordOf = (pid: number, change: Partial<HarnessRecord> = {}): HarnessRecord => ({
  id: 'one',
  agentId: 'ada',
  program: 'sleep',
  pid,
  started: processStart(pid),
  marker,
  hasWall: false,
  container: null,
  at: 1,
  ...change,
});

const ended = async (pid: number): Promise<void> => {
  await expect.poll(() => processStart(pid)).toBe('');
};

describe.skipIf(process.platform === 'win32')('Ledger of agent programs', () => {
  it('F2: ends at the next start what an earlier host left running', async () => {
    const pid = leave();
    expect(open().add(recordOf(pid)).ok).toBe(true);
    const next = open();
    next.reap();
    await ended(pid);
    expect(JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')).processes).toEqual([]);
  });

  it('F2: spares another process that got the id of an ended one', () => {
    const pid = leave();
    open().add(recordOf(pid, { started: `1@${processStart(pid).split('@')[1]}` }));
    open().reap();
    expect(processStart(pid)).not.toBe('');
  });

  it('F2: spares a process of an earlier boot with the same id and ticks', () => {
    const pid = leave();
    open().add(recordOf(pid, { started: `${processStart(pid).split('@')[0]}@00000000` }));
    open().reap();
    expect(processStart(pid)).not.toBe('');
  });

  it.skipIf(!linux)('F2: finds children by their marker after their parent ended', async () => {
    const pid = leave({ [markerName]: marker });
    open().add(recordOf(999_999_999, { started: '1@00000000' }));
    open().reap();
    await ended(pid);
  });

  it('keeps open records over a settled one, and none after the last', () => {
    const ledger = open();
    ledger.add(recordOf(process.pid));
    ledger.add(recordOf(process.pid, { id: 'two' }));
    ledger.settle('one');
    expect(ledger.list().map(({ id }) => id)).toEqual(['two']);
    ledger.settle('two');
    expect(JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')).processes).toEqual([]);
  });

  it('F3: moves a damaged file aside and ends nothing', () => {
    writeFileSync(join(folder, 'processes.json'), '{"version":1,"processes":[{"pid":1}]}');
    const ledger = open();
    ledger.reap();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readdirSync(folder)).not.toContain('processes.json');
    expect(ledger.add(recordOf(process.pid)).ok).toBe(true);
  });
});
