import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { setLanguage } from '../../language/texts.ts';
import { argumentFields } from './argument-fields.ts';
import { isNewName, newWorkflow, withEnding } from './new-text.ts';
import { lineOfStep } from './step-line.ts';
import { nodeOf, shownStepState, statesByNode } from './step-text.ts';

/** Step fields that these tests do not use. */
const plain = {
  output: '',
  cut: false,
  error: '',
  retryAt: null,
  task: null,
  taken: false,
  spans: [],
  waited: 0,
};

it('creates the same new workflow in YAML and in JSON, in both languages', async () => {
  for (const language of ['de', 'en'] as const) {
    await setLanguage(language);
    const yaml: unknown = parse(newWorkflow('office/my "own".puppy'));
    expect(yaml).toEqual(JSON.parse(newWorkflow('my "own".json')));
    expect(yaml).toMatchObject({ name: 'my "own"', steps: [{ id: 'greet' }, { id: 'ask' }, { id: 'done' }] });
  }
});

it('accepts only names inside the folder, and appends the file extension', () => {
  expect([withEnding('weekly'), withEnding('a/b.yaml'), withEnding('')]).toEqual([
    'weekly.puppy',
    'a/b.yaml',
    '',
  ]);
  expect(['weekly.puppy', 'büro/woche 1.yml'].map(isNewName)).toEqual([true, true]);
  expect(['../x.puppy', '/etc/x', 'a//b', '.hidden', 'a/../b', 'c:\\x', 'a\u202eb'].map(isNewName)).toEqual(
    Array.from({ length: 7 }, () => false),
  );
});

it('finds the line of a step in YAML and in JSON, ignoring other lines that contain its name', () => {
  const text = newWorkflow('x.puppy');
  expect(text.split('\n')[(lineOfStep(text, 'ask') ?? 0) - 1]).toBe('  - id: ask');
  const json = newWorkflow('x.json');
  expect(json.split('\n')[(lineOfStep(json, 'done') ?? 0) - 1]).toContain('"id": "done"');
  expect(lineOfStep('steps:\n  - run: echo id: ask', 'ask')).toBeNull();
});

it('creates argument fields by type, and marks required ones', () => {
  const arg = { description: '', required: false, defaultJson: '', values: [] };
  const fields = argumentFields([
    { ...arg, name: 'count', type: 'integer', required: true },
    { ...arg, name: 'tags', type: 'array', defaultJson: '["a","b"]' },
    { ...arg, name: 'mode', type: 'string', values: ['"fast"', '"slow"'], defaultJson: '"slow"' },
    { ...arg, name: 'anything', type: 'any' },
  ]);
  expect(fields.map(({ path, kind, required, start }) => [path[0], kind, required, start])).toEqual([
    ['count', 'integer', true, ''],
    ['tags', 'lines', false, 'a\nb'],
    ['mode', 'choice', false, '"slow"'],
    ['anything', 'any', false, ''],
  ]);
});

it('maps loop iterations and inner workflow steps to their box, the worst state first', () => {
  expect([nodeOf('loop[3].send[0].x'), nodeOf('call/inner[1].step')]).toEqual(['loop[].send[].x', 'call']);
  const step = (path: string, state: 'done' | 'failed' | 'running') => ({
    path,
    state,
    attempts: 1,
    effect: 'once' as const,
    startedAt: 0,
    endedAt: null,
    ...plain,
  });
  const states = statesByNode(
    [step('loop[0].send', 'done'), step('loop[1].send', 'failed'), step('loop[2].send', 'running')],
    [],
  );
  expect([...states]).toEqual([['loop[].send', 'failed']]);
});

it('shows a rejected question as rejected, and not as done', () => {
  const asked = (path: string) => ({
    path,
    state: 'done' as const,
    attempts: 1,
    effect: 'pure' as const,
    startedAt: 0,
    endedAt: 1,
    ...plain,
  });
  const gates = [
    { path: 'yes', decision: 'approve' as const },
    { path: 'no', decision: 'withdrawn' as const },
    { path: 'no', decision: 'reject' as const },
    { path: 'late', decision: 'timeout' as const },
    { path: 'again', decision: 'reject' as const },
    { path: 'again', decision: 'approve' as const },
  ];
  const told = ['yes', 'no', 'late', 'again', 'none'].map((path) => shownStepState(asked(path), gates));
  expect(told).toEqual(['done', 'rejected', 'unanswered', 'done', 'done']);
});

it('tells waiting for a person from waiting for a time', () => {
  const waits = (path: string) => ({
    path,
    state: 'waiting' as const,
    attempts: 1,
    effect: 'pure' as const,
    startedAt: 0,
    endedAt: null,
    ...plain,
  });
  const gates = [
    { path: 'loop[1].ask', decision: null },
    { path: 'other', decision: 'approve' as const },
  ];
  const told = ['loop', 'loop[1].ask', 'nap', 'other', 'loo'].map((path) =>
    shownStepState(waits(path), gates),
  );
  expect(told).toEqual(['waiting', 'waiting', 'pausing', 'pausing', 'pausing']);
});
