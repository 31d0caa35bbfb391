import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseSchema, type WorkflowCase } from '../conformance/workflow-case.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { pickSome, proof, seed } from '../fakes/test-run.ts';
import { isPlayable, type Manner, type Played, playCase } from './recorded-case.ts';

const sampled = 3;

const fixture = (name: string): readonly WorkflowCase[] => {
  const file = path.resolve(import.meta.dirname, '../fixtures/conformance', name);
  const text = readFileSync(file, 'utf8').replaceAll('LOBSTER_', 'PUPPY_').replaceAll('.lobster', '.puppy');
  return (JSON.parse(text) as { cases: unknown[] }).cases.map((each) => caseSchema.parse(each));
};
const playable = ['workflow.json', 'workflow-own.json', 'workflow-more.json']
  .flatMap(fixture)
  .filter(isPlayable);

const told = ({ told }: Played) =>
  told.map(({ ok, status, output, error, requiresApproval, requiresInput }) => ({
    ok,
    status,
    output,
    error: error?.type,
    asks: requiresApproval?.prompt ?? requiresInput?.prompt,
  }));

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const lines = ({ effects }: Played): readonly string[] => effects.toSorted();

/**
 * The owner answered `repeat` for a step that had run, because its effect was not visible. The result must
 * equal a case in which that action is executed twice.
 */
async function isDoneTwice(each: WorkflowCase, killed: Played, at: number): Promise<boolean> {
  if (!killed.said.includes('repeat')) return false;
  return same(told(killed), told(await playCase(each, { keyed: true }, { at, twice: true })));
}

/**
 * The output of a step answered with `done` is lost, and so are the effects that depend on it; no effect
 * occurs more often than in the whole play.
 */
function isDoneUnread(whole: Played, killed: Played): boolean {
  const times = (played: Played, line: string): number => lines(played).filter((one) => one === line).length;
  return (
    killed.said.includes('done') && lines(killed).every((line) => times(killed, line) <= times(whole, line))
  );
}

interface Kill extends Manner {
  readonly at: number;
  readonly point: string;
}

/** Every commit of both plays; only `run` actions differ without a key. */
function killsOf(each: WorkflowCase, keyed: Played, keyless: Played): readonly Kill[] {
  const of = (played: Played, manner: Manner): readonly Kill[] =>
    played.commits.flatMap((count, at) =>
      Array.from({ length: count }, (_, n) => [`${n + 1}:before`, `${n + 1}:after`])
        .flat()
        .map((point) => ({ ...manner, at, point })),
    );
  const begins = ({ at }: Kill): boolean => each.actions[at]?.do === 'run';
  return [...of(keyed, { keyed: true }), ...of(keyless, { keyed: false }).filter(begins)];
}

type Comparison = 'same' | 'done unread' | 'done twice' | 'different';

async function compared(each: WorkflowCase, whole: Played, killed: Played, at: number): Promise<Comparison> {
  if (!same(killed.broken, [])) return 'different';
  if (same(lines(killed), lines(whole)) && same(told(killed), told(whole))) return 'same';
  if (isDoneUnread(whole, killed)) return 'done unread';
  return (await isDoneTwice(each, killed, at)) ? 'done twice' : 'different';
}

/** Report for a human reviewer: the comparison, and the output and effects of both plays. */
async function comparison(each: WorkflowCase, whole: Played, { keyed, at, point }: Kill) {
  const killed = await playCase(each, { keyed }, { at, point });
  const seen = (played: Played) => ({ told: told(played), effects: lines(played), broken: played.broken });
  const how = await compared(each, whole, killed, at);
  return { how, name: each.name, keyed, action: at, commit: point, killed: seen(killed), whole: seen(whole) };
}

describe.skipIf(process.platform === 'win32')('Recorded workflow cases', () => {
  it(`killed at any commit of any program end the same, with each effect once (F1, seed ${seed})`, async () => {
    expect(playable.length).toBeGreaterThan(40);
    const some = proof ? playable : pickSome(playable, sampled, createSeededRandom(seed).fraction);
    const differences: unknown[] = [];
    let points = 0;
    const left = [...some.entries()];
    const hand = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [index, each] = next;
        const whole = await playCase(each, { keyed: true }, null);
        const keyless = await playCase(each, { keyed: false }, null);
        expect(told(keyless), each.name).toEqual(told(whole));
        expect(lines(keyless), each.name).toEqual(lines(whole));
        expect([...whole.broken, ...keyless.broken]).toEqual([]);
        const all = killsOf(each, whole, keyless);
        const { fraction } = createSeededRandom(seed + index);
        const chosen = proof ? all : pickSome(all, sampled, fraction);
        for (const kill of chosen) {
          const found = await comparison(each, whole, kill);
          if (found.how === 'different') differences.push(found);
          if (proof && found.how !== 'same') console.log(JSON.stringify(found));
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
