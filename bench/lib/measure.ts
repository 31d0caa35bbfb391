/** Shared helpers of the benches: medians, timed child processes, uniform result rows. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BenchRow {
  readonly name: string;
  /** `null` if it was not measured, with the reason in the note; such a row misses its goal. */
  readonly ratio: number | null;
  readonly goal: number;
  readonly better: 'higher' | 'lower';
  readonly figures: Readonly<Record<string, number>>;
  readonly note?: string;
}

export const kennelEntry = fileURLToPath(new URL('../../dist/cli/kennel.js', import.meta.url));

export const temporaryHome = (): string => mkdtempSync(path.join(os.tmpdir(), 'kennel-bench-'));

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** ms from spawn to exit of `node ...args`. */
export function timeNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  if (run.status !== 0) throw new Error(`node ${args.join(' ')} exited ${run.status}`);
  return performance.now() - started;
}

export const startNode = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env } });

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Proportional set size of one process in KiB. Linux only. */
export function pssKiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** CPU time of a process so far, in ms. Linux only (100 ticks per second). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** For the note of a row whose figures depend on what else runs. */
export const loadNote = (): string => `load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`;

export const report = (rows: readonly BenchRow[]): void => console.log(JSON.stringify(rows));
