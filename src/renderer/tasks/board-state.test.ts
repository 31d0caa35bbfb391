import { describe, expect, it } from 'vitest';
import { task } from '../../../test/renderer/task-data.ts';
import { allTasks, columnOf, fitsTask, isPicky, listOf } from './board-state.ts';

const now = 1_000_000;
const ids = (tasks: readonly { id: number }[]): number[] => tasks.map(({ id }) => id);

describe('the order of tasks', () => {
  it('is for those to do the order in which workers take them; what is due later stands behind', () => {
    const tasks = [
      task(1),
      task(2, { priority: 5 }),
      task(3, { dueAt: now + 10, priority: 9 }),
      task(4, { dueAt: now - 10 }),
      task(5, { dueAt: now + 5 }),
    ];
    expect(ids(columnOf(tasks, 'pending', now))).toEqual([2, 1, 4, 5, 3]);
  });

  it('keeps what a person cancelled apart from what failed', () => {
    const cancelled = { kind: 'cancelled', message: 'You cancelled it.' } as const;
    const tasks = [
      task(1, { status: 'error', failure: cancelled }),
      task(2, { status: 'error', failure: { kind: 'failed', message: 'No.' } }),
    ];
    expect([ids(columnOf(tasks, 'cancelled', now)), ids(columnOf(tasks, 'error', now))]).toEqual([[1], [2]]);
  });

  it('is in a list: what needs a person, what runs, what will, and the ended ones by their end', () => {
    const tasks = [
      task(1, { status: 'done', updatedAt: 10 }),
      task(2, { status: 'error', updatedAt: 20 }),
      task(3),
      task(4, { status: 'paused' }),
      task(5, { status: 'waiting' }),
      task(6, { status: 'running' }),
    ];
    expect(ids(listOf(tasks, now))).toEqual([5, 6, 3, 4, 2, 1]);
  });
});

describe('what is looked for', () => {
  const one = task(12, { goal: 'Water the Plants', project: 'office', runnerId: 'scribe', agentId: null });

  it('is words of goal, project or result, or the number, whatever the case', () => {
    for (const text of ['water', '  PLANTS ', 'Office', '#12'])
      expect(fitsTask({ ...allTasks, text }, one), text).toBe(true);
    expect(fitsTask({ ...allTasks, text: 'stones' }, one)).toBe(false);
  });

  it('is an agent that was asked or that did it, and a project', () => {
    expect(fitsTask({ ...allTasks, agent: 'scribe', project: 'office' }, one)).toBe(true);
    expect(fitsTask({ ...allTasks, agent: 'guide' }, one)).toBe(false);
    expect(fitsTask({ ...allTasks, project: 'home' }, one)).toBe(false);
  });

  it('is nothing in particular when only spaces were typed', () => {
    expect(isPicky({ ...allTasks, text: '  ' })).toBe(false);
    expect(isPicky({ ...allTasks, project: 'x' })).toBe(true);
  });
});
