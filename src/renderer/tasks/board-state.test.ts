import { describe, expect, it } from 'vitest';
import { task } from '../../../test/renderer/task-data.ts';
import { allTasks, columnOf, fitsTask, hasTaskFilter, listOf } from './board-state.ts';

const now = 1_000_000;
const ids = (tasks: readonly { id: number }[]): number[] => tasks.map(({ id }) => id);

describe('Task order', () => {
  it('sorts pending tasks by priority and number as the workers do, tasks due later last', () => {
    const tasks = [
      task(1),
      task(2, { priority: 5 }),
      task(3, { dueAt: now + 10, priority: 9 }),
      task(4, { dueAt: now - 10 }),
      task(5, { dueAt: now + 5 }),
    ];
    expect(ids(columnOf(tasks, 'pending', now))).toEqual([2, 1, 4, 5, 3]);
  });

  it('puts tasks cancelled by a person and failed tasks into separate columns', () => {
    const cancelled = { kind: 'cancelled', message: 'You cancelled it.' } as const;
    const tasks = [
      task(1, { status: 'error', failure: cancelled }),
      task(2, { status: 'error', failure: { kind: 'failed', message: 'No.' } }),
    ];
    expect([ids(columnOf(tasks, 'cancelled', now)), ids(columnOf(tasks, 'error', now))]).toEqual([[1], [2]]);
  });

  it('lists waiting tasks first, then running, pending and paused ones, then ended ones, latest first', () => {
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

describe('Task filter', () => {
  const one = task(12, { goal: 'Water the Plants', project: 'office', runnerId: 'scribe', agentId: null });

  it('matches text in goal, project or result, or the number, ignoring case', () => {
    for (const text of ['water', '  PLANTS ', 'Office', '#12'])
      expect(fitsTask({ ...allTasks, text }, one), text).toBe(true);
    expect(fitsTask({ ...allTasks, text: 'stones' }, one)).toBe(false);
  });

  it('matches the assigned or executing agent, and the project', () => {
    expect(fitsTask({ ...allTasks, agent: 'scribe', project: 'office' }, one)).toBe(true);
    expect(fitsTask({ ...allTasks, agent: 'guide' }, one)).toBe(false);
    expect(fitsTask({ ...allTasks, project: 'home' }, one)).toBe(false);
  });

  it('is inactive if the text contains only spaces', () => {
    expect(hasTaskFilter({ ...allTasks, text: '  ' })).toBe(false);
    expect(hasTaskFilter({ ...allTasks, project: 'x' })).toBe(true);
  });
});
