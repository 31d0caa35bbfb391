/**
 * Randomness of this run: `npm test` uses the seed in `test/fixtures/seeds.json`, `npm run proof` uses a new
 * seed and far more rounds.
 */
import { readFileSync } from 'node:fs';

/** `failed`: seeds that broke a test file in a proof run; that file also runs with them from then on. */
export interface SeedList {
  readonly seed: number;
  readonly failed: readonly { readonly seed: number; readonly file: string }[];
}

const seedFile = new URL('../fixtures/seeds.json', import.meta.url);

export const seedList = JSON.parse(readFileSync(seedFile, 'utf8')) as SeedList;

/** Seed of this run; `KENNEL_SEED=283638 npx vitest run ...` repeats a run with another seed. */
export const seed = Number(process.env.KENNEL_SEED ?? seedList.seed);

export const proof = process.env.KENNEL_PROOF === '1';

/** Picks `count` items and keeps their order; `fraction` returns numbers from 0 up to but not including 1. */
export function pickSome<Item>(items: readonly Item[], count: number, fraction: () => number): Item[] {
  const left = items.map((_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, items.length)) {
    const [index] = left.splice(Math.floor(fraction() * left.length), 1);
    if (index !== undefined) chosen.add(index);
  }
  return items.filter((_, index) => chosen.has(index));
}
