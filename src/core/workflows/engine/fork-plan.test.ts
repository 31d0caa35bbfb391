import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import { overBefore, randomWorkflow, rigWords } from '../../../../test/fakes/random-workflow.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { proof, seed } from '../../../../test/fakes/test-run.ts';
import { effectsSince, fork, forked, ran, toEnd } from '../../../../test/fakes/workflow-again.ts';
import { watchPromises } from '../../../../test/fakes/workflow-lives.ts';
import {
  child,
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import type { WorkflowDefinition } from '../file/definition.ts';
import { brokenAt } from './events.ts';
import { plannerOf } from './fork.ts';
import { isBelowStep } from './run-state.ts';

const planner = (rig: WorkflowRig, run: string) => {
  const state = rig.engine().show(run);
  if (!state) throw new Error('no such run');
  return plannerOf({ journal: rig.journal, sha256 }, state);
};

/** Effects that a fork from `from` repeats, in its own rig; approvers say yes. */
async function doneAgain(definition: WorkflowDefinition, from: string, no?: (path: string) => boolean) {
  const rig = createWorkflowRig();
  const first = await ran(rig, definition, no);
  const since = rig.effects.length;
  const state = await toEnd(rig, forked(rig, first, from), no);
  return { again: effectsSince(rig, since).toSorted(), status: state?.status, rig, state };
}

const branches = (more = '') =>
  workflow(`steps: [{id: a, run: say a}, {id: both, parallel: {${more}branches: [{id: left, run: say l},
    {id: right, run: say r}]}}, {id: end, run: "say $left.stdout $right.stdout"}]`);

describe('Retry from a branch of a parallel block', () => {
  it('keeps the finished results of other branches', async () => {
    const { again, status, rig } = await doneAgain(branches(), 'both.left');
    expect([again, status]).toEqual([['both.left', 'end'], 'ok']);
    expect(rig.effects.at(-1)?.seen.right?.stdout).toBe(rig.effects[2]?.seen.right?.stdout ?? 'r');
  });

  it('repeats other branches that failed', async () => {
    const text = `steps: [{id: both, on_error: continue, parallel: {branches: [{id: left, run: say l}, {id: right, run: fail}]}},
      {id: end, run: say end}]`;
    expect((await doneAgain(workflow(text), 'both.left')).again).toEqual(['both.left', 'both.right', 'end']);
    expect((await doneAgain(workflow(text), 'both.right')).again).toEqual(['both.right', 'end']);
  });

  it('asks again for approvals in other branches, and runs nothing behind an open approval (T8)', async () => {
    const definition = workflow(`steps: [{id: both, parallel: {branches: [{id: left, run: say l},
      {id: right, run: say r, approval: ok?}]}}, {id: end, run: say end}]`);
    const rig = createWorkflowRig();
    const first = await ran(rig, definition);
    const second = forked(rig, first, 'both.left');
    await rig.engine().drive(second);
    expect(effectsSince(rig, 3)).toEqual(['both.left']);
    expect(rig.open()).toMatchObject([{ run: second, path: 'both.right' }]);
    await toEnd(rig, second);
    expect(effectsSince(rig, 3)).toEqual(['both.left', 'end']);
  });

  it('is refused if only the first branch counts; the whole block can be retried', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, branches('wait: any, '));
    expect(fork(rig, first, 'both.left')).toMatchObject({
      error: {
        code: 'conflict',
        message: "Only the first branch of 'both' counts, so its steps cannot be repeated one by one.",
      },
    });
    expect(planner(rig, first).plan('both.left')).toMatchObject({ nearest: 'both' });
    expect(fork(rig, first, 'both').ok).toBe(true);
  });
});

const rounds = (inner: string, more = '') =>
  workflow(`args: {items: {default: [1, 2, 3]}}
steps: [{id: loop, for_each: "\${items}", ${more}steps: [${inner}]}, {id: end, run: say end}]`);

describe('Retry from a round of a loop', () => {
  it('keeps earlier rounds and earlier steps of its own round', async () => {
    const { again, status } = await doneAgain(
      rounds('{id: a, run: say $item}, {id: b, run: say b}'),
      'loop[1].b',
    );
    expect([again, status]).toEqual([['end', 'loop[1].b', 'loop[2].a', 'loop[2].b'], 'ok']);
  });

  it('asks again for the approval of each kept round, also if it starts after the loop (T8)', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, rounds('{id: a, run: say $item, approval: go}'));
    expect(planner(rig, first).plan('loop[2].a')).toMatchObject({
      value: { asked: ['loop[0].a', 'loop[1].a'] },
    });
    const since = rig.effects.length;
    const second = forked(rig, first, 'end');
    for (const round of [0, 1, 2]) {
      await rig.engine().drive(second);
      expect(effectsSince(rig, since)).toEqual([]);
      const [open] = rig.open();
      expect(open).toMatchObject({ path: `loop[${round}].a` });
      const answer = { type: 'approve' } as const;
      rig.engine().decide({ by: { gate: open?.id ?? '' }, actor: person(), answer });
    }
    expect((await toEnd(rig, second))?.status).toBe('ok');
    expect(effectsSince(rig, since)).toEqual(['end']);
  });

  it('skips the pause before a round that had already begun', async () => {
    const definition = rounds('{id: a, run: say $item}, {id: b, run: say b}', 'pause_ms: 3600000, ');
    const rig = createWorkflowRig();
    const first = await ran(rig, definition);
    const begun = rig.clock.monotonic();
    await toEnd(rig, forked(rig, first, 'loop[2].b'));
    expect(rig.clock.monotonic() - begun).toBeLessThan(3_600_000);
    await toEnd(rig, forked(rig, first, 'loop[2].a'));
    expect(rig.clock.monotonic() - begun).toBeGreaterThanOrEqual(3_600_000);
  });

  it('is refused for a round that does not exist and for a round as a whole', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, rounds('{id: a, run: say $item}'));
    for (const place of ['loop[3].a', 'loop[1]', 'loop.a', 'loop[].a', 'nowhere.a'])
      expect(fork(rig, first, place), place).toMatchObject({ error: { code: 'not_found' } });
    expect(planner(rig, first).plan('loop[3].a')).toMatchObject({ nearest: 'loop' });
    expect(planner(rig, first).plan('nowhere.a')).toMatchObject({ nearest: null });
  });
});

describe('Retry inside a reject branch', () => {
  const undone =
    workflow(`steps: [{id: a, run: say a}, {id: g, approval: {prompt: go, on_reject: {then: continue,
    steps: [{id: undo, run: say undo}, {id: tell, run: say tell}]}}}, {id: end, run: say end}]`);
  const no = (path: string) => path === 'g';

  it('asks again, and keeps earlier steps of the branch if rejected again (T8)', async () => {
    const { again, status, rig } = await doneAgain(undone, 'g.on_reject.tell', no);
    expect([again, status]).toEqual([['end', 'g.on_reject.tell'], 'ok']);
    expect(
      planner(rig, rig.journal.runs({ limit: 9 }).at(-1)?.id ?? '').plan('g.on_reject.tell'),
    ).toMatchObject({
      value: { asked: ['g'], once: ['g.on_reject.tell', 'end'] },
    });
  });

  it('skips the branch if the answer is now yes', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, undone, no);
    const since = rig.effects.length;
    const state = await toEnd(rig, forked(rig, first, 'g.on_reject.tell'));
    expect([effectsSince(rig, since), state?.status]).toEqual([['end'], 'ok']);
    expect([...(state?.steps.keys() ?? [])]).toEqual(['a', 'end']);
  });

  it('is refused inside a branch for timeouts', async () => {
    const definition =
      workflow(`steps: [{id: g, approval: {prompt: go, expires: 1h, on_timeout: {then: continue,
      steps: [{id: late, run: say late}]}}}]`);
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const begun = engine.start({ definition, initiatedBy: null });
    const run = begun.ok ? begun.value.id : '';
    await engine.drive(run);
    rig.clock.jump(2 * 3_600_000);
    await engine.drive(run);
    expect(effectsSince(rig, 0)).toEqual(['g.on_timeout.late']);
    expect(planner(rig, run).plan('g.on_timeout.late')).toMatchObject({
      error: { code: 'conflict', hint: "Run it again from 'g'." },
      nearest: 'g',
    });
  });
});

describe('Retry inside other steps', () => {
  it('keeps earlier steps of an inner workflow', async () => {
    const rig = createWorkflowRig();
    const definition = workflow('steps: [{id: sub, workflow: in.puppy}, {id: end, run: say end}]');
    const inner = child('in.puppy', 'steps: [{id: a, run: say a}, {id: b, run: "say $a.stdout"}]');
    const first = await ran(rig, definition, undefined, [inner]);
    const state = await toEnd(rig, forked(rig, first, 'sub/b'));
    expect([effectsSince(rig, 3), state?.status]).toEqual([['sub/b', 'end'], 'ok']);
    expect(rig.effects[3]?.seen).toEqual(rig.effects[1]?.seen);
  });

  it('keeps a failed model answer and earlier fallback steps', async () => {
    const text = `steps: [{id: ask, llm_task: {prompt: fail, schema: {type: object},
      fallback: [{id: rule, run: say rule}, {id: more, run: say more}]}}, {id: end, run: say end}]`;
    const { again, status } = await doneAgain(workflow(text), 'ask.fallback.more');
    expect([again, status]).toEqual([['ask.fallback.more', 'end'], 'ok']);
  });

  it('suggests the approval that blocks it, at any depth', async () => {
    const rig = createWorkflowRig();
    const definition = rounds('{id: x, approval: {prompt: go, on_reject: continue}}, {id: b, run: say b}');
    const first = await ran(rig, definition);
    for (const place of ['end', 'loop[2].b', 'loop[0].b'])
      expect(planner(rig, first).plan(place), place).toMatchObject({ ok: false, nearest: 'loop[0].x' });
    const since = rig.effects.length;
    await toEnd(rig, forked(rig, first, 'loop[0].x'));
    expect(effectsSince(rig, since)).toEqual(['loop[0].b', 'loop[1].b', 'loop[2].b', 'end']);
  });

  it('suggests the failed step that blocks it, at any depth', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, rounds('{id: a, run: say $item}, {id: b, run: fail}'));
    expect(planner(rig, first).plan('end')).toMatchObject({
      error: { message: "The run did not get past 'loop[0].b'.", hint: "Run it again from 'loop[0].b'." },
      nearest: 'loop[0].b',
    });
  });

  it('is refused after a failure that skipped the rest, and allowed after one that continued', async () => {
    const rig = createWorkflowRig();
    const left = await ran(
      rig,
      workflow('steps: [{id: a, run: fail, on_error: skip_rest}, {id: b, run: say b}]'),
    );
    expect(planner(rig, left).plan('b')).toMatchObject({ ok: false, nearest: 'a' });
    const text = 'steps: [{id: a, run: slow 50 a, timeout_ms: 20, on_error: continue}, {id: b, run: say b}]';
    const late = await ran(rig, workflow(text));
    expect(planner(rig, late).plan('b')).toMatchObject({ ok: true });
  });

  it('lists its retry points in file order, up to a limit', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, rounds('{id: a, run: say $item}'));
    const all = ['loop', 'loop[0].a', 'loop[1].a', 'loop[2].a', 'end'];
    expect(planner(rig, first).places(9)).toEqual({ places: all, more: 0 });
    expect(planner(rig, first).places(2)).toEqual({ places: all.slice(0, 2), more: 3 });
    expect(planner(rig, first).plan('loop[1].a')).toMatchObject({
      value: { once: ['loop[1].a', 'loop[2].a', 'end'] },
    });
  });
});

describe('Random workflows retried from any point', () => {
  const rounds = proof ? 5_000 : 60;

  it(`repeat no kept step, skip no approval, and read the same inputs (F1, seed ${seed})`, async () => {
    const chance = createSeededRandom(seed);
    let [begun, inside] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const text = randomWorkflow(chance.fraction, rigWords);
      const definition = workflow(text);
      const rig = createWorkflowRig();
      watchPromises(rig, definition);
      const nos = Math.floor(chance.fraction() * 3);
      const no = (path: string): boolean => path.length % 3 === nos;
      const first = await ran(rig, definition, no);
      const before = rig.journal.events(first, 0);
      const done = rig.effects.length;
      const { places } = planner(rig, first).places(1_000);
      const from = places[Math.floor(chance.fraction() * places.length)] ?? '';
      const where = `seed ${seed}, round ${round}, from ${from}: ${text}`;
      const plan = planner(rig, first).plan(from);
      if (!plan.ok) {
        const nearest = plan.nearest === null ? null : planner(rig, first).plan(plan.nearest);
        expect(nearest?.ok, where).toBe(true);
        continue;
      }
      begun += 1;
      if (/[.[]/.test(from)) inside += 1;
      const second = forked(rig, first, from);
      const state = await toEnd(rig, second, no);
      expect(rig.breaches, where).toEqual([]);
      expect(state?.status, where).toBe(rig.engine().show(first)?.status);
      const kept = plan.value.taken.map(({ path }) => path);
      const late = effectsSince(rig, done).filter((path) =>
        kept.some((step) => path === step || (isBelowStep(path, step) && !isBelowStep(from, step))),
      );
      expect(late, where).toEqual([]);
      const twice = effectsSince(rig, done).filter((path) =>
        rig.effects.slice(0, done).some((one) => one.path === path && one.effect === 'once'),
      );
      expect([...plan.value.once], where).toEqual(expect.arrayContaining(twice));
      const over = overBefore(definition.steps);
      const seen = (since: number, to?: number) =>
        new Map(
          rig.effects.slice(since, to).map(({ path, seen: all }) => {
            const ids = over.get(path.replace(/\[\d+\]/g, '[]')) ?? [];
            return [path, Object.fromEntries(ids.map((id) => [id, all[id]]))];
          }),
        );
      const was = seen(0, done);
      for (const [path, what] of seen(done)) if (was.has(path)) expect(what, where).toEqual(was.get(path));
      expect(rig.journal.events(first, 0).slice(0, before.length), where).toEqual(before);
      for (const run of [first, second])
        expect(brokenAt(sha256, run, rig.journal.events(run, 0)), where).toBeNull();
    }
    expect(begun).toBeGreaterThan(rounds / 5);
    expect(inside).toBeGreaterThan(rounds / 20);
  });
});
