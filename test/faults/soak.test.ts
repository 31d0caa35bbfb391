import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { proof } from '../fakes/test-run.ts';

interface Held {
  readonly heapKiB: number;
  readonly rssKiB: number;
  readonly fds: number;
  readonly handles: number;
}

const cycles = proof ? 600 : 16;
/** Warm-up cycles, in which caches fill and code is compiled. */
const warmUp = proof ? 350 : 5;
const folder = mkdtempSync(path.join(tmpdir(), 'kennel-soak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Least squares: growth per cycle. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [over, under] = values.reduce(
    ([top, bottom], value, at) => [top + (at - middle) * (value - mean), bottom + (at - middle) ** 2],
    [0, 0],
  );
  return over / under;
}

it(`${cycles} cycles of six accounts that connect, chat and leave leak no memory, files or timers (F27)`, {
  timeout: 60_000 + cycles * 10_000,
}, async () => {
  const script = path.join(import.meta.dirname, '../children/soak-child.ts');
  const child = fork(script, [folder, String(cycles)], { execArgv: ['--expose-gc'] });
  const held: Held[] = [];
  child.on('message', (message) => held.push(message as Held));
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(held).toHaveLength(cycles);
  const rest = held.slice(warmUp);
  const told = `heap KiB: ${rest.map(({ heapKiB }) => Math.round(heapKiB)).join(' ')}`;
  // Units are KiB: the six accounts of a cycle take more than 300. Caches of seen keys fill up to 10,000
  // keys.
  expect(slope(rest.map(({ heapKiB }) => heapKiB)), told).toBeLessThan(proof ? 4 : 120);
  for (const what of ['fds', 'handles'] as const) {
    const values = rest.map((one) => one[what]);
    expect(Math.max(...values) - Math.min(...values), `${what}: ${values.join(' ')}`).toBeLessThanOrEqual(4);
    expect(Math.abs(slope(values)), `${what}: ${values.join(' ')}`).toBeLessThan(0.05);
  }
  if (proof) expect(slope(rest.map(({ rssKiB }) => rssKiB)), 'RSS, KiB per cycle').toBeLessThan(8);
});
