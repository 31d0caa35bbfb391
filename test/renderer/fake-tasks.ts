/** The tasks and schedules of the paper host, all in memory. */
import type { SchedulesView } from '../../src/contract/schedule-methods.ts';
import type { TaskCounts, TasksView, TaskWorkers } from '../../src/contract/task-methods.ts';
import type { FakeFeed } from './fake-feed.ts';

const noCounts: TaskCounts = { pending: 0, running: 0, waiting: 0, paused: 0, done: 0, error: 0 };
const idle: TaskWorkers = {
  workers: [0, 1].map((worker) => ({ worker, task: null, runnerName: '' })),
  running: 0,
  ready: 0,
  forWorker: 0,
  forAgent: 0,
};

export class FakeTasks {
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    this.feed.put('tasks', { tasks: {}, counts: noCounts, workers: idle } satisfies TasksView);
    this.feed.put('schedules', { schedules: {} } satisfies SchedulesView);
  }
}
