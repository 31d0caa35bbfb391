/** A task store in a folder, and sample tasks. */

import type { Result } from '../../src/contract/result.ts';
import { type Lease, newTask, type Task, type TaskDraft } from '../../src/core/tasks/task.ts';
import type { TaskStore } from '../../src/core/tasks/task-ports.ts';
import type { StepDraft } from '../../src/core/tasks/task-step.ts';
import { openTaskStore } from '../../src/services/db/task-store.ts';
import { createRecordingLog } from './recording-log.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const taskKey = new Uint8Array(32).fill(11);

export const openSampleTasks = (path: string): TaskStore =>
  openTaskStore({ path, key: taskKey, clock: createVirtualClock(), log: createRecordingLog() });

export const leaseOf = (owner: string): Lease => ({ owner, pid: 1, bootId: 'boot', worker: 0, beat: 0 });

export const sampleStep = (more: Partial<StepDraft> = {}): StepDraft => ({
  kind: 'action',
  action: 'send',
  callId: 'call',
  digest: 'digest',
  replay: 'safe',
  ...more,
});

export const addSample = (store: TaskStore, draft: Partial<TaskDraft> = {}): Task =>
  store.add({ task: newTask({ goal: 'Sweep', ...draft }, 100), steps: [] }).task;

export const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
