import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TasksView, TaskView } from '../../src/contract/task-methods.ts';
import { follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  home = newHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
}, 30_000);
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const ended = (task: number) =>
  until(`the end of task ${task}`, async () => {
    const found = await kennel.call('tasks.get', { task });
    return ['done', 'error'].includes(found.task.status) && found;
  });
const add = async (goal: string, more: object = {}) =>
  (await kennel.call('tasks.add', { goal, ...more })).task;

describe('tasks', () => {
  it('are done by an agent without being talked to, and seen while they happen', async () => {
    const board = follow<TasksView>(kennel.host, 'tasks');
    const { id } = await add('Create a backup script');
    const page = follow<TaskView>(kennel.host, `task:${id}`);
    const { task, steps, result } = await ended(id);
    expect(task).toMatchObject({ status: 'done', agentId: null, failure: null });
    expect(result).toContain('**Goal:** Create a backup script');
    expect(steps.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      ...['decision decision', 'action list_dir', 'decision decision', 'action finish'],
    ]);
    await until('the board', () => board.state().tasks[id]?.status === 'done');
    await until('the page', () => Object.keys(page.state().steps).length === 4);
    expect(board.state().counts.done).toBe(1);
  });
});
