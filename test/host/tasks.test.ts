import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TasksView, TaskView } from '../../src/contract/task-methods.ts';
import { answerTo, follow, newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
});
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const ended = (task: number) =>
  until(`the end of task ${task}`, async () => {
    const found = await kennel.call('tasks.get', { task });
    return ['done', 'error'].includes(found.task.status) && found;
  });
const inState = (task: number, status: string) =>
  until(`task ${task} to be ${status}`, async () => {
    const found = await kennel.call('tasks.get', { task });
    return found.task.status === status && found;
  });
const restart = async () => {
  await kennel.stop();
  kennel = await startHost(home.home);
};
async function answer(type: 'allow' | 'deny'): Promise<void> {
  const [question] = (await kennel.call('approvals.list', {})).approvals;
  if (!question) throw new Error('no question');
  await kennel.call('approvals.decide', {
    id: question.id,
    digest: question.digest,
    surface: 'terminal',
    answer: type === 'allow' ? { type, scope: 'once' } : { type, reason: 'not today' },
  });
}
const add = async (goal: string, more: object = {}) =>
  (await kennel.call('tasks.add', { goal, ...more })).task;

describe('Tasks', () => {
  it('have workers before the first task is added; a changed worker count is published', async () => {
    const board = follow<TasksView>(kennel.host, 'tasks');
    const { workers } = await kennel.call('tasks.workers', {});
    expect(workers.length).toBeGreaterThan(0);
    expect(board.state().workers.workers).toEqual(workers);
    await kennel.call('tasks.setWorkers', { workers: 5 });
    await until('the new number', () => board.state().workers.workers.length === 5);
    expect(existsSync(path.join(home.home, 'tasks.db'))).toBe(false);
  });

  it('are done by an agent without a chat, with live updates', async () => {
    const board = follow<TasksView>(kennel.host, 'tasks');
    const { id } = await add('Create a backup script');
    const page = follow<TaskView>(kennel.host, `task:${id}`);
    const { task, steps, result } = await ended(id);
    expect(task).toMatchObject({ status: 'done', agentId: null, failure: null });
    expect(result).toContain('**Goal:** Create a backup script');
    expect(steps.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'decision decision',
      'action list_dir',
      'decision decision',
      'action finish',
    ]);
    await until('the board', () => board.state().tasks[id]?.status === 'done');
    await until('the page', () => Object.keys(page.state().steps).length === 4);
    expect(board.state().counts.done).toBe(1);
  });

  const handOut = 'name: hand-out\nsteps:\n  - id: write\n    agent: {name: guide, goal: write hello.md}\n';
  it.each([
    ['workflow runs', { text: handOut }],
    ['pipelines that call a workflow', { pipeline: 'workflows.run --name hand-out' }],
  ])('T27 F25 sixteen %s whose agent waits do not keep another run from working', async (_, started) => {
    const folder = path.join(home.home, 'workflows');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'hand-out.puppy'), handOut);
    const runs: string[] = [];
    for (let n = 0; n < 16; n += 1) runs.push((await kennel.call('runs.start', started)).id);
    await until('all of them to have handed out their step', async () => {
      const { tasks } = await kennel.call('tasks.list', {});
      return tasks.length === 16 && tasks.some(({ status }) => status === 'waiting');
    });
    const { id } = await kennel.call('runs.start', {
      text: 'name: beside\nsteps:\n  - id: say\n    run: echo beside\n',
    });
    await until(
      'the other run',
      async () => (await kennel.call('runs.get', { run: id })).run.status === 'ok',
    );
    for (const run of runs) await kennel.call('runs.cancel', { run });
  });

  it('F25 wait for approval without a worker, also over a restart, and continue afterwards', async () => {
    await kennel.call('tasks.setWorkers', { workers: 1 });
    const { id } = await add('write hello.md', { agent: 'guide' });
    const waiting = await inState(id, 'waiting');
    expect(waiting.task.waitingFor).toMatchObject({ kind: 'approval' });
    const other = await add('echo meanwhile', { agent: 'guide' });
    expect((await ended(other.id)).result).toBe('meanwhile');
    await restart();
    const [question] = (await kennel.call('approvals.list', {})).approvals;
    expect(question?.state).toBe('waiting');
    await answer('allow');
    const done = await ended(id);
    expect(done.result).toContain('`hello.md` is in my workspace now');
    expect(done.steps.filter(({ action }) => action === 'write_file')).toHaveLength(1);
    expect((await kennel.call('approvals.list', { state: 'decided' })).approvals).toHaveLength(1);
  });

  it('without a fixed agent stay with the one that began them until it is archived', async () => {
    const { id } = await add('write hello.md');
    const { task } = await inState(id, 'waiting');
    const runner = task.runnerId ?? '';
    await kennel.call('agents.pause', { agent: runner });
    await answer('allow');
    await inState(id, 'pending');
    expect((await ended((await add('echo meanwhile')).id)).task.runnerId).not.toBe(runner);
    expect((await kennel.call('tasks.get', { task: id })).task).toMatchObject({
      status: 'pending',
      runnerId: runner,
    });
    await kennel.call('agents.archive', { agent: runner });
    const other = await inState(id, 'waiting');
    expect(other.task.runnerId).not.toBe(runner);
    await answer('allow');
    expect((await ended(id)).task.status).toBe('done');
  });

  it('learn that the operator denied a question; cancelling withdraws an open question', async () => {
    const refused = await add('write hello.md', { agent: 'guide' });
    await inState(refused.id, 'waiting');
    await answer('deny');
    expect((await ended(refused.id)).result).toContain('you said no');
    const cancelled = await add('write again.md', { agent: 'guide' });
    await inState(cancelled.id, 'waiting');
    await kennel.call('tasks.cancel', { task: cancelled.id });
    expect((await ended(cancelled.id)).task.failure).toMatchObject({ kind: 'cancelled' });
    expect((await kennel.call('approvals.list', {})).approvals).toEqual([]);
  });

  it('pause between steps, resume, and can be cancelled, retried and forked', async () => {
    const { id } = await add('work 30', { agent: 'guide', budget: { steps: 200 } });
    await until('some steps', async () => (await kennel.call('tasks.get', { task: id })).task.steps > 4);
    await kennel.call('tasks.pause', { task: id });
    const { task: paused } = await inState(id, 'paused');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await kennel.call('tasks.get', { task: id })).task.steps).toBe(paused.steps);
    await kennel.call('tasks.resume', { task: id });
    await until('more', async () => (await kennel.call('tasks.get', { task: id })).task.steps > paused.steps);
    await kennel.call('tasks.cancel', { task: id });
    expect((await ended(id)).task.failure).toMatchObject({ kind: 'cancelled' });
    await kennel.call('tasks.retry', { task: id });
    const done = await ended(id);
    expect(done.result).toContain('That was 30 steps');
    expect(done.steps.filter(({ action }) => action === 'list_dir')).toHaveLength(30);
    const fork = await kennel.call('tasks.fork', { task: id, after: 2 });
    expect(fork).toMatchObject({ parent: id, forkedAt: 2, steps: 2 });
    expect((await ended(fork.id)).result).toBe(done.result);
  });

  it('end when their budget is used up, and continue on retry with a larger budget', async () => {
    const { id } = await add('work 9', { agent: 'guide', budget: { steps: 5 } });
    const spent = await ended(id);
    expect(spent.task).toMatchObject({ status: 'error', steps: 5, failure: { kind: 'budget' } });
    await kennel.call('tasks.amend', { task: id, budget: { steps: 100 } });
    await kennel.call('tasks.retry', { task: id });
    expect((await ended(id)).result).toContain('That was 9 steps');
  });

  it('can be added in the chat by the operator, and report their end there once', async () => {
    const sent = await kennel.call('chat.send', { to: 'guide', text: '/task echo a result' });
    const heard = await answerTo(kennel, sent.roomId, sent.messageId);
    const [task] = (await kennel.call('tasks.list', {})).tasks;
    expect(heard.text).toContain(`Task ${task?.id}: I have it on my list`);
    expect(task).toMatchObject({ goal: 'echo a result', agentId: 'guide', via: 'chat', roomId: sent.roomId });
    await ended(task?.id ?? 0);
    const replies = async () =>
      (await kennel.call('chat.history', { room: sent.roomId, limit: 50 })).messages.filter(
        ({ threadRootId, own }) => threadRootId === sent.messageId && !own,
      );
    await until('the result', async () => (await replies()).length === 2);
    expect((await replies()).at(-1)?.text).toBe(`Task ${task?.id} is done.\n\na result`);
    await restart();
    await kennel.call('chat.send', { to: 'guide', text: '/tasks' });
    await until('the list', async () => {
      const { messages } = await kennel.call('chat.history', { room: sent.roomId, limit: 50 });
      return messages.some(({ text, own }) => !own && text.includes(`${task?.id}: echo a result (done)`));
    });
    expect(await replies()).toHaveLength(2);
    expect((await kennel.call('tasks.list', {})).tasks).toHaveLength(1);
  });

  it("wait without a worker while their agent's budget is used up, and continue once it is raised", async () => {
    const first = await add('echo one', { agent: 'guide' });
    await ended(first.id);
    const { today } = await kennel.call('usage.get', { agent: 'guide', days: 1 });
    const none = { tokensPerDay: null, tokensPerMonth: null, usdPerDay: null, usdPerMonth: null };
    await kennel.call('usage.setBudget', { agent: 'guide', budget: { ...none, tokensPerDay: today.tokens } });
    const { id } = await add('echo two', { agent: 'guide' });
    await inState(id, 'waiting');
    expect((await kennel.call('tasks.workers', {})).running).toBe(0);
    await answer('allow');
    expect((await ended(id)).result).toBe('two');
  });

  it('reject actions that do not fit their state, and unknown agents and rooms', async () => {
    const { id } = await add('tell checker the file is ready', { agent: 'guide' });
    await inState(id, 'waiting');
    await answer('allow');
    await ended(id);
    expect(await kennel.tryCall('tasks.settle', { task: id, step: 2, happened: 'yes' })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(await kennel.tryCall('tasks.pause', { task: 99 })).toMatchObject({ error: { code: 'not_found' } });
    expect(await kennel.tryCall('tasks.add', { goal: 'x', agent: 'nobody' })).toMatchObject({ ok: false });
    expect(await kennel.tryCall('tasks.add', { goal: 'x', room: 'ch_unknown' })).toMatchObject({ ok: false });
  });

  it('of a paused agent wait for it; the agent answers chats while it works on a task', async () => {
    await kennel.call('agents.pause', { agent: 'guide' });
    const { id } = await add('work 40', { agent: 'guide', budget: { steps: 200 } });
    await until('the pressure', async () => (await kennel.call('tasks.workers', {})).forAgent === 1);
    const { lanes, freeAgents } = await kennel.call('tasks.workers', {});
    expect({ lanes, freeAgents }).toEqual({
      lanes: [{ agentId: 'guide', agentName: 'Guide', life: 'paused', running: 0, places: 0, ready: 1 }],
      freeAgents: expect.any(Number),
    });
    await kennel.call('agents.resume', { agent: 'guide' });
    await inState(id, 'running');
    const { dot, activity } = await kennel.call('agents.get', { agent: 'guide' });
    expect([dot, activity]).toMatchObject(['working', { text: `working on task ${id}` }]);
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo still here' });
    await answerTo(kennel, sent.roomId, sent.messageId);
    expect((await kennel.call('tasks.get', { task: id })).task.status).toBe('running');
    await kennel.call('agents.pause', { agent: 'guide' });
    await inState(id, 'pending');
    await kennel.call('agents.resume', { agent: 'guide' });
    expect((await ended(id)).result).toContain('That was 40 steps');
  });

  it('of a Personal Agent are imported completely, searchable and counted', async () => {
    const at = '2026-01-15T03:20:25.123456';
    const task = (id: number, status: string) => ({
      id,
      goal: `Old goal ${id}`,
      status,
      created_at: at,
      updated_at: at,
      memory: { a: 1 },
      steps: [{ step_id: 1, timestamp: at, action: 'decision', result: 'looked', error: null }],
    });
    const json = JSON.stringify({ next_id: 3, tasks: { 1: task(1, 'done'), 2: task(2, 'paused') } });
    const file = path.join(home.home, 'tasks.json');
    const imported = (text: string) => {
      writeFileSync(file, text);
      return kennel.host.call({ kind: 'owner-cli' }, 'tasks.import', { path: file });
    };
    expect(await imported(json)).toMatchObject({ value: { added: [1, 2], known: 0 } });
    expect(await imported(json)).toMatchObject({ value: { added: [], known: 2 } });
    expect(await imported('{"tasks":')).toMatchObject({ error: { code: 'corrupt' } });
    const page = await kennel.host.call({ kind: 'owner-ui' }, 'tasks.import', { path: file });
    expect(page).toMatchObject({ error: { code: 'forbidden' } });
    const found = await kennel.call('tasks.list', { text: 'GOAL 2' });
    expect(found.tasks.map(({ id }) => id)).toEqual([2]);
    await kennel.call('tasks.resume', { task: 2 });
    await ended(2);
    const { id } = await add('never mind', { dueAt: Date.now() + 86_400_000 });
    await kennel.call('tasks.cancel', { task: id });
    const withError = async (cancelled: boolean) =>
      (await kennel.call('tasks.list', { status: 'error', cancelled })).tasks.map((one) => one.id);
    expect([await withError(true), await withError(false)]).toEqual([[id], []]);
    const stats = await kennel.call('tasks.stats', { days: 7 });
    expect(stats.days).toHaveLength(7);
    expect(stats.days.at(-1)).toMatchObject({ added: 1, done: 1, error: 0 });
  });
});
