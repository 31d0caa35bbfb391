/** Sample task views as the host returns them. */
import type { TaskStepView, TaskSummary } from '../../src/contract/task-methods.ts';
import { noneSpent } from '../../src/core/models/usage.ts';

export const taskView = (more: Partial<TaskSummary> = {}): TaskSummary => ({
  id: 1,
  goal: 'Sweep',
  status: 'pending',
  agentId: null,
  agentName: '',
  runnerId: null,
  runnerName: '',
  project: null,
  priority: 0,
  dueAt: null,
  parent: null,
  forkedAt: null,
  via: 'cli',
  roomId: null,
  rootId: null,
  budget: { steps: 100, tokens: null, usd: null },
  used: noneSpent,
  steps: 0,
  asked: null,
  waitingFor: null,
  result: null,
  failure: null,
  createdAt: 0,
  updatedAt: 0,
  archivedAt: null,
  worktree: null,
  ...more,
});

export const stepView = (number: number, more: Partial<TaskStepView> = {}): TaskStepView => ({
  number,
  kind: 'action',
  action: 'bash_exec',
  endedAt: null,
  result: null,
  error: null,
  cut: false,
  startedAt: Date.UTC(2026, 0, 15, 3, 20, 24 + number),
  ...more,
});
