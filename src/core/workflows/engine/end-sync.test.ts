import { expect, it } from 'vitest';
import { createWorkflowRig, person, workflow } from '../../../../test/fakes/workflow-rig.ts';
import type { JournalWrite } from './engine-ports.ts';

/** The writes of a run: the types of their events, and whether they are on disk at once. */
async function writesOf(text: string, { answers = 0, tookMs = 0 } = {}) {
  const rig = createWorkflowRig();
  const { journal, clock } = rig;
  rig.watch(() => {
    clock.jump(tookMs);
    return null;
  });
  const { append } = journal;
  const writes: { readonly events: readonly string[]; readonly isSynced: boolean }[] = [];
  journal.append = (write: JournalWrite) => {
    const events = [...(write.held ?? []), ...write.events.map((event) => ({ event }))];
    writes.push({ events: events.map(({ event }) => event.type), isSynced: write.unsynced !== true });
    return append(write);
  };
  const engine = rig.engine();
  const begun = engine.start({ definition: workflow(text), initiatedBy: null });
  if (!begun.ok) throw new Error(begun.error.message);
  const { id } = begun.value;
  await engine.drive(id);
  for (let n = 0; n < answers; n += 1) {
    for (const gate of rig.open())
      engine.decide({ by: { gate: gate.id }, actor: person(), answer: { type: 'approve' } });
    await engine.drive(id);
  }
  expect(journal.run(id)?.status).toBe('ok');
  return writes;
}

const unsyncedIn = (writes: Awaited<ReturnType<typeof writesOf>>) =>
  writes.filter(({ isSynced }) => !isSynced).map(({ events }) => events);

it('The end of a step shares the disk sync of the next step, whose program starts after it (F1)', async () => {
  const writes = await writesOf('steps: [{id: a, run: say a}, {id: b, run: say b}]');
  expect(unsyncedIn(writes)).toEqual([['step_ended'], ['step_ended']]);
  for (const [at, { isSynced }] of writes.entries())
    if (!isSynced) expect(writes[at + 1]?.isSynced).toBe(true);
  expect(writes.at(-1)).toEqual({ events: ['run_finished'], isSynced: true });
});

it('The end of a step beside another one at work is on disk at once, that of the last one with the next write (F1)', async () => {
  const writes = await writesOf(
    'steps: [{id: p, parallel: {branches: [{id: pay, run: say paid}, {id: build, run: slow 500 built}]}}, {id: b, run: say b}]',
  );
  const ends = writes.filter(({ events }) => events.includes('step_ended'));
  // The third is the end of the block, written with the start of `b`.
  expect(ends.map(({ isSynced }) => isSynced)).toEqual([true, false, true, false]);
});

it('A question after a step is on disk before it is asked (F1)', async () => {
  const writes = await writesOf('steps: [{id: a, run: say a}, {id: g, approval: go}, {id: b, run: say b}]', {
    answers: 1,
  });
  const asked = writes.find(({ events }) => events.includes('gate_opened'));
  expect(asked?.isSynced).toBe(true);
});

it.each([
  ['costs money', '{id: a, run: cost 2}', 0],
  ['asks a model', '{id: a, llm_task: {prompt: say a}}', 0],
  ['is given to an agent', '{id: a, agent: {name: bob, goal: say a}}', 0],
  ['took a second', '{id: a, run: say a}', 1_000],
])('The end of a step that %s is on disk at once (F1)', async (_, step, tookMs) => {
  const writes = await writesOf(`steps: [${step}, {id: b, run: say b, effect: pure}]`, { tookMs });
  expect(unsyncedIn(writes)).toEqual([]);
  expect(writes.some(({ events }) => events.includes('step_ended'))).toBe(true);
});
