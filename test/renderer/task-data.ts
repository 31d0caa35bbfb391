/** Sample tasks: one of each kind, with steps. */
import type { MethodOutput } from '../../src/contract/methods.ts';
import type { TaskStepView, TaskSummary, TaskWorkers } from '../../src/contract/task-methods.ts';
import { now } from './fake-data.ts';

const minute = 60_000;
const hour = 60 * minute;

export const task = (id: number, change: Partial<TaskSummary> = {}): TaskSummary => ({
  id,
  goal: 'Create a backup script',
  status: 'pending',
  agentId: 'guide',
  agentName: 'Guide',
  runnerId: null,
  runnerName: '',
  project: null,
  priority: 0,
  dueAt: null,
  parent: null,
  forkedAt: null,
  via: 'ui',
  roomId: null,
  rootId: null,
  budget: { steps: 100, tokens: null, usd: null },
  used: { tokens: 0, usd: 0, simulatedUsd: 0, unpriced: 0 },
  steps: 0,
  asked: null,
  waitingFor: null,
  result: null,
  failure: null,
  createdAt: now - 2 * hour + id * minute,
  updatedAt: now - hour + id * minute,
  archivedAt: null,
  worktree: null,
  ...change,
});

const run = { runnerId: 'guide', runnerName: 'Guide' };

/** One task in each state, and a queue behind Guide. */
export const tasks = (): readonly TaskSummary[] => [
  task(1, {
    ...run,
    status: 'done',
    goal: 'Read the wiki and write a summary of what changed this week',
    project: 'wiki',
    steps: 6,
    used: { tokens: 12_400, usd: 0.08, simulatedUsd: 0, unpriced: 0 },
    result: 'Three pages changed:\n\n- **Onboarding**: new first day\n- Release notes for 2.1\n- Who is who',
    updatedAt: now - 3 * hour,
  }),
  task(2, {
    ...run,
    status: 'error',
    goal: 'Translate the handbook',
    steps: 9,
    budget: { steps: null, tokens: 20_000, usd: null },
    used: { tokens: 20_120, usd: 0.31, simulatedUsd: 0, unpriced: 0 },
    failure: { kind: 'budget', message: 'It used 20,120 of 20,000 tokens.' },
    updatedAt: now - 40 * minute,
  }),
  task(3, {
    ...run,
    status: 'running',
    goal: 'Tidy the notes of the last meeting\nPut each decision into its own line.',
    project: 'wiki',
    steps: 4,
    budget: { steps: 40, tokens: 50_000, usd: 1 },
    used: { tokens: 43_000, usd: 0.12, simulatedUsd: 0, unpriced: 0 },
    roomId: 'ch_general',
    rootId: 'msg_q2',
    via: 'chat',
    updatedAt: now - 20_000,
  }),
  task(4, {
    status: 'waiting',
    goal: 'Delete the old build folders',
    agentId: 'scribe',
    agentName: 'Scribe',
    runnerId: 'scribe',
    runnerName: 'Scribe',
    project: 'release',
    steps: 2,
    waitingFor: { kind: 'approval', approvalId: 'ap_task' },
    updatedAt: now - 4 * minute,
  }),
  task(5, {
    status: 'waiting',
    goal: 'Send the invitation for Thursday',
    agentId: 'scribe',
    agentName: 'Scribe',
    runnerId: 'scribe',
    runnerName: 'Scribe',
    steps: 3,
    waitingFor: { kind: 'unknown-step', step: 3 },
    updatedAt: now - 6 * minute,
  }),
  task(6, { ...run, status: 'paused', goal: 'Sort the pictures by year', steps: 12, parent: 1, forkedAt: 2 }),
  task(7, { goal: 'Check every link in the wiki', priority: 10, project: 'wiki' }),
  task(8, { goal: 'Write the minutes', agentId: null, agentName: '' }),
  task(9, { goal: 'Ask Checker to read the minutes', dueAt: now + 3 * hour, via: 'schedule' }),
];

export const step = (number: number, change: Partial<TaskStepView> = {}): TaskStepView => ({
  number,
  kind: number % 2 === 1 ? 'decision' : 'action',
  action: number % 2 === 1 ? 'look at the notes' : `read_file notes/${number}.md`,
  startedAt: now - 10 * minute + number * 8_000,
  endedAt: now - 10 * minute + number * 8_000 + 2_400,
  result: number % 2 === 1 ? 'I read the next note.' : '# Note\n\nDecided: tea on Thursdays.',
  error: null,
  cut: false,
  ...change,
});

/** Steps of task 3; the last one is running. */
export const steps = (): readonly TaskStepView[] => [
  step(1),
  step(2, { cut: true }),
  step(3, { result: null, error: 'The model did not answer. It was asked again.' }),
  step(4, { endedAt: null, result: null, action: 'write_file notes/decisions.md' }),
];

export const workers = (change: Partial<TaskWorkers> = {}): TaskWorkers => ({
  workers: [
    { worker: 0, task: 3, runnerName: 'Guide' },
    { worker: 1, task: null, runnerName: '' },
  ],
  running: 1,
  ready: 2,
  forWorker: 0,
  forAgent: 1,
  freeAgents: 0,
  lanes: [
    { agentId: 'guide', agentName: 'Guide', life: 'running', running: 1, places: 1, ready: 1 },
    { agentId: 'coder', agentName: 'Coder', life: 'paused', running: 0, places: 0, ready: 1 },
  ],
  ...change,
});

const day = (before: number): string => new Date(now - before * 24 * hour).toISOString().slice(0, 10);

/** A month with two quiet weekends, and waits of every length. */
export const stats = (): MethodOutput<'tasks.stats'> => ({
  days: Array.from({ length: 30 }, (_, index) => {
    const done = index % 10 > 7 ? 0 : (index * 7) % 5;
    return { day: day(29 - index), added: done + 1, done, error: index % 11 === 3 ? 1 : 0 };
  }),
  waits: [20_000, 45_000, 90_000, 4 * minute, 8 * minute, 25 * minute, 50 * minute, 3 * hour].map((ms) => ({
    at: now - hour,
    ms,
    kind: 'tool',
    agentName: 'Guide',
  })),
});
