import { beforeEach, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ScheduleRow } from '../../core/tasks/schedule-row.ts';
import { englishText } from '../../language/host-message.ts';
import { OwedRuns } from './due-runs.ts';

const away = err(textError('unavailable', 'Workflows are not there yet.'));

let rows: Map<string, ScheduleRow>;
let answers: Map<string, Result<{ readonly id?: string }>>;
let handed: string[];
beforeEach(() => {
  rows = new Map();
  answers = new Map();
  handed = [];
});

/** A schedule with due runs of these keys. */
function owing(id: string, ...keys: string[]): ScheduleRow {
  const starts = { kind: 'workflow', file: `${id}.puppy`, args: {} } as const;
  const row = {
    id,
    when: { kind: 'once', at: 1 },
    starts,
    owed: keys.map((key) => ({ key, at: 1, path: null, change: null })),
  } as unknown as ScheduleRow;
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
    done: (id, key, { fault }) => {
      beforeDone();
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, owed: row.owed.filter((run) => run.key !== key) });
      if (fault !== '') faults.push(englishText(fault));
    },
  });
  return { owed, faults };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('A due run that no service took stays queued while another schedule’s run is taken (F1)', async () => {
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

it('Due runs of one schedule keep their order while the first waits', async () => {
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

it('A due run stays queued if its row cannot be written, and is dropped with its schedule (F4)', async () => {
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

it('A due run with a permanent error is reported and the next run starts', async () => {
  const { owed, faults } = rig();
  answers.set('a1', err(textError('not_found', 'It is gone.')));
  owed.offer(owing('a', 'a1', 'a2'));
  await settle();
  expect(handed).toEqual(['a1', 'a2']);
  expect(faults).toEqual(['The workflow a.puppy did not start: It is gone.']);
  expect(owed.waiting()).toBe(false);
});
