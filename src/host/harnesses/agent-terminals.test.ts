import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createAgentTerminals, type TerminalLine } from './agent-terminals.ts';

let child: ChildProcess | null = null;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-terminals-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const terminalsOf = (clock: Clock) =>
  createAgentTerminals({
    clock,
    disk: createDisk(createSystemRandom()),
    path: join(folder, 'terminals.json'),
  });

/** A process that attaches. */
async function attaching(): Promise<number> {
  child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child.pid ?? 0;
}

async function killed(): Promise<void> {
  if (!child) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A line whose access to models counts. */
function lines() {
  const seen = { opened: 0, ended: 0 };
  const open = async (): Promise<Result<TerminalLine>> => {
    seen.opened += 1;
    const end = async (): Promise<void> => {
      seen.ended += 1;
    };
    return ok({ argv: ['/bin/true'], env: {}, cwd: '/', title: 'Pi', end });
  };
  return { seen, open };
}

describe('Terminals of agents', () => {
  it('F2: does not keep an agent waiting for a process that is gone', async () => {
    const pid = await attaching();
    await killed();
    const terminals = terminalsOf(createVirtualClock());
    const attached = await terminals.attach('ada', pid, lines().open);
    expect(attached.ok ? '' : attached.error.code).toBe('not_found');
    expect(terminals.holdOf('ada').isHeld).toBe(false);
  });

  it('T18: ends the access to models of a terminal that ended before it was ready', async () => {
    const clock = createVirtualClock();
    const terminals = terminalsOf(clock);
    const { seen, open } = lines();
    const pid = await attaching();
    let goOn = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const attached = terminals.attach('ada', pid, async () => {
      await slow;
      return open();
    });
    await killed();
    await clock.advance(2_000);
    goOn();
    const answer = await attached;
    expect(answer.ok ? '' : answer.error.code).toBe('not_found');
    await expect.poll(() => terminals.holdOf('ada').isHeld).toBe(false);
    expect(seen).toEqual({ opened: 1, ended: 1 });
  });

  it('T18: opens one access to models for a terminal that asks twice', async () => {
    const terminals = terminalsOf(createVirtualClock());
    const { seen, open } = lines();
    const pid = await attaching();
    const both = await Promise.all([terminals.attach('ada', pid, open), terminals.attach('ada', pid, open)]);
    expect(both.map((one) => one.ok && one.value.state)).toEqual(['ready', 'ready']);
    await terminals.detach('ada', pid);
    expect(seen).toEqual({ opened: 1, ended: 1 });
    expect(terminals.holdOf('ada').isHeld).toBe(false);
  });

  it('F2: keeps the session from the turns of the next host, until the terminal ends', async () => {
    const pid = await attaching();
    await terminalsOf(createVirtualClock()).attach('ada', pid, lines().open);
    const clock = createVirtualClock();
    const next = terminalsOf(clock);
    next.begin();
    expect([next.holdOf('ada').isHeld, next.since('ada') === null]).toEqual([true, false]);
    await killed();
    await clock.advance(2_000);
    await expect.poll(() => next.holdOf('ada').isHeld).toBe(false);
    const last = terminalsOf(createVirtualClock());
    last.begin();
    expect(last.holdOf('ada').isHeld).toBe(false);
  });

  it('F2: forgets a terminal that ended while no host ran', async () => {
    const pid = await attaching();
    await terminalsOf(createVirtualClock()).attach('ada', pid, lines().open);
    await killed();
    const next = terminalsOf(createVirtualClock());
    next.begin();
    expect(next.holdOf('ada').isHeld).toBe(false);
  });
});
