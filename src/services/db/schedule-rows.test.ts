import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must, openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { ok } from '../../contract/result.ts';
import { newFileState } from '../../core/tasks/file-trigger.ts';
import { newResourceState } from '../../core/tasks/resource-trigger.ts';
import type { NextRun } from '../../core/tasks/schedule.ts';
import { startSchedule } from '../../core/tasks/schedule.ts';
import { handedOver, lookAtSchedule, runMissedNow, type ScheduleRow } from '../../core/tasks/schedule-row.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';

const hour = 3_600_000;
const hourly: NextRun = (_, after) => ok((Math.floor(after / hour) + 1) * hour);
const when = { kind: 'cron', expression: '0 * * * *', timeZone: 'Europe/Berlin' } as const;
const row = (more: Partial<ScheduleRow> = {}): ScheduleRow => ({
  id: 's1',
  name: 'Sweep',
  enabled: true,
  when,
  catchUp: 'show',
  owed: [],
  createdAt: 0,
  files: newFileState,
  resource: newResourceState,
  lastRun: null,
  fault: '',
  starts: {
    kind: 'task',
    goal: 'Sweep',
    agent: 'guide',
    project: null,
    priority: 2,
    threadKey: 't1',
    budget: { steps: 5, tokens: null, usd: null },
  },
  state: must(startSchedule(when, 0, hourly)),
  ...more,
});

let folder: string;
let store: TaskStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-schedules-'));
  store = openSampleTasks(path.join(folder, 'tasks.db'));
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

describe('Stored schedules', () => {
  it('create one task per due time, also if a check is repeated after a crash (F1, F23)', () => {
    store.schedules.keep(row(), null);
    expect([store.schedules.due(hour - 1), store.schedules.next()]).toEqual([[], hour]);
    const [due] = store.schedules.due(hour);
    const look = must(lookAtSchedule(due ?? row(), hour, hourly));
    expect(store.schedules.keep(look.row, look.task)).toMatchObject({
      isNew: true,
      task: { goal: 'Sweep', agent: 'guide', priority: 2, origin: { via: 'schedule', threadKey: 't1' } },
    });
    expect(store.schedules.keep(look.row, look.task)?.isNew).toBe(false);
    expect(store.schedules.due(hour)).toEqual([]);
    expect(store.counts().pending).toBe(1);
  });
  it('keep a due workflow run until it has been handed over', () => {
    const workflow = row({ starts: { kind: 'workflow', file: 'tidy.puppy', args: { deep: true } } });
    const look = must(lookAtSchedule(workflow, hour, hourly));
    expect(look.task).toBeNull();
    store.schedules.keep(look.row, look.task);
    store.release();
    const kept = store.schedules.row('s1');
    expect(kept?.owed).toEqual([{ key: `schedule:s1:${hour}`, at: hour, path: null, change: null }]);
    expect(handedOver(kept ?? workflow, `schedule:s1:${hour}`).owed).toEqual([]);
  });
  it('run a missed time on request, once', () => {
    const late = must(lookAtSchedule(row(), 3 * hour + 200_000, hourly)).row;
    expect(late.state.missed).toEqual([hour, 2 * hour, 3 * hour]);
    const look = must(runMissedNow(late, 2 * hour, 4 * hour));
    expect(look.task?.key).toBe(`schedule:s1:${2 * hour}`);
    expect(runMissedNow(look.row, 2 * hour, 4 * hour)).toMatchObject({ error: { code: 'conflict' } });
  });
  it('create no task and record no missed time while disabled', () => {
    const look = must(lookAtSchedule(row({ enabled: false, catchUp: 'latest' }), 9 * hour, hourly));
    expect(look.task).toBeNull();
    expect(look.row.state).toMatchObject({ missed: [], missedCount: 0, next: 10 * hour });
  });
  it('are listed and removed', () => {
    store.schedules.keep(row({ id: 'b' }), null);
    store.schedules.keep(row({ id: 'a' }), null);
    expect(store.schedules.all().map(({ id }) => id)).toEqual(['a', 'b']);
    expect([store.schedules.remove('a'), store.schedules.remove('a')]).toEqual([true, false]);
  });
});
