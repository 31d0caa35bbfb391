import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readTreeUsage } from './process-usage.ts';

describe.skipIf(process.platform !== 'linux')('Usage of a process tree', () => {
  it('counts processes, memory, files and processor time', async () => {
    const script = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 60 & echo ready; wait';
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const leader = child.pid ?? 0;
    try {
      await once(child.stdout, 'data');
      const usage = readTreeUsage({ leader, marker: 'no process bears this marker' });
      expect(usage?.processes).toBe(2);
      expect(usage?.memoryBytes).toBeGreaterThan(100_000);
      expect(usage?.openFiles).toBeGreaterThan(4);
      expect(usage?.cpuMs).toBeGreaterThan(0);
    } finally {
      process.kill(-leader, 'SIGKILL');
    }
    await once(child, 'exit');
    // The leader's child may end later than the leader.
    await expect
      .poll(() => readTreeUsage({ leader, marker: 'no process bears this marker' }), { timeout: 10_000 })
      .toBeNull();
  });
});
