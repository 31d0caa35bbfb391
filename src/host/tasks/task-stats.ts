import { setImmediate as breathe } from 'node:timers/promises';
import type { MethodOutput } from '../../contract/methods.ts';
import type { Clock } from '../../core/ports.ts';
import type { TaskStore, TaskTimes } from '../../core/tasks/task-ports.ts';
import { decidedApprovals, type PastApprovals } from '../approvals/past-approvals.ts';
import { dayOf, lastDays } from '../usage/days.ts';

type Stats = MethodOutput<'tasks.stats'>;
const mostWaits = 500;
/** Task ids examined per turn of the event loop. */
const span = 5_000;

/** Only answered questions; expired and withdrawn ones were not waited for to the end. */
function waitsOf(approvals: PastApprovals): Stats['waits'] {
  return decidedApprovals(approvals, mostWaits).flatMap(({ state, decision, createdAt, kind, agentName }) =>
    decision && (state === 'allowed' || state === 'denied')
      ? [{ at: decision.at, ms: Math.max(0, decision.at - createdAt), kind, agentName }]
      : [],
  );
}

async function* timesOf(store: TaskStore, since: number): AsyncGenerator<TaskTimes> {
  const newest = store.list({ limit: 1 })[0]?.id ?? 0;
  for (let from = 1; from <= newest; from += span) {
    yield* store.times(since, { from, to: from + span });
    await breathe();
  }
}

export interface TaskStatsDeps {
  readonly approvals: PastApprovals;
  readonly clock: Pick<Clock, 'now'>;
}

export async function taskStats(
  { approvals, clock }: TaskStatsDeps,
  store: TaskStore | null,
  days: number,
): Promise<Stats> {
  const now = clock.now();
  const names = lastDays(now, days);
  const rows = new Map(names.map((day) => [day, { day, added: 0, done: 0, error: 0 }]));
  // One extra day, because days start at local midnight and the clocks may change.
  const since = now - (days + 1) * 86_400_000;
  for await (const { createdAt, endedAt, status, cancelled } of store ? timesOf(store, since) : []) {
    const added = rows.get(dayOf(createdAt));
    if (added) added.added += 1;
    const ended = endedAt === null ? undefined : rows.get(dayOf(endedAt));
    if (ended && !cancelled && (status === 'done' || status === 'error')) ended[status] += 1;
  }
  return { days: [...rows.values()], waits: waitsOf(approvals) };
}
