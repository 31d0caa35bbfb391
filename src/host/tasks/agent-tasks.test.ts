import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { Task, TaskBody } from '../../core/tasks/task.ts';
import { agentTasks } from './agent-tasks.ts';

const hour = 3_600_000;

function rig() {
  const tasks: Task[] = [];
  let now = hour;
  const store = {
    list: ({ status, agent }: { readonly status?: string; readonly agent?: string }) =>
      [...tasks].reverse().filter((task) => task.agent === agent && (!status || task.status === status)),
    add: ({ task }: { readonly task: TaskBody }) => {
      const added = { ...task, id: tasks.length + 1 };
      tasks.push(added);
      return { task: added, isNew: true };
    },
  };
  const room = { store, changed: () => undefined, wake: () => undefined };
  const context = {
    ports: { clock: { now: () => now } },
    settings: { config: () => ({ limits: {}, tasks: {} }) },
    tasks: { room: async () => ok(room), known: async () => ok(room) },
  };
  const port = agentTasks(context as never, 'guide');
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

it('an agent whose tasks each ask for the next is stopped after sixty in an hour (T27)', async () => {
  const { add, finish, later } = rig();
  for (let index = 0; index < 60; index += 1) {
    expect(await add()).toMatchObject({ ok: true });
    finish();
  }
  expect(await add()).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  later(hour + 1);
  expect(await add()).toMatchObject({ ok: true });
});

it('fifty that wait are enough (T27)', async () => {
  const { add, finish } = rig();
  for (let index = 0; index < 50; index += 1) await add();
  expect(await add()).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
  finish();
  expect(await add()).toMatchObject({ ok: true });
});
