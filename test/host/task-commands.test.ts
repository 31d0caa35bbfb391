import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textError } from '../../src/contract/errors.ts';
import type { FeedSink } from '../../src/contract/host-api.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { TaskSummary } from '../../src/contract/task-methods.ts';
import { openSocketHost, type SocketHost } from '../fakes/socket-host.ts';
import { stepView, taskView } from '../fakes/task-views.ts';

let host: SocketHost;
let tasks: TaskSummary[] = [];
let follow: (sink: FeedSink) => void = () => undefined;
const counts = { pending: 1, running: 0, paused: 1, done: 2, error: 1, waiting: 0 };

const one = (id: number) => {
  const task = tasks.find((each) => each.id === id);
  return task ? ok(task) : err(textError('not_found', `There is no task ${id}.`));
};

beforeAll(async () => {
  host = await openSocketHost(
    {
      'tasks.add': ({ goal, key }) => ok({ task: taskView({ goal }), isNew: key !== 'k' }),
      'tasks.list': () => ok({ tasks: [...tasks].reverse(), counts, cancelled: 1, hasMore: false }),
      'tasks.get': ({ task }) => {
        const found = one(task);
        return found.ok
          ? ok({ task: found.value, result: found.value.result, memoryJson: '{}', steps: [] })
          : found;
      },
      'tasks.steps': ({ after }) =>
        ok({
          steps: [stepView(after + 1, { endedAt: 1, result: 'cut short', cut: true })],
          hasMore: after === 0,
        }),
      'tasks.step': ({ step }) => ok({ result: `the whole of ${step}`, error: null }),
      'tasks.pause': ({ task }) => ok(taskView({ id: task, status: 'running', asked: 'pause' })),
      'tasks.retry': ({ task }) => err(textError('conflict', `Task ${task} is done: it succeeded.`)),
      'tasks.settle': ({ task }) => ok(taskView({ id: task })),
      'tasks.fork': ({ task }) => ok(taskView({ id: 9, parent: task })),
      'tasks.amend': ({ task, priority }) => ok(taskView({ id: task, priority: priority ?? 0 })),
      'tasks.run': ({ task }) => ok({ task: task === undefined ? null : taskView({ id: task }) }),
      'tasks.workers': () =>
        ok({
          workers: [{ worker: 0, task: null, runnerName: '' }],
          running: 0,
          ready: 3,
          forWorker: 2,
          forAgent: 1,
          freeAgents: 0,
          lanes: [
            { agentId: 'guide', agentName: 'Guide', life: 'running', running: 1, places: 1, ready: 2 },
            { agentId: 'echo', agentName: 'Echo', life: 'paused', running: 0, places: 0, ready: 1 },
          ],
        }),
      'tasks.setWorkers': () => ok({}),
      'tasks.import': ({ path: file }) =>
        readFileSync(file, 'utf8').startsWith('{')
          ? ok({ added: [4, 5], known: 1, notes: [] })
          : err(textError('corrupt', 'It is not whole JSON.')),
    },
    (_topic, sink) => follow(sink),
  );
});
afterAll(() => host.close());
beforeEach(() => {
  host.asked.length = 0;
  tasks = [
    taskView({ id: 1, goal: 'Create a backup script', agentId: 'echo' }),
    taskView({ id: 2, goal: 'Clean up logs', status: 'done', result: 'Cleaned.' }),
    taskView({ id: 3, goal: 'Migrate database', status: 'paused' }),
  ];
});

describe('kennel task', () => {
  it('adds a task with all options of the flags', async () => {
    const said = await host.kennel(
      'task',
      'add',
      'Sort',
      'the inbox',
      '--agent',
      'guide',
      '--priority',
      '5',
      '--project',
      'home',
      '--budget-steps',
      '7',
      '--budget-usd',
      'none',
      '--key',
      'k',
      '--due',
      '2099-01-02 03:04',
    );
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain('[ ] 1: Sort the inbox (pending)\nIt was there already');
    expect(host.asked).toEqual([
      {
        method: 'tasks.add',
        input: {
          goal: 'Sort the inbox',
          agent: 'guide',
          priority: 5,
          project: 'home',
          key: 'k',
          budget: { steps: 7, usd: null },
          dueAt: Date.UTC(2099, 0, 2, 3, 4),
        },
      },
    ]);
  });
  it('lists, counts and shows tasks in the documented format', async () => {
    expect(await host.kennel('task', 'list')).toMatchObject({
      out: 'Tasks:\n  [ ] 1: Create a backup script (pending)\n  [X] 2: Clean up logs (done)\n  [P] 3: Migrate database (paused)\n',
      err: '1: waits for Echo, which is paused\n',
    });
    expect((await host.kennel('task', 'status')).out).toBe(
      'Agent Status:\n  pending: 1\n  running: 0\n  paused: 1\n  done: 2\n  error: 0\n  cancelled: 1\n',
    );
    expect((await host.kennel('workers')).out).toBe(
      'Workers (1):\n  Worker 0: idle\nWaiting: 3 (2 for a worker, 1 for their agent)\n' +
        '  Guide works on 1 of at most 1; 2 wait for it\n  Echo is paused; 1 waits for it\n',
    );
    expect((await host.kennel('task', 'show', '2')).out).toContain('\n\nCleaned.\n');
    expect(await host.kennel('task', 'show', '77')).toMatchObject({
      code: 2,
      err: 'kennel: There is no task 77.\n',
    });
  });
  it('prints a stable JSON shape for each command and for errors', async () => {
    const list = await host.kennel('task', 'list', '--json');
    expect(JSON.parse(list.out)).toMatchObject({
      tasks: [{ id: 3 }, { id: 2 }, { id: 1 }],
      counts,
      hasMore: false,
    });
    expect(JSON.parse((await host.kennel('task', 'status', '--json')).out)).toEqual({ counts, cancelled: 1 });
    expect(JSON.parse((await host.kennel('task', 'pause', '1', '--json')).out)).toMatchObject({
      task: { id: 1 },
    });
    const refused = await host.kennel('task', 'retry', '2', '--json');
    expect([refused.code, JSON.parse(refused.err)]).toMatchObject([2, { error: { code: 'conflict' } }]);
  });
  it('reports that a pause takes effect after the current step', async () => {
    expect((await host.kennel('task', 'pause', '1')).out).toContain('pausing after this step');
  });
  it('forks, settles, changes and runs tasks and sets workers', async () => {
    await host.kennel('task', 'fork', '2', '--after', '3');
    await host.kennel('task', 'settle', '2', '4', 'no');
    await host.kennel('task', 'change', '2', '--priority', '-3', '--due', 'none');
    await host.kennel('task', 'run', '--task', '2');
    await host.kennel('workers', '--set', 'auto', '--agent', 'guide', '--concurrency', '2');
    expect(host.asked).toEqual([
      { method: 'tasks.fork', input: { task: 2, after: 3 } },
      { method: 'tasks.settle', input: { task: 2, step: 4, happened: 'no' } },
      { method: 'tasks.amend', input: { task: 2, priority: -3, dueAt: null } },
      { method: 'tasks.run', input: { task: 2 } },
      { method: 'tasks.setWorkers', input: { workers: null } },
      { method: 'tasks.setWorkers', input: { agent: { agent: 'guide', concurrency: 2 } } },
      { method: 'tasks.workers', input: {} },
    ]);
  });
  it('shows each step in full, across pages', async () => {
    const { out } = await host.kennel('task', 'logs', '1');
    expect(out).toContain(
      'Execution log:\n\n[Step 1] 2026-01-15T03:20:25Z\n  Action: bash_exec\n  Result: the whole of 1',
    );
    expect(out).toContain('[Step 2]');
  });
  it('rejects invalid arguments before it calls the host', async () => {
    const wrong: readonly (readonly string[])[] = [
      ['task', 'show', 'x'],
      ['task', 'add', ' '],
      ['task', 'add', 'x', '--due', 'soon'],
      ['task', 'add', 'x', '--due', '2001-01-01'],
      ['task', 'add', 'x', '--priority', '1.5'],
      ['task', 'add', 'x', '--budget-usd', '0'],
      ['task', 'settle', '1', '2', 'maybe'],
      ['task', 'run', '--wait'],
      ['task', 'list', '--status', 'lost'],
      ['task', 'change', '1'],
      ['workers', '--set', '65'],
    ];
    const said = await Promise.all(wrong.map((words) => host.kennel(...words)));
    expect(said.map(({ code, err: text }) => [code, text.startsWith('kennel: ')])).toEqual(
      wrong.map(() => [2, true]),
    );
    expect(host.asked).toEqual([]);
  }, 60_000);
});

describe('kennel task and schedule, unknown command', () => {
  it('is rejected with the list of commands, without calling the host', async () => {
    expect(await host.kennel('task', 'shw', '1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"kennel task" has no command "shw". Did you mean show?'),
    });
    expect(await host.kennel('task', 'list', 'guide')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"kennel task list" takes no arguments, but got: guide.'),
    });
    expect((await host.kennel('schedule', 'shwo', 'x', '--json')).err).toContain('no command');
    expect(host.asked).toEqual([]);
  }, 60_000);
});

describe('kennel task list --status', () => {
  it('distinguishes cancelled from failed tasks', async () => {
    await host.kennel('task', 'list', '--status', 'cancelled');
    await host.kennel('task', 'list', '--status', 'error');
    const lists = host.asked.filter(({ method }) => method === 'tasks.list');
    expect(lists.map(({ input }) => input)).toEqual([
      { status: 'error', cancelled: true, limit: 100 },
      { status: 'error', cancelled: false, limit: 100 },
    ]);
  }, 60_000);
});

describe('kennel task import', () => {
  it('imports the file, and leaves a rejected file unchanged', async () => {
    const file = path.join(host.home, 'tasks.json');
    writeFileSync(file, '{"tasks":{},"next_id":1}');
    expect((await host.kennel('task', 'import', file)).out).toBe(
      'Imported 2 tasks: 4, 5.\n1 was here already.\n',
    );
    writeFileSync(file, 'not json');
    const refused = await host.kennel('task', 'import', file);
    expect(refused).toMatchObject({ code: 1, out: '', err: 'kennel: It is not whole JSON.\n' });
    expect(readFileSync(file, 'utf8')).toBe('not json');
  });
});

describe('kennel task stream and add --wait', () => {
  const living = (end: Partial<TaskSummary>) => (sink: FeedSink) => {
    const begun = taskView({ status: 'running', steps: 1 });
    sink({ type: 'snapshot', revision: 1, state: { task: begun, steps: { 1: stepView(1) } } });
    sink({
      type: 'patch',
      revision: 2,
      ops: [{ op: 'set', path: ['steps', '1'], value: stepView(1, { endedAt: 5, result: 'swept' }) }],
    });
    sink({ type: 'patch', revision: 3, ops: [{ op: 'set', path: ['task'], value: { ...begun, ...end } }] });
  };
  it('follows a task to its end and exits with its result', async () => {
    follow = living({ status: 'done', result: 'All clean.' });
    const done = await host.kennel('task', 'stream', '1');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toMatch(/^Task 1: Sweep\nStatus: running\nSteps: 1\n\nExecution log:\n\n\[Step 1\] /);
    expect(done.out).toContain('Action: bash_exec\n  Result: swept\n\nStatus: done\n\nAll clean.\n');
    follow = living({ status: 'error', failure: { kind: 'failed', message: 'No broom.' } });
    const failed = await host.kennel('task', 'stream', '1');
    expect([failed.code, failed.out.includes('Status: error. No broom.')]).toEqual([1, true]);
  });
  it('prints one JSON line per change', async () => {
    follow = living({ status: 'done' });
    const { out } = await host.kennel('task', 'stream', '1', '--json');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type, task, step }) => [type, task?.status ?? step.endedAt])).toEqual([
      ['task', 'running'],
      ['step', null],
      ['step', 5],
      ['task', 'done'],
    ]);
  });
  it('reports what is kept when the host stops, and an unknown task', async () => {
    follow = (sink) => {
      sink({ type: 'snapshot', revision: 1, state: { task: taskView(), steps: {} } });
      sink({ type: 'end', reason: 'the host is stopping' });
    };
    const lost = await host.kennel('task', 'stream', '1');
    expect([lost.code, lost.err.includes('it continues at the next start')]).toEqual([1, true]);
    follow = (sink) => sink({ type: 'snapshot', revision: 1, state: { task: null, steps: {} } });
    expect(await host.kennel('task', 'stream', '8')).toMatchObject({
      code: 2,
      err: 'kennel: There is no task 8.\n',
    });
  });
  it('waits for a task and prints only its result to stdout', async () => {
    tasks = [taskView({ status: 'done', result: 'All clean.' })];
    follow = living({ status: 'done', result: 'All clean.' });
    const said = await host.kennel('task', 'add', 'Sweep', '--wait', '30');
    expect(said).toMatchObject({ code: 0, out: 'All clean.\n' });
    follow = (sink) => sink({ type: 'snapshot', revision: 1, state: { task: taskView(), steps: {} } });
    const late = await host.kennel('task', 'add', 'Sweep', '--wait', '0.2');
    expect([late.code, late.err.includes('it is still running')]).toEqual([1, true]);
  });
});
