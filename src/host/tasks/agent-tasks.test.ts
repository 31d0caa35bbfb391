import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import { newTask, type Task, type TaskDraft } from '../../core/tasks/task.ts';
import { createAgentTasks } from './agent-tasks.ts';
import type { TaskService } from './task-service.ts';

const hour = 3_600_000;

function rig() {
  const tasks: Task[] = [];
  let now = hour;
  const store = {
    list: ({ status, agent }: { readonly status?: string; readonly agent?: string }) =>
      [...tasks].reverse().filter((task) => task.agent === agent && (!status || task.status === status)),
  };
  const service = {
    store,
    add: (draft: TaskDraft) => {
      const task = { ...newTask(draft, now), id: tasks.length + 1 };
      tasks.push(task);
      return { task, isNew: true };
    },
  } as unknown as TaskService;
  const port = createAgentTasks(
    {
      agents: { find: ok, name: (id) => id ?? '' },
      clock: { now: () => now },
      tasks: { service: async () => ok(service), known: async () => ok(service) },
    },
    'guide',
  );
  const add = () =>
    port.add({
      goal: 'Again',
      agentId: 'guide',
      project: null,
      priority: 0,
      dueAt: null,
      key: String(tasks.length),
      threadKey: null,
    });
  const finish = () => {
    for (const [index, task] of tasks.entries()) tasks[index] = { ...task, status: 'done' };
  };
  return { add, finish, later: (ms: number) => (now += ms) };
}

it('An agent may add at most sixty tasks per hour (T27)', async () => {
  const { add, finish, later } = rig();
  for (let index = 0; index < 60; index += 1) {
    expect(await add()).toMatchObject({ ok: true });
    finish();
  }
  expect(await add()).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  later(hour + 1);
  expect(await add()).toMatchObject({ ok: true });
});

it('An agent may have at most fifty pending tasks (T27)', async () => {
  const { add, finish } = rig();
  for (let index = 0; index < 50; index += 1) await add();
  expect(await add()).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  finish();
  expect(await add()).toMatchObject({ ok: true });
});
