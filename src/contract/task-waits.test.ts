import { expect, it } from 'vitest';
import type { TaskLane } from './task-methods.ts';
import { waitOf } from './task-waits.ts';

const now = 1_000;
const lane = (change: Partial<TaskLane>): TaskLane => ({
  agentId: 'guide',
  agentName: 'Guide',
  life: 'running',
  running: 0,
  places: 1,
  ready: 1,
  ...change,
});
const task = { status: 'pending', agentId: 'guide', runnerId: null, dueAt: null } as const;
const busy = [{ worker: 0, task: 3, runnerName: 'Bea' }];
const idle = [{ worker: 0, task: null, runnerName: '' }];

it.each([
  [
    'its time',
    { ...task, dueAt: now + 1 },
    idle,
    [lane({ life: 'paused' })],
    1,
    { type: 'time', at: now + 1 },
  ],
  ['an agent that is paused', task, busy, [lane({ life: 'paused' })], 1, { type: 'agent', life: 'paused' }],
  [
    'one that is gone',
    task,
    idle,
    [lane({ life: 'gone' })],
    1,
    { type: 'agent', name: 'Guide', life: 'gone' },
  ],
  ['an agent with its hands full', task, busy, [lane({ running: 1 })], 0, { type: 'place', name: 'Guide' }],
  ['a worker', { ...task, dueAt: now }, busy, [lane({})], 1, { type: 'worker' }],
  [
    'the one that began it',
    { ...task, agentId: null, runnerId: 'guide' },
    idle,
    [lane({ running: 1 })],
    1,
    { type: 'place' },
  ],
  ['any agent', { ...task, agentId: null }, idle, [lane({ running: 1 })], 0, { type: 'any-agent' }],
  ['a worker for any agent', { ...task, agentId: null }, busy, [], 1, { type: 'worker' }],
] as const)('A task waits for %s', (_, one, workers, lanes, freeAgents, expected) => {
  expect(waitOf(one, { workers: [...workers], lanes: [...lanes], freeAgents }, now)).toMatchObject(expected);
});

it('A task that can start now, or has started, waits for nothing', () => {
  const free = { workers: [...idle], lanes: [lane({})], freeAgents: 1 };
  expect(waitOf(task, free, now)).toBeNull();
  expect(waitOf({ ...task, agentId: null }, free, now)).toBeNull();
  const full = { workers: [...busy], lanes: [lane({ running: 1 })], freeAgents: 0 };
  for (const status of ['running', 'waiting', 'paused', 'done', 'error'] as const)
    expect(waitOf({ ...task, status }, full, now)).toBeNull();
});
