import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { keepFailures, withFailures } from '../../scripts/lib/seed-list.mjs';
import { pickSome, seed, seedList } from '../fakes/test-run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kennel-seeds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Seeds of a run', () => {
  it('are the stored one or the requested one', () => {
    expect(seed).toBe(Number(process.env.KENNEL_SEED ?? seedList.seed));
  });

  it('are also used by fast-check', () => {
    expect(fc.readConfigureGlobal().seed).toBe(seed);
  });

  it('that failed in a proof run are added once per test file', () => {
    const list = { seed: 1, failed: [{ seed: 7, file: 'a.test.ts' }] };
    expect(withFailures(list, 7, ['a.test.ts', 'b.test.ts', 'b.test.ts'])).toEqual({
      seed: 1,
      failed: [
        { seed: 7, file: 'a.test.ts' },
        { seed: 7, file: 'b.test.ts' },
      ],
    });
  });

  it('are written to the file and reported', () => {
    const file = path.join(folder, 'seeds.json');
    writeFileSync(file, JSON.stringify({ seed: 1, failed: [] }));
    const said: string[] = [];
    keepFailures(9, [], (line) => said.push(line), file);
    expect(said).toEqual([]);
    keepFailures(9, ['a.test.ts'], (line) => said.push(line), file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      seed: 1,
      failed: [{ seed: 9, file: 'a.test.ts' }],
    });
    expect(said.join('\n')).toContain('Added seed 9');
  });
});

describe('Sample', () => {
  it('has exactly the requested number of items, each once and in order, or all of them', () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.nat(40),
        fc.infiniteStream(fc.integer({ min: 0, max: 999 })),
        (size, count, dice) => {
          const items = Array.from({ length: size }, (_, n) => n);
          const some = pickSome(items, count, () => (dice.next().value ?? 0) / 1000);
          expect(some).toHaveLength(Math.min(size, count));
          expect(some).toEqual([...new Set(some)].toSorted((a, b) => a - b));
        },
      ),
    );
  });
});
