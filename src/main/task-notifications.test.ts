import { describe, expect, it } from 'vitest';
import { task, workers } from '../../test/renderer/task-data.ts';
import type { TaskSummary, TasksView } from '../contract/task-methods.ts';
import { announceOnDesktop } from './notification-text.ts';
import { tasksChanged } from './task-notifications.ts';

const none = { pending: 0, running: 0, waiting: 0, paused: 0, done: 0, error: 0 };
const view = (...tasks: TaskSummary[]): TasksView => ({
  tasks: Object.fromEntries(tasks.map((one) => [String(one.id), one])),
  counts: none,
  cancelled: 0,
  workers: workers(),
});
const running = task(3, {
  status: 'running',
  runnerId: 'guide',
  runnerName: 'Guide',
  goal: 'Read the secrets',
});
const done: TaskSummary = { ...running, status: 'done', result: 'The secret is out.' };
const failed: TaskSummary = {
  ...running,
  status: 'error',
  failure: { kind: 'failed', message: 'No secret.' },
};
const torn: TaskSummary = { ...running, status: 'waiting', waitingFor: { kind: 'unknown-step', step: 2 } };

/** Later than the creation of every task in these tests. */
const since = running.createdAt + 1;

const everything = { approvals: true, finished: true, failed: true, mentioned: true };
const quiet = { notify: everything, notifyText: false };

describe('Task notifications', () => {
  it('report done and failed tasks and uncertain steps, and link to the task', () => {
    for (const [after, title] of [
      [done, 'Guide finished a task'],
      [failed, 'A task of Guide failed'],
      [torn, 'A task of Guide needs your answer'],
    ] as const) {
      const [said] = announceOnDesktop(tasksChanged(view(running), view(after), since), quiet);
      expect(said).toMatchObject({ title, route: '#/work/task%3A3', answer: null });
      expect(JSON.stringify(said)).not.toContain('ecret');
    }
  });

  it('contain the result or failure text only if notification text is allowed', () => {
    const open = { ...quiet, notifyText: true };
    expect(announceOnDesktop(tasksChanged(view(running), view(done), since), open)[0]?.body).toBe(
      'The secret is out.',
    );
    expect(announceOnDesktop(tasksChanged(view(running), view(failed), since), open)[0]?.body).toBe(
      'No secret.',
    );
  });

  it('include a task that ended before it was first seen', () => {
    expect(tasksChanged(view(), view(done), done.createdAt)).toHaveLength(1);
    expect(tasksChanged(view(), view(failed), done.createdAt)).toMatchObject([{ kind: 'failed' }]);
    expect(tasksChanged(view(), view(running), done.createdAt)).toEqual([]);
  });

  it('skip unchanged, old and cancelled tasks and those reported elsewhere', () => {
    expect(tasksChanged(null, view(done), since)).toEqual([]);
    expect(tasksChanged(view(), view(done), since)).toEqual([]);
    expect(tasksChanged(view(done), view(done), since)).toEqual([]);
    expect(tasksChanged(view(torn), view({ ...torn, priority: 3 }), since)).toEqual([]);
    const asking: TaskSummary = {
      ...running,
      status: 'waiting',
      waitingFor: { kind: 'approval', approvalId: 'ap' },
    };
    expect(tasksChanged(view(running), view(asking), since)).toEqual([]);
    const cancelled: TaskSummary = {
      ...failed,
      failure: { kind: 'cancelled', message: 'You cancelled it.' },
    };
    expect(tasksChanged(view(running), view(cancelled), since)).toEqual([]);
    expect(tasksChanged(view(running), view({ ...done, roomId: 'ch_general' }), since)).toEqual([]);
  });
});
