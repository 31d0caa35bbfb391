/** Damage that disks and faulty programs do to files at rest. */
import { closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { Random } from '../../src/core/ports.ts';

export type Harm = 'bit' | 'cut' | 'zero';
export const harms: readonly Harm[] = ['bit', 'cut', 'zero'];

export function damage(file: string, harm: Harm, random: Random): void {
  const upTo = (limit: number): number => Math.floor(random.fraction() * limit);
  const { size } = statSync(file);
  if (harm === 'cut') truncateSync(file, 1 + upTo(size - 1));
  else if (harm === 'zero') truncateSync(file, 0);
  else flipBit(file, upTo(size), upTo(8));
}

function flipBit(file: string, at: number, bit: number): void {
  const fd = openSync(file, 'r+');
  const byte = (readFileSync(file)[at] ?? 0) ^ (1 << bit);
  writeSync(fd, Buffer.from([byte]), 0, 1, at);
  closeSync(fd);
}

/** Names of the damaged files that were moved aside under a date. */
export const putAside = (home: string): string[] =>
  (readdirSync(home, { recursive: true }) as string[]).filter((name) =>
    /\.damaged-\d{4}-.*Z(-\d+)?(\.jsonl)?$/.test(name),
  );
