import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseSchema, type WorkflowCase } from '../conformance/workflow-case.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof } from './places.ts';
import { isPlayable, type Played, playCase } from './recorded-case.ts';

const seed = Number(process.env.KENNEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const chance = createSeededRandom(seed);

const fixture = (name: string): readonly WorkflowCase[] => {
  const file = path.resolve(import.meta.dirname, '../fixtures/conformance', name);
  const text = readFileSync(file, 'utf8').replaceAll('LOBSTER_', 'PUPPY_').replaceAll('.lobster', '.puppy');
  return (JSON.parse(text) as { cases: unknown[] }).cases.map((each) => caseSchema.parse(each));
};
const playable = [...fixture('workflow.json'), ...fixture('workflow-own.json')].filter(isPlayable);

/** Three of them, or all where there are fewer. */
function sample<T>(all: readonly T[]): readonly T[] {
  const left = [...all];
  const picked = Array.from({ length: Math.min(3, left.length) }, () =>
    left.splice(Math.floor(chance.fraction() * left.length), 1),
  );
  return picked.flat();
}

/** `diff.last` finds no change the second time: of class once, so that a person is asked, whose answer may be either. */
const dependsOnAnswer = (each: WorkflowCase): boolean => JSON.stringify(each).includes('diff.last');

/** What must not depend on a crash. Of a step that somebody said was done, nobody knows what it wrote. */
const resultOf = ({ told, saidDone }: Played) =>
  saidDone
    ? null
    : told.map(({ ok, status, output, error, requiresApproval, requiresInput }) => ({
        ok,
        status,
        output,
        error: error?.type,
        asks: requiresApproval?.prompt ?? requiresInput?.prompt,
      }));

/** May a line be there twice? Only where the file says that a step may be done again. */
const repeats = (each: WorkflowCase): boolean =>
  /\beffect["']?:|\bretry["']?:/.test(JSON.stringify([each.file, each.files, each.pipeline]));

/** Null: the kill left no trace. */
async function difference(each: WorkflowCase, whole: Played, again: Played, at: number, point: string) {
  const killed = await playCase(each, { at, point });
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const lines = (played: Played) =>
    (repeats(each) ? [...new Set(played.effects)] : played.effects).toSorted();
  const certain = same(resultOf(whole), resultOf(again)) && !killed.saidDone && !dependsOnAnswer(each);
  // What a step wrote that was said to be done is lost, and with it the lines made of that; none is there more often than before.
  const times = (played: Played, line: string): number => lines(played).filter((one) => one === line).length;
  const few = killed.saidDone && lines(killed).every((line) => times(killed, line) <= times(whole, line));
  const all = same(lines(killed), lines(whole));
  const fine = (all || few) && (!certain || same(resultOf(killed), resultOf(whole)));
  if (fine) return null;
  const seen = (played: Played) => ({ result: resultOf(played), effects: lines(played) });
  return { name: each.name, action: at, commit: point, killed: seen(killed), whole: seen(whole) };
}

describe.skipIf(process.platform === 'win32')('recorded cases', () => {
  it(`end the same, each effect once, killed at any commit of any of their programs (F1, seed ${seed})`, async () => {
    expect(playable.length).toBeGreaterThan(40);
    const some = proof ? playable : sample(playable);
    const differences: unknown[] = [];
    let points = 0;
    const left = [...some];
    const hand = async (): Promise<void> => {
      for (let each = left.shift(); each; each = left.shift()) {
        const [whole, again] = [await playCase(each, null), await playCase(each, null)];
        const all = whole.commits.flatMap((count, at) =>
          Array.from({ length: count }, (_, n) => [`${n + 1}:before`, `${n + 1}:after`])
            .flat()
            .map((point) => ({ at, point })),
        );
        const chosen = proof ? all : sample(all);
        for (const { at, point } of chosen) {
          const found = await difference(each, whole, again, at, point);
          if (!found) continue;
          differences.push(found);
          if (proof) console.log(JSON.stringify(found));
        }
        points += chosen.length;
        if (proof) console.log(`${each.name}: ${chosen.length} kills`);
      }
    };
    await Promise.all([hand(), hand()]);
    expect(differences).toEqual([]);
    expect(points).toBeGreaterThan(0);
    if (proof) console.log(`${some.length} cases, ${points} kills, seed ${seed}`);
  }, 14_400_000);
});
