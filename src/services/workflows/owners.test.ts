import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { processStart } from '../../platform/process-tree.ts';
import { createOwners } from './owners.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('Run owner', () => {
  it('is alive as long as its process, and no longer (F1)', async () => {
    const child = spawn('sleep', ['60']);
    started.push(child);
    await once(child, 'spawn');
    const owners = createOwners();
    const other = `${child.pid} ${processStart(child.pid ?? 0)}|x`;
    expect(owners.alive(other)).toBe(true);
    expect(owners.alive(`${child.pid} of another start|x`)).toBe(false);
    expect(owners.alive('somebody')).toBe(false);
    expect(owners.alive('')).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(owners.alive(other)).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')(
    'is dead after a reboot, even if pid and start time are the same (F1)',
    async () => {
      const child = spawn('sleep', ['60']);
      started.push(child);
      await once(child, 'spawn');
      const [ticks, boot] = processStart(child.pid ?? 0).split('@');
      const owners = createOwners();
      expect(owners.alive(`${child.pid} ${ticks}@${boot}|x`)).toBe(true);
      expect(owners.alive(`${child.pid} ${ticks}@0000-another-boot|x`)).toBe(false);
    },
  );

  it('is distinct from other owners in the same process', () => {
    const [one, two] = [createOwners(), createOwners()];
    expect(one.self).not.toBe(two.self);
    expect(one.alive(two.self)).toBe(true);
    two.release();
    expect(one.alive(two.self)).toBe(false);
    expect(one.alive(one.self)).toBe(true);
  });
});
