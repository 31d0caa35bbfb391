import { describe, expect, it } from 'vitest';
import { guardsOf, randomWorkflow, rigWords } from '../../../../test/fakes/random-workflow.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { pickSome, proof, seed } from '../../../../test/fakes/test-run.ts';
import { definitions, type Fault, live, onceOnly } from '../../../../test/fakes/workflow-lives.ts';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';

const rounds = proof ? 5_000 : 60;
const dayMs = 86_400_000;

/**
 * Pairs of faults for two programs, of which the second resumes the run of the first: a sample, or all of
 * them in `npm run proof`.
 */
function pairsOf(writes: number): readonly (readonly [Fault, Fault])[] {
  const single = Array.from({ length: writes }, (_, n) => n + 1).flatMap((write): Fault[] => [
    { write, when: 'before' },
    { write, when: 'after' },
    { write, when: 'refused' },
  ]);
  const every = single.flatMap((first) => single.map((second) => [first, second] as const));
  return proof ? every : pickSome(every, 40, createSeededRandom(seed).fraction);
}

const nobody = (): boolean => false;

/** Runs once with an idempotency key and once without. */
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

describe('Run resumed by another program', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`ends the same if that program also dies at a write or finds the disk full: ${name} (F1, F4, seed ${seed})`, async () => {
      const { writes, whole } = await wholeOf(text);
      // Recovery itself writes a few times more or less than an undisturbed run; faults at writes that never
      // come do nothing.
      for (const pair of pairsOf(writes)) await endsTheSame(text, pair, whole);
    }, 600_000);
  }
});

describe('Disk full at any write of the journal', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`stops the run, which resumes in the same program when there is room: ${name} (F4)`, async () => {
      const { writes, whole } = await wholeOf(text);
      for (let write = 1; write <= writes; write += 1)
        for (const times of [1, 2, 1_000])
          await endsTheSame(text, [{ write, when: 'refused', times }], whole);
    });
  }
});

describe('Wrong clock on resume', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`makes no step run twice or never: ${name} (F8, F23)`, async () => {
      const { writes, whole } = await wholeOf(text);
      for (let write = 1; write <= writes; write += 1)
        for (const clockMs of [-dayMs, -360_000, 360_000, dayMs])
          await endsTheSame(text, [{ write, when: 'after', clockMs }], whole);
    });
  }
});

describe('Lost data of a run', () => {
  const large =
    'steps: [{id: a, run: big 20000}, {id: g, approval: go}, {id: b, run: echo, stdin: $a.stdout}]';

  async function goOnWithout(what: 'blobs' | 'definitions') {
    const rig = createWorkflowRig();
    const begun = rig.engine().start({ definition: workflow(large), initiatedBy: null });
    const run = begun.ok ? begun.value.id : '';
    await rig.engine().drive(run);
    rig.journal.lose(what);
    const engine = rig.engine('next');
    const by = { gate: rig.open()[0]?.id ?? '' };
    const told = await engine.resume({ by, actor: person(), answer: { type: 'approve' } });
    return { rig, run, engine, told };
  }

  const lost = {
    blobs: "The output of step 'a' is missing or damaged. The run was not continued.",
    definitions: 'The pinned definition of this run is missing or damaged. The run was not continued.',
  } as const;
  for (const what of ['blobs', 'definitions'] as const) {
    it(`is reported, and the run fails instead of continuing without it: ${what} (F19, T28)`, async () => {
      const { rig, run, engine, told } = await goOnWithout(what);
      expect(told).toMatchObject({ ok: false, error: { message: lost[what] }, runId: run });
      expect(rig.effects.map(({ path }) => path)).toEqual(['a']);
      expect(rig.journal.run(run)).toMatchObject({ status: 'failed', owner: null });
      expect(engine.due()).toEqual([]);
      expect(engine.show(run)?.message).toMatchObject({ text: lost[what] });
    });
  }

  it('is reported for a finished run that lost its output (F19)', async () => {
    const rig = createWorkflowRig();
    const definition = workflow('steps: [{id: a, run: big 20000}]');
    const begun = rig.engine().start({ definition, initiatedBy: null });
    const run = begun.ok ? begun.value.id : '';
    expect(await rig.engine().answer(run)).toMatchObject({ ok: true, status: 'ok' });
    rig.journal.lose('blobs');
    expect(await rig.engine().answer(run)).toMatchObject({
      ok: false,
      error: { type: 'runtime_error', message: 'The output of this run is gone or damaged.' },
    });
  });
});

it('A run stopped by a full disk can be taken over by another program at once (F4, F17)', async () => {
  const rig = createWorkflowRig();
  const first = rig.engine('one');
  const begun = first.start({ definition: workflow('steps: [{id: a, run: say a}]'), initiatedBy: null });
  const run = begun.ok ? begun.value.id : '';
  rig.alive.add('one');
  rig.journal.refuse(2, 1);
  await expect(first.drive(run)).rejects.toThrow('full');
  expect(await rig.engine('two').drive(run)).toMatchObject({ ok: true, value: { status: 'ok' } });
});

it(`Random workflows end the same under any faults (F1, F4, F8, seed ${seed})`, async () => {
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
