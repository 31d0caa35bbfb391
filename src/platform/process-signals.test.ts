import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isProcessAlive, signalProcess } from './process-signals.ts';

it('Process checks detect live processes, and signals to ended ones are ignored', async () => {
  expect(isProcessAlive(process.pid)).toBe(true);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  expect(isProcessAlive(pid)).toBe(true);
  signalProcess(pid, 'SIGKILL');
  await once(child, 'exit');
  expect(isProcessAlive(pid)).toBe(false);
  signalProcess(pid, 'SIGKILL');
});
