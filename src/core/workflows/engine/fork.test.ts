import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import { randomWorkflow, rigWords } from '../../../../test/fakes/random-workflow.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { answerGates, watchPromises } from '../../../../test/fakes/workflow-lives.ts';
import {
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import type { WorkflowDefinition } from '../file/definition.ts';
import { brokenAt, textsNamedBy } from './events.ts';
import { isBelow } from './fold.ts';

const longMs = 7 * 86_400_000;

async function toEnd(rig: WorkflowRig, run: string, no: (path: string) => boolean = () => false) {
  const engine = rig.engine();
  do await engine.drive(run, { patienceMs: longMs });
  while (answerGates(rig, engine, run, no));
  return engine.show(run);
}

async function ran(rig: WorkflowRig, definition: WorkflowDefinition, no?: (path: string) => boolean) {
  const begun = rig.engine().start({ definition, initiatedBy: 'bob' });
  if (!begun.ok) throw new Error(begun.error.message);
  await toEnd(rig, begun.value.id, no);
  return begun.value.id;
}

const fork = (rig: WorkflowRig, run: string, from: string | null, by: string | null = 'ann') =>
  rig.engine().fork({ run, from, by });

async function forked(rig: WorkflowRig, run: string, from: string | null): Promise<string> {
  const again = fork(rig, run, from);
  if (!again.ok) throw new Error(again.error.message);
  return again.value.id;
}

const paths = (rig: WorkflowRig, since: number): readonly string[] =>
  rig.effects.slice(since).map(({ path }) => path);

const gated =
  'steps: [{id: a, run: say a}, {id: g, approval: ok?}, {id: b, run: say b}, {id: c, run: "say $a.stdout $b.stdout"}]';

describe('a run that is begun again from a step', () => {
  it('takes over what the steps before it left, and does the rest under keys of its own', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: a, run: say a}, {id: b, run: say b}, {id: c, run: "say $a.stdout"}]';
    const first = await ran(rig, workflow(text));
    const second = await forked(rig, first, 'b');
    const state = await toEnd(rig, second);
    expect(state?.status).toBe('ok');
    expect(paths(rig, 3)).toEqual(['b', 'c']);
    expect(rig.effects[4]?.seen.a).toEqual(rig.effects[2]?.seen.a);
    expect(new Set(rig.effects.map(({ key }) => key)).size).toBe(5);
    expect(state?.forkedFrom).toEqual({ run: first, from: 'b', by: 'ann' });
    expect(rig.engine().show(first)).toMatchObject({
      status: 'ok',
      forks: [{ run: second, from: 'b', by: 'ann' }],
    });
    expect(state?.definition).toBe(rig.engine().show(first)?.definition);
  });

  it('asks every question again: neither a yes nor a token of the first run counts (T8)', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const begun = engine.start({ definition: workflow(gated), initiatedBy: 'bob' });
    const first = begun.ok ? begun.value.id : '';
    const envelope = await engine.answer(first);
    const token = envelope.ok ? (envelope.requiresApproval?.resumeToken ?? '') : '';
    await toEnd(rig, first);
    const second = await forked(rig, first, 'c');
    await rig.engine().drive(second);
    expect(rig.effects).toHaveLength(3);
    expect(rig.open()).toMatchObject([{ run: second, path: 'g' }]);
    const old = engine.decide({ by: { token }, actor: person(), answer: { type: 'approve' } });
    expect(old).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await toEnd(rig, second))?.status).toBe('ok');
    expect(paths(rig, 3)).toEqual(['c']);
  });

  it('does nothing when the question that is asked again is answered with no', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow(gated));
    const state = await toEnd(rig, await forked(rig, first, 'c'), () => true);
    expect([state?.status, rig.effects.length]).toEqual(['cancelled', 3]);
  });

  it.each([
    ['an answer', '{id: x, input: {prompt: who, response_schema: {type: object}}}'],
    ['a no that goes on', '{id: x, approval: {prompt: go, on_reject: continue}}'],
    ['a question in a loop', `{id: x, for_each: "\${items}", steps: [{id: y, approval: go}]}`],
    ['a question in a pipeline', '{id: x, pipeline: "exec say x | approve"}'],
  ])('cannot begin behind %s, only there', async (_, step) => {
    const rig = createWorkflowRig();
    const definition = workflow(
      `args: {items: {default: [1]}}\nsteps: [{id: a, run: say a}, ${step}, {id: b, run: say b}]`,
    );
    const engine = rig.engine();
    const begun = engine.start({ definition, initiatedBy: 'bob' });
    const run = begun.ok ? begun.value.id : '';
    await engine.drive(run);
    for (let open = rig.open()[0]; open; open = rig.open()[0]) {
      const kind = engine.show(run)?.gates.get(open.id)?.content.kind;
      const answer =
        kind === 'input' ? ({ type: 'respond', response: {} } as const) : ({ type: 'approve' } as const);
      expect(engine.decide({ by: { gate: open.id }, actor: person(), answer }).ok).toBe(true);
      await engine.drive(run, { patienceMs: longMs });
    }
    expect(engine.show(run)?.status).toBe('ok');
    expect(fork(rig, run, 'b')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(fork(rig, run, 'x').ok).toBe(true);
  });

  it('is begun only of a run that has ended, from a step that it came to, on a history that is whole', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const waiting = engine.start({ definition: workflow(gated), initiatedBy: null });
    const run = waiting.ok ? waiting.value.id : '';
    await engine.drive(run);
    expect(fork(rig, run, 'a')).toMatchObject({ error: { code: 'conflict' } });
    await engine.cancel(run, 'ann');
    expect(fork(rig, run, 'c')).toMatchObject({ error: { code: 'conflict' } });
    expect(fork(rig, run, 'nowhere')).toMatchObject({ error: { code: 'not_found' } });
    expect(fork(rig, 'no run', null)).toMatchObject({ error: { code: 'not_found' } });
    expect(fork(rig, run, 'g').ok).toBe(true);
    expect(rig.journal.runs({ limit: 9 })).toHaveLength(2);
  });

  it('is one run for one key', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow(gated));
    const engine = rig.engine();
    const ask = { run: first, by: 'ann', idempotencyKey: 'click' };
    const once = engine.fork({ ...ask, from: 'b' });
    expect(engine.fork({ ...ask, from: 'b' })).toEqual(once);
    expect(engine.fork({ ...ask, from: 'a' })).toMatchObject({ error: { code: 'conflict' } });
    expect(rig.journal.runs({ limit: 9 })).toHaveLength(2);
    expect(engine.show(first)?.forks).toHaveLength(1);
  });

  it('may not be approved by whoever began it, nor by whoever began the first one (T8)', async () => {
    const rig = createWorkflowRig();
    const text =
      'steps: [{id: a, run: say a}, {id: g, approval: {prompt: go, require_different_approver: true}}, {id: b, run: say b}]';
    const first = await ran(rig, workflow(text));
    await rig.engine().drive(await forked(rig, first, 'b'));
    const by = { gate: rig.open()[0]?.id ?? '' };
    const say = (id: string) => rig.engine().decide({ by, actor: person(id), answer: { type: 'approve' } });
    expect(say('ann')).toMatchObject({ error: { code: 'forbidden' } });
    expect(say('bob')).toMatchObject({ error: { code: 'forbidden' } });
    expect(say('eve').ok).toBe(true);
  });

  it('names the texts that it takes over, so that its history is whole only with them', async () => {
    const rig = createWorkflowRig();
    const first = await ran(rig, workflow('steps: [{id: a, run: big 20000}, {id: b, run: say b}]'));
    const second = await forked(rig, first, 'b');
    const [row] = rig.journal.events(second, 0);
    expect(row && textsNamedBy(row.event).map(({ kind }) => kind)).toEqual(['definition', 'blob']);
  });
});

describe('random workflows that are begun again', () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const rounds = Number(process.env.RUNS ?? 100);

  it(`do nothing twice that was taken over, nothing unasked, and see the same (F1, seed ${seed})`, async () => {
    const chance = createSeededRandom(seed);
    let begun = 0;
    for (let round = 0; round < rounds; round += 1) {
      const text = randomWorkflow(chance.fraction, rigWords);
      const definition = workflow(text);
      const rig = createWorkflowRig();
      watchPromises(rig, definition);
      const first = await ran(rig, definition);
      const before = rig.journal.events(first, 0);
      const done = rig.effects.length;
      const at = Math.floor(chance.fraction() * definition.steps.length);
      const where = `seed ${seed}, round ${round}, from ${at}: ${text}`;
      const again = fork(rig, first, definition.steps[at]?.path ?? '');
      if (!again.ok) continue;
      begun += 1;
      const second = again.value.id;
      const state = await toEnd(rig, second);
      expect(rig.breaches, where).toEqual([]);
      expect(state?.status, where).toBe(rig.engine().show(first)?.status);
      const kept = definition.steps.slice(0, at).map(({ path }) => path);
      const late = paths(rig, done).filter((path) =>
        kept.some((step) => path === step || isBelow(path, step)),
      );
      expect(late, where).toEqual([]);
      const seen = (from: number, to?: number) =>
        new Map(rig.effects.slice(from, to).map((effect) => [effect.path, effect.seen]));
      for (const [path, what] of seen(done)) expect(what, where).toEqual(seen(0, done).get(path));
      expect(rig.journal.events(first, 0).slice(0, before.length), where).toEqual(before);
      for (const run of [first, second])
        expect(brokenAt(sha256, run, rig.journal.events(run, 0)), where).toBeNull();
    }
    expect(begun).toBeGreaterThan(rounds / 5);
  });
});
