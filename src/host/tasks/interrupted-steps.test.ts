import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Task } from '../../core/tasks/task.ts';
import { createProblems } from '../problems.ts';
import { createInterruptedSteps } from './interrupted-steps.ts';

const waiting = (id: number, waitingFor: Task['waitingFor']): Task =>
  ({ id, status: 'waiting', runner: 'guide', waitingFor }) as Task;

it('shows each interrupted step once, until the operator settled it', async () => {
  const clock = createVirtualClock();
  const problems = createProblems(clock, () => {});
  let tasks = [
    waiting(7, { kind: 'unknown-step', step: 3 }),
    waiting(8, { kind: 'approval', approvalId: 'ap1' }),
  ];
  const interrupted = createInterruptedSteps({ clock, problems, store: () => ({ list: () => tasks }) });
  interrupted.changed();
  interrupted.changed();
  await clock.advance(50);
  expect(problems.list()).toEqual([
    expect.objectContaining({
      id: 'task-step-7-3',
      message: 'Task 7 was interrupted in step 3, and Kennel cannot know whether the step happened.',
      said: { key: 'tasks.stepInterrupted', values: { id: 7, step: 3 } },
      about: { kind: 'task', task: 7, step: 3, agentId: 'guide' },
    }),
  ]);
  tasks = [];
  interrupted.changed();
  await clock.advance(50);
  expect(problems.list()).toEqual([]);
});
