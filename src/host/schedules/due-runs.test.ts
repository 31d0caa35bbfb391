import { beforeEach, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ScheduleRow } from '../../core/tasks/schedule-row.ts';
import { OwedRuns } from './due-runs.ts';

const away = err(appError('unavailable', 'Workflows are not there yet.'));

let rows: Map<string, ScheduleRow>;
let answers: Map<string, Result<unknown>>;
let handed: string[];
beforeEach(() => {
  rows = new Map();
  answers = new Map();
  handed = [];
});

/** A schedule with due runs of these keys. */
function owing(id: string, ...keys: string[]): ScheduleRow {
  const starts = { kind: 'workflow', file: `${id}.puppy`, args: {} } as const;
  const row = { id, starts, owed: keys.map((key) => ({ key, at: 1, path: null })) } as unknown as ScheduleRow;
  rows.set(id, row);
  return row;
}

function rig(beforeDone: () => void = () => undefined) {
  const faults: string[] = [];
  const owed = new OwedRuns({
    log: createRecordingLog(),
    handOver: async ({ key }) => {
      handed.push(key);
      return answers.get(key) ?? ok({});
    },
    row: (id) => rows.get(id) ?? null,
    onLeft: () => undefined,
    done: (id, key, fault) => {
      beforeDone();
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, owed: row.owed.filter((run) => run.key !== key) });
      if (fault !== '') faults.push(fault);
    },
  });
  return { owed, faults };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('a run that nobody takes still waits after one of another schedule was taken (F1)', async () => {
  const { owed } = rig();
  answers.set('a1', away);
  owed.offer(owing('a', 'a1'));
  await settle();
  owed.offer(owing('b', 'b1'));
  await settle();
  expect(handed).toEqual(['a1', 'b1']);
  expect(owed.waiting()).toBe(true);
  answers.clear();
  owed.offer(rows.get('a') as ScheduleRow);
  await settle();
  expect(handed).toEqual(['a1', 'b1', 'a1']);
  expect(owed.waiting()).toBe(false);
});

it('the runs of one schedule keep their order while the first of them waits', async () => {
  const { owed } = rig();
  answers.set('a1', away);
  owed.offer(owing('a', 'a1', 'a2'));
  await settle();
  expect(handed).toEqual(['a1']);
  answers.clear();
  owed.offer(rows.get('a') as ScheduleRow);
  await settle();
  expect(handed).toEqual(['a1', 'a1', 'a2']);
});

it('a row that cannot be written is left for the next look, and a schedule that is gone is waited for no more (F4)', async () => {
  const { owed } = rig(() => {
    throw new Error('the disk is full');
  });
  owed.offer(owing('a', 'a1'));
  await settle();
  expect(handed).toEqual(['a1']);
  expect(owed.waiting()).toBe(true);
  rows.delete('a');
  expect(owed.waiting()).toBe(false);
});

it('a run that waiting does not help is told as a fault, and the next one goes on', async () => {
  const { owed, faults } = rig();
  answers.set('a1', err(appError('not_found', 'It is gone.')));
  owed.offer(owing('a', 'a1', 'a2'));
  await settle();
  expect(handed).toEqual(['a1', 'a2']);
  expect(faults).toEqual(['The workflow a.puppy did not start: It is gone.']);
  expect(owed.waiting()).toBe(false);
});
