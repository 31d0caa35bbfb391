// Prints the memory of the process in bytes with freed blocks between blocks in use, and after their release.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseFreedMemory } from '../../src/services/db/binding.ts';
import { until } from '../fakes/puffo-rig.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const bytes = 3_000;
const count = 40_000;
const isKept = (index: number): boolean => index % 50 === 0;
let blocks = Array.from({ length: count }, () => Buffer.allocUnsafeSlow(bytes).fill(1));
const kept = blocks.filter((_, index) => isKept(index));
blocks = [];
await until('the blocks are freed', () => {
  gc();
  return process.memoryUsage().arrayBuffers < (bytes * count) / 2;
});
const before = process.memoryUsage.rss();
releaseFreedMemory();
console.log(JSON.stringify({ before, after: process.memoryUsage.rss(), kept: kept.length }));
