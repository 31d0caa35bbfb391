import { describe, expect, it } from 'vitest';
import { guardsOf, overBefore, randomWorkflow, rigWords } from '../../../../test/fakes/random-workflow.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { proof, seed } from '../../../../test/fakes/test-run.ts';
import { definitions, live, onceOnly } from '../../../../test/fakes/workflow-lives.ts';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';
import type { WorkflowDefinition } from '../file/definition.ts';
import type { GateReply } from './answer-gate.ts';

const retried =
  'steps: [{id: a, run: flaky 3 fine, effect: idempotent, retry: {max: 9, delay_ms: 5}}, {id: b, run: say b}]';

describe('Program killed at any write of the journal', () => {
  for (const [name, text] of Object.entries(definitions)) {
    it(`leaves a run with the same end and each effect once: ${name} (F1)`, async () => {
      const definition = workflow(text);
      const whole = await live(createWorkflowRig(), definition, []);
      expect(['ok', 'failed']).toContain(whole.status);
      for (let write = 1; write <= whole.writes; write += 1) {
        for (const when of ['before', 'after'] as const) {
          const rig = createWorkflowRig();
          const { writes: _, ...killed } = await live(rig, definition, [{ write, when }]);
          const { writes: __, ...expected } = whole;
          expect({ write, when, ...killed }).toEqual({ write, when, ...expected });
          onceOnly(rig);
        }
      }
    });
  }

  it('runs only the reject branch of a rejected run', async () => {
    const definition = workflow(
      'steps: [{id: a, run: say a}, {id: g, approval: {prompt: go, on_reject: [{id: undo, run: say undo}]}}, {id: b, run: say b}]',
    );
    const no = (path: string): boolean => path === 'g';
    const { writes, ...whole } = await live(createWorkflowRig(), definition, [], no);
    expect(whole).toMatchObject({ status: 'cancelled', done: ['a', 'g.on_reject.undo'] });
    for (let write = 1; write <= writes; write += 1) {
      const rig = createWorkflowRig();
      const { writes: _, ...killed } = await live(rig, definition, [{ write, when: 'after' }], no);
      expect({ write, ...killed }).toEqual({ write, ...whole });
    }
  });

  it('repeats idempotent steps under the same key without asking', async () => {
    const definition = workflow(retried);
    const { writes } = await live(createWorkflowRig(), definition, []);
    for (let write = 1; write <= writes; write += 1) {
      const rig = createWorkflowRig();
      const killed = await live(rig, definition, [{ write, when: 'before' }]);
      expect(killed).toMatchObject({ status: 'ok', done: ['a', 'b'] });
      expect(new Set(rig.effects.map(({ key }) => key)).size).toBe(2);
      expect(rig.told.opened.filter(({ path }) => path === 'a')).toEqual([]);
    }
  });

  it('has its processes ended by the next program before the step is judged (F1)', async () => {
    const rig = createWorkflowRig();
    // Writes: create, then step_started with step_spawned; the end of the step is never written.
    await live(rig, workflow('steps: [{id: a, run: say a}]'), [{ write: 3, when: 'before' }]);
    expect(rig.reaped).toEqual([100]);
    expect(rig.told.opened.map(({ content }) => content.kind)).toEqual(['uncertain']);
  });

  it('leaves an uncertain step, which follows the answer of the operator', async () => {
    const told = async (answer: GateReply): Promise<{ status: string | undefined; effects: number }> => {
      const rig = createWorkflowRig();
      const definition = workflow('steps: [{id: a, run: say a}]');
      rig.journal.killAt(3, 'before');
      const first = rig.engine('dies');
      const run = first.start({ definition, initiatedBy: null });
      const id = run.ok ? run.value.id : '';
      await first.drive(id).catch(() => null);
      rig.journal.restart();
      const engine = rig.engine('next');
      expect(engine.due()).toEqual([id]);
      await engine.drive(id);
      expect(rig.effects).toHaveLength(1);
      const by = { gate: rig.open()[0]?.id ?? '' };
      expect(engine.decide({ by, actor: person(), answer: { type: 'approve' } }).ok).toBe(false);
      expect(engine.decide({ by, actor: person(), answer }).ok).toBe(true);
      await engine.drive(id);
      return { status: engine.show(id)?.status, effects: rig.effects.length };
    };
    expect(await told({ type: 'done' })).toEqual({ status: 'ok', effects: 1 });
    expect(await told({ type: 'repeat' })).toEqual({ status: 'ok', effects: 2 });
    expect(await told({ type: 'cancel' })).toEqual({ status: 'cancelled', effects: 1 });
  });

  it('is treated like a stopped one: the step is judged by its effect class (F25)', async () => {
    const rig = createWorkflowRig();
    const engine = rig.engine();
    const begun = engine.start({
      definition: workflow('steps: [{id: a, run: slow 90000 x}]'),
      initiatedBy: null,
    });
    const stop = new AbortController();
    const driving = engine.drive(begun.ok ? begun.value.id : '', { signal: stop.signal });
    await Promise.resolve();
    await Promise.resolve();
    stop.abort();
    expect(await driving).toMatchObject({ value: { status: 'running' } });
    await engine.drive(begun.ok ? begun.value.id : '');
    expect(rig.told.opened[0]?.content.kind).toBe('uncertain');
    expect(rig.effects).toEqual([]);
  });
});

describe('Random workflows with random kills', () => {
  const rounds = proof ? 5_000 : 80;

  it(`end as without kills and keep every guarantee (F1, seed ${seed})`, async () => {
    const chance = createSeededRandom(seed);
    for (let round = 0; round < rounds; round += 1) {
      const text = randomWorkflow(chance.fraction, rigWords);
      const definition = workflow(text);
      const refused = new Set(Array.from({ length: 4 }, () => `s${1 + Math.floor(chance.fraction() * 12)}`));
      const branching = new Set(
        [...guardsOf(definition.steps).keys()]
          .filter((path) => path.includes('.on_reject.'))
          .map((path) => path.split('.on_reject.')[0]),
      );
      const no = (path: string): boolean => refused.has(path) && branching.has(path);
      const where = `seed ${seed}, round ${round}: ${text}`;
      const whole = await live(createWorkflowRig(), definition, [], no);
      const kills = Array.from({ length: 1 + Math.floor(chance.fraction() * 5) }, () => ({
        write: 1 + Math.floor(chance.fraction() * 14),
        when: chance.fraction() < 0.5 ? ('before' as const) : ('after' as const),
      }));
      const rig = createWorkflowRig();
      const killed = await live(rig, definition, kills, no);
      expect({ where, status: killed.status, done: killed.done }).toEqual({
        where,
        status: whole.status,
        done: whole.done,
      });
      expect(['ok', 'failed', 'cancelled'], where).toContain(killed.status);
    }
  });

  /** Makes every step repeatable, so that no `uncertain` gate opens. */
  const repeatable = (text: string): WorkflowDefinition =>
    JSON.parse(JSON.stringify(workflow(text)).replaceAll('"effect":"once"', '"effect":"idempotent"'));

  it(`give every step the same input as without kills (F1, seed ${seed})`, async () => {
    const chance = createSeededRandom(seed);
    for (let round = 0; round < rounds; round += 1) {
      const text = randomWorkflow(chance.fraction, rigWords);
      const definition = repeatable(text);
      const over = overBefore(definition.steps);
      const seenIn = async (kills: Parameters<typeof live>[2]) => {
        const rig = createWorkflowRig();
        await live(rig, definition, kills);
        const seen = rig.effects.map(({ path, seen: steps }) => {
          const ids = over.get(path.replace(/\[\d+\]/g, '[]')) ?? [];
          return `${path}: ${JSON.stringify(ids.map((id) => [id, steps[id] ?? null]))}`;
        });
        return [...new Set(seen)].toSorted();
      };
      const kills = Array.from({ length: 3 }, () => ({
        write: 1 + Math.floor(chance.fraction() * 14),
        when: 'after' as const,
      }));
      expect(await seenIn(kills), `seed ${seed}, round ${round}: ${text}`).toEqual(await seenIn([]));
    }
  });
});
