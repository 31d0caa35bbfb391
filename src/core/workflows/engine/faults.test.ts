import { describe, expect, it } from 'vitest';
import { guardsOf, randomWorkflow, rigWords } from '../../../../test/fakes/random-workflow.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { definitions, type Fault, live, onceOnly } from '../../../../test/fakes/workflow-lives.ts';
import { createWorkflowRig, workflow } from '../../../../test/fakes/workflow-rig.ts';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const rounds = Number(process.env.RUNS ?? 150);
const dayMs = 86_400_000;
const proof = process.env.KENNEL_PROOF === '1';

/** Pairs of what may befall two programs, of which the second goes on where the first was: some of them, in a proof all. */
function pairsOf(writes: number): readonly (readonly [Fault, Fault])[] {
  const single = Array.from({ length: writes }, (_, n) => n + 1).flatMap((write): Fault[] => [
    { write, when: 'before' },
    { write, when: 'after' },
    { write, when: 'refused' },
  ]);
  const every = single.flatMap((first) => single.map((second) => [first, second] as const));
  const { fraction } = createSeededRandom(seed);
  return proof ? every : every.filter(() => fraction() < 60 / every.length);
}

const nobody = (): boolean => false;

/** Begun under a key, and by whoever drives it. */
async function endsTheSame(text: string, faults: readonly Fault[], whole: object): Promise<void> {
  for (const keyed of [true, false]) {
    const rig = createWorkflowRig();
    const { writes: _, ...ended } = await live(rig, workflow(text), faults, nobody, keyed);
    expect({ keyed, faults, ...ended }).toEqual({ keyed, faults, ...whole });
    onceOnly(rig);
  }
}

const wholeOf = async (text: string): Promise<{ readonly writes: number; readonly whole: object }> => {
  const { writes, ...whole } = await live(createWorkflowRig(), workflow(text), []);
  return { writes, whole };
};

describe('a run that somebody goes on with', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`ends the same when that one, too, dies at a write or finds the disk full: ${name} (F1, F4, seed ${seed})`, async () => {
      const { writes, whole } = await wholeOf(text);
      // Recovery itself writes a few times more or less than an undisturbed run; those that are never reached do nothing.
      for (const pair of pairsOf(writes)) await endsTheSame(text, pair, whole);
    }, 600_000);
  }
});

describe('a disk without room at any write of the journal', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`stops the run, which goes on in the same program when there is room: ${name} (F4)`, async () => {
      const { writes, whole } = await wholeOf(text);
      for (let write = 1; write <= writes; write += 1)
        for (const times of [1, 2, 1_000])
          await endsTheSame(text, [{ write, when: 'refused', times }], whole);
    });
  }
});

describe('a clock that is wrong when somebody goes on', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`makes no step happen twice or never: ${name} (F8, F23)`, async () => {
      const { writes, whole } = await wholeOf(text);
      for (let write = 1; write <= writes; write += 1)
        for (const clockMs of [-dayMs, -360_000, 360_000, dayMs])
          await endsTheSame(text, [{ write, when: 'after', clockMs }], whole);
    });
  }
});

it(`random workflows end as if nothing had happened, whatever befalls them (F1, F4, F8, seed ${seed})`, async () => {
  const chance = createSeededRandom(seed);
  const upTo = (limit: number): number => Math.floor(chance.fraction() * limit);
  const kinds = ['before', 'after', 'refused'] as const;
  for (let round = 0; round < rounds; round += 1) {
    const text = randomWorkflow(chance.fraction, rigWords);
    const definition = workflow(text);
    const refused = new Set(Array.from({ length: 4 }, () => `s${1 + upTo(12)}`));
    const branching = new Set(
      [...guardsOf(definition.steps).keys()]
        .filter((path) => path.includes('.on_reject.'))
        .map((path) => path.split('.on_reject.')[0]),
    );
    const no = (path: string): boolean => refused.has(path) && branching.has(path);
    const faults = Array.from({ length: 1 + upTo(5) }, (): Fault => {
      const clockMs = (upTo(5) - 2) * 1_800_000;
      return { write: 1 + upTo(14), when: kinds[upTo(3)] ?? 'before', times: 1 + upTo(3), clockMs };
    });
    const where = { seed, round, text, faults };
    const { writes: _, ...whole } = await live(createWorkflowRig(), definition, [], no);
    const { writes: __, ...ended } = await live(createWorkflowRig(), definition, faults, no, upTo(2) === 0);
    expect({ where, ...ended }).toEqual({ where, ...whole });
  }
});
