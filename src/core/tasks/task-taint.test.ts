import { expect, it } from 'vitest';
import { fileKey } from './file-trigger.ts';
import { forkTask } from './fork-task.ts';
import { newTask, type TaskDraft } from './task.ts';
import { carriesForeignWords } from './task-taint.ts';

const task = (via: NonNullable<TaskDraft['origin']>['via'], key: string | null = null) => ({
  ...newTask({ goal: 'read it', key, origin: { via, threadKey: null }, budget: { steps: 5 } }, 1),
  id: 1,
});

it('goals of a person are their own words, those of programs, agents and names of files are not (T9)', () => {
  for (const via of ['cli', 'chat', 'ui', 'schedule'] as const)
    expect(carriesForeignWords(task(via)), via).toBe(false);
  for (const via of ['mcp', 'workflow'] as const) expect(carriesForeignWords(task(via)), via).toBe(true);
  expect(carriesForeignWords(task('schedule', fileKey('s1', 3)))).toBe(true);
});

it('a fork carries what its original carried (T9)', () => {
  const forked = forkTask(task('schedule', fileKey('s1', 3)), [], 0, 2);
  expect(forked.ok && carriesForeignWords(forked.value.task)).toBe(true);
  const own = forkTask(task('cli'), [], 0, 2);
  expect(own.ok && carriesForeignWords(own.value.task)).toBe(false);
});
