import { expect, it } from 'vitest';
import { createWorkflowRig, workflow } from '../../../../test/fakes/workflow-rig.ts';

/** Drives the run until the effect `at`, when the program begins to leave; then another program continues. */
async function leftAt(at: string, text: string) {
  const rig = createWorkflowRig();
  const leaving = new AbortController();
  let watching = true;
  rig.watch(({ path }) => {
    if (watching && path.includes(at)) leaving.abort();
    return null;
  });
  const engine = rig.engine();
  const started = engine.start({ definition: workflow(text), initiatedBy: null });
  if (!started.ok) throw new Error(started.error.message);
  const { id } = started.value;
  const left = await engine.drive(id, { leaving: leaving.signal });
  const before = rig.effects.map(({ path }) => path);
  const { owner } = rig.journal.run(id) ?? {};
  watching = false;
  const ended = await rig.engine('next').drive(id);
  return {
    left: left.ok ? left.value.status : left.error.code,
    before,
    owner,
    ended: ended.ok ? ended.value.status : ended.error.code,
    all: rig.effects.map(({ path }) => path),
    open: rig.open().length,
  };
}

it('A leaving host finishes its current step; the next host continues the run without asking (F1)', async () => {
  const text =
    'steps:\n  - {id: a, effect: once, run: slow 5 one}\n  - {id: b, effect: once, run: say two}\n';
  expect(await leftAt('a', text)).toEqual({
    left: 'running',
    before: ['a'],
    owner: null,
    ended: 'ok',
    all: ['a', 'b'],
    open: 0,
  });
});

it('Parallel branches finish their current step on shutdown and start no other (F1)', async () => {
  const branch = (id: string): string =>
    [
      `        - id: ${id}`,
      '          for_each: $list.json',
      '          steps:',
      `            - {id: ${id}1, effect: once, run: slow 5 x}`,
      `            - {id: ${id}2, effect: once, run: say y}`,
      '',
    ].join('\n');
  const text = `steps:\n  - {id: list, run: 'say [1]'}\n  - id: both\n    parallel:\n      branches:\n${branch('l')}${branch('r')}`;
  const { left, before, ended, all, open } = await leftAt('l1', text);
  expect([left, ended, open]).toEqual(['running', 'ok', 0]);
  expect(before.some((path) => /[lr]2/.test(path))).toBe(false);
  expect([...all].sort()).toEqual([...new Set(all)].sort());
  expect(all).toHaveLength(5);
});
