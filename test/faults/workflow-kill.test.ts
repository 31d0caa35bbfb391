import { afterEach, describe, expect, it } from 'vitest';
import type { KillPlan } from '../children/workflow-engine.ts';
import { guardsOf, randomWorkflow, type StepWords } from '../fakes/random-workflow.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { workflow } from '../fakes/workflow-rig.ts';
import { forgetPlans, live } from './workflow-program.ts';

const chance = createSeededRandom(seed);
const upTo = (limit: number): number => Math.floor(chance.fraction() * limit);
const rounds = proof ? 150 : 3;

afterEach(forgetPlans);

const quoted = JSON.stringify;
const leave = 'echo "$PUPPY_STEP" >> effects.log';
const trace = quoted(leave);
const inPipeline = quoted(`exec --shell '${leave}' | approve --prompt go`);

/**
 * Every kind of step. Steps of class `once` have no output, because an operator who looks after a kill cannot
 * know it. Answering `done` would also skip the gate inside the pipeline.
 */
const everything: KillPlan = {
  text: `
args: {items: {default: [1, 2]}}
steps:
  - {id: first, run: ${trace}}
  - {id: text, run: ${quoted(`${leave}; echo '{"n": 12345678901234567890}'`)}, effect: idempotent}
  - {id: pick, pipeline: "exec --json --shell 'echo [1,2,3]' | head --n 2", effect: pure}
  - {id: held, pipeline: ${inPipeline}, effect: idempotent}
  - {id: ask, input: {prompt: what, response_schema: {type: object}}}
  - id: both
    parallel:
      branches:
        - {id: left, run: ${trace}, approval: go}
        - {id: right, sleep: 20ms}
  - id: each
    for_each: '\${items}'
    pause_ms: 5
    steps: [{id: send, run: ${trace}, approval: send}]
  - {id: inner, workflow: inner.puppy}
  - {id: again, run: ${quoted(`${leave}; test "$PUPPY_ATTEMPT" -ge 2`)}, effect: idempotent, retry: {max: 5, delay_ms: 5}}
  - {id: fails, run: 'exit 3', effect: pure, on_error: continue}
  - {id: think, agent: {goal: think}}
  - {id: judge, llm-task: {prompt: judge, schema: {type: object}}}
  - {id: no, approval: {prompt: no, on_reject: {steps: [{id: undo, run: ${trace}}], then: continue}}}
  - {id: last, pipeline: "exec --json --stdin raw cat", stdin: $text.json, effect: pure}
`,
  children: { 'inner.puppy': `steps: [{id: deep, run: ${trace}, approval: deep}]` },
  refused: ['no'],
};

/** Runs `hands` tasks at a time, one per core. */
async function all<T>(tasks: readonly (() => Promise<T>)[], hands = 2): Promise<void> {
  const left = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = left.shift(); task; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: hands }, work));
}

const realWords: StepWords = {
  say: () => trace,
  slow: (ms) => quoted(`sleep 0.0${10 + ms}; ${leave}`),
  flaky: () => quoted(`test "$PUPPY_ATTEMPT" -ge 2 && ${leave}`),
  fail: "'exit 3'",
  harmless: () => `"exec --json --shell 'echo [1]' | head --n 1"`,
  sleep: (n) => `${n * 5}ms`,
};

describe('Program killed at a journal write', () => {
  it(`a run with every kind of step ends the same, with each effect once (F1, seed ${seed})`, async () => {
    const { writes, saidDone, ...whole } = await live(everything, []);
    expect(saidDone).toBe(false);
    expect(whole).toMatchObject({ status: 'ok', output: [{ n: '12345678901234567890' }] });
    expect(whole.done).toHaveLength(18);
    const every = Array.from({ length: writes }, (_, n) => n + 1).flatMap((write) => [
      `${write}:before`,
      `${write}:after`,
    ]);
    // A sample per run, all of them in a proof run.
    const from = upTo(12);
    const points = proof ? every : every.filter((_, n) => n % 12 === from);
    await all(
      points.map((point) => async () => {
        const { writes: _, saidDone: __, ...killed } = await live(everything, [point]);
        expect({ point, ...killed }).toEqual({ point, ...whole });
      }),
    );
    if (proof) console.log(`${points.length} kills at ${writes} writes, seed ${seed}`);
  }, 3_600_000);

  it(`random workflows end as without kills, for any number of kills (F1, seed ${seed})`, async () => {
    const plans = Array.from({ length: rounds }, () => {
      const text = randomWorkflow(chance.fraction, realWords);
      const places = [...guardsOf(workflow(text).steps).keys()];
      const branching = places.flatMap((place) =>
        place.includes('.on_reject.') ? [place.split('.on_reject.')[0] ?? ''] : [],
      );
      const refused = [...new Set(branching)].filter(() => chance.fraction() < 0.5);
      const kills = Array.from(
        { length: 1 + upTo(4) },
        () => `${1 + upTo(12)}:${upTo(2) === 0 ? 'before' : 'after'}`,
      );
      return { plan: { text, refused }, kills };
    });
    await all(
      plans.map(({ plan, kills }) => async () => {
        const { writes: _, saidDone: _no, ...whole } = await live(plan, []);
        const { writes: __, saidDone, ...killed } = await live(plan, kills);
        // The last step may have been answered with `done`; its output is unknown then and reported as empty.
        const nothing = saidDone && JSON.stringify(killed.output) === '[]' ? { output: [] } : {};
        expect({ ...plan, kills, ...killed }).toEqual({ ...plan, kills, ...whole, ...nothing });
        expect(['ok', 'failed', 'cancelled']).toContain(killed.status);
      }),
    );
    const kills = plans.reduce((sum, plan) => sum + plan.kills.length, 0);
    if (proof) console.log(`${rounds} workflows, ${kills} kills, seed ${seed}`);
  }, 3_600_000);
});
