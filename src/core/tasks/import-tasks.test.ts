import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPersonalAgentTasks } from './import-tasks.ts';
import { defaultSteps } from './task.ts';

const step = (id: number, action: string, result: string | null, error: string | null = null) => ({
  step_id: id,
  timestamp: '2026-01-15T03:20:26.123456',
  action,
  result,
  error,
});
const task = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  goal: `Task ${id}`,
  status: 'pending',
  created_at: '2026-01-15T03:20:25',
  updated_at: '2026-01-15T03:20:27',
  steps: [],
  memory: {},
  ...more,
});
const file = (...tasks: readonly ReturnType<typeof task>[]) =>
  JSON.stringify({ tasks: Object.fromEntries(tasks.map((one) => [one.id, one])), next_id: 9 });
const readOf = (text: string) => {
  const reading = readPersonalAgentTasks(text);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
};
const read = (text: string) => {
  const result = readOf(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('Import of tasks.json from Personal Agent', () => {
  it('imports tasks with their steps and memory', () => {
    const steps = [
      step(1, 'decision', 'look'),
      step(2, 'action', null, 'exit 1'),
      step(3, 'decision', 'done'),
    ];
    const [done] = read(file(task(3, { status: 'done', steps, memory: { a: [1] } })));
    expect(done).toMatchObject({
      number: 3,
      task: { goal: 'Task 3', status: 'done', result: 'done', steps: 3, memory: { a: [1] }, open: [] },
      steps: [
        { number: 1, kind: 'decision', result: 'look', startedAt: Date.UTC(2026, 0, 15, 3, 20, 26, 123) },
        { number: 2, kind: 'action', error: 'exit 1', result: null },
        { number: 3, kind: 'decision' },
      ],
    });
    expect(done?.task.createdAt).toBe(Date.UTC(2026, 0, 15, 3, 20, 25));
  });
  it('keeps the order of numbers, and returns running tasks to the queue (F1)', () => {
    const tasks = read(file(task(10), task(2, { status: 'running' }), task(1, { status: 'error' })));
    expect(tasks.map(({ number, task: { status } }) => [number, status])).toEqual([
      [1, 'error'],
      [2, 'pending'],
      [10, 'pending'],
    ]);
    expect(tasks[0]?.task.failure?.kind).toBe('failed');
  });
  it('adds the default step budget to the steps already done', () => {
    const steps = Array.from({ length: 120 }, (_, index) => step(index + 1, 'decision', 'on'));
    const [one] = read(file(task(1, { status: 'running', steps })));
    expect(one?.task).toMatchObject({ steps: 120, budget: { steps: 120 + defaultSteps } });
  });
  it('gives the same keys on a second import, so no task is duplicated', () => {
    const keys = () => read(file(task(1), task(2))).map((one) => one.task.key);
    expect(keys()).toEqual(keys());
    expect(new Set(keys()).size).toBe(2);
  });
  it('refuses a file truncated at any byte (F3)', () => {
    const whole = file(task(1, { steps: [step(1, 'decision', 'ä')] }));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (length) => {
        expect(readOf(whole.slice(0, length))).toMatchObject({ error: { code: 'corrupt' } });
      }),
    );
  });
  it.each([
    ['an unknown field', file(task(1, { extra: 1 }))],
    ['an unknown state', file(task(1, { status: 'finished' }))],
    ['a date that is none', file(task(1, { created_at: '2026-13-45T99:00:00' }))],
    ['a date in words', file(task(1, { created_at: 'yesterday' }))],
    ['no goal', file(task(1, { goal: '' }))],
    ['a task under another number', JSON.stringify({ tasks: { 2: task(1) }, next_id: 3 })],
    ['a list in place of the tasks', JSON.stringify({ tasks: [task(1)], next_id: 3 })],
    ['no next number', JSON.stringify({ tasks: {} })],
    ['a name out of a prototype', '{"tasks":{"__proto__":{}},"next_id":1}'],
    ['such a name beside the tasks', '{"__proto__":{},"tasks":{},"next_id":1}'],
    [
      'such a name deep inside a task',
      file(task(1, { memory: { a: [{ b: 1 }] } })).replace('"b"', '"\\u005f_proto__"'),
    ],
    ['nothing', ''],
    ['null', 'null'],
  ])('refuses %s', (_, text) => {
    const result = readOf(text);
    expect(result).toMatchObject({ ok: false, error: { code: 'corrupt' } });
    if (!result.ok) expect(result.error.message).toContain('left as it is');
  });
  it('reads one task at a time', () => {
    const reading = readPersonalAgentTasks(file(task(1), task(2)));
    expect([reading.next().done, reading.next().done, reading.next().done]).toEqual([false, false, true]);
  });
  it('accepts an empty task list', () => {
    expect(read('{"tasks":{},"next_id":1}')).toEqual([]);
  });
});
