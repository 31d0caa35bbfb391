import type { FeedSink } from '../../contract/host-api.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { TaskSummary, TasksView, TaskView } from '../../contract/task-methods.ts';
import type { Clock } from '../../core/ports.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { differences, republish } from '../feed/publish-differences.ts';
import { createThrottle } from '../feed/throttle.ts';

/** State before the first task. */
export const noTasks: TasksView = {
  tasks: {},
  counts: { pending: 0, running: 0, waiting: 0, paused: 0, done: 0, error: 0 },
  cancelled: 0,
  workers: { workers: [], running: 0, ready: 0, forWorker: 0, forAgent: 0, freeAgents: 0, lanes: [] },
};

export interface TaskSource {
  overview(): TasksView;
  summary(task: number): TaskSummary | null;
  totals(): Pick<TasksView, 'counts' | 'cancelled' | 'workers'>;
  whole(task: number): TaskView;
}

/** Topics `tasks` and `task:<n>`, built only for subscribers. */
export interface TaskFeed {
  follow(sink: FeedSink): () => void;
  followTask(task: number, sink: FeedSink): () => void;
  /** Call it after a change of a task or its steps; `null` refreshes everything. */
  changed(task: number | null): void;
  stop(): void;
}

/** Batching delay of changes in ms. */
const gatherMs = 100;
const latest = 100;

const hasEnded = ({ status }: TaskSummary): boolean => status === 'done' || status === 'error';

/** Ended tasks to remove so that only the latest stay. */
function tooOld(tasks: TasksView['tasks']): readonly string[] {
  const ended = Object.entries(tasks).filter(([, task]) => hasEnded(task));
  if (ended.length <= latest) return [];
  return ended
    .sort(([, a], [, b]) => b.updatedAt - a.updatedAt || b.id - a.id)
    .slice(latest)
    .map(([name]) => name);
}

export function createTaskFeed(clock: Clock, source: () => TaskSource): TaskFeed {
  const all = createFeedTopic<TasksView>({ clock, initial: noTasks });
  const single = new Map<number, FeedTopic<TaskView>>();
  const dirty = new Set<number>();
  let everything = false;

  const tellAll = (from: TaskSource): void => {
    if (everything) {
      republish(all, from.overview(), 2);
      return;
    }
    const before = all.state();
    const ops: PatchOp[] = [];
    const next: Record<string, TaskSummary> = { ...before.tasks };
    for (const id of dirty) {
      const summary = from.summary(id);
      if (summary && summary.archivedAt === null) next[id] = summary;
      else delete next[id];
    }
    for (const name of tooOld(next)) delete next[name];
    ops.push(...differences(before.tasks, next, 2, ['tasks']));
    const { tasks: _tasks, ...shown } = before;
    ops.push(...differences(shown, from.totals(), 2));
    all.patch(ops);
  };
  const flush = (): void => {
    const from = source();
    if (all.subscribers() > 0) tellAll(from);
    for (const [id, topic] of single) {
      if (everything || dirty.has(id)) republish(topic, from.whole(id), 3);
    }
    dirty.clear();
    everything = false;
  };
  const soon = createThrottle(clock, gatherMs, flush);

  const topicOf = (task: number): FeedTopic<TaskView> => {
    const now = source().whole(task);
    const open = single.get(task);
    if (open) {
      republish(open, now, 3);
      return open;
    }
    const topic = createFeedTopic<TaskView>({ clock, initial: now, onIdle: () => single.delete(task) });
    single.set(task, topic);
    return topic;
  };

  return {
    followTask: (task, sink) => topicOf(task).subscribe(sink),
    follow(sink) {
      republish(all, source().overview(), 2);
      return all.subscribe(sink);
    },
    changed(task) {
      if (task === null) everything = true;
      else dirty.add(task);
      if (all.subscribers() > 0 || single.size > 0) soon.request();
      else {
        dirty.clear();
        everything = false;
      }
    },
    stop() {
      soon.cancel();
      all.end();
      for (const topic of single.values()) topic.end();
    },
  };
}
