import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSampleJournal, sampleRun } from '../../../test/fakes/workflow-samples.ts';
import type { RunEvent } from '../../core/workflows/engine/events.ts';
import { openDatabase } from './binding.ts';
import type { WorkflowJournal } from './workflow-journal.ts';
import { pastSql } from './workflow-past.ts';

let folder: string;
let journal: WorkflowJournal;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-past-'));
  journal = openSampleJournal(path.join(folder, 'workflows.db'), null);
});
afterEach(() => {
  journal.release();
  rmSync(folder, { recursive: true, force: true });
});

const idsOf = (query: Parameters<WorkflowJournal['past']>[0]) => journal.past(query).map(({ id }) => id);

function add(id: string, status: 'ok' | 'failed'): void {
  journal.create(sampleRun(id));
  const end = { type: 'run_finished', status, message: null, output: null } as const;
  journal.append({ run: id, at: 9, afterSeq: 1, events: [end], status });
}

it('Past runs are paged newest first, and filtered by status and id prefix', () => {
  for (let n = 0; n < 7; n += 1) add(`a${n}`, n % 2 === 0 ? 'ok' : 'failed');
  expect(idsOf({ limit: 3 })).toEqual(['a6', 'a5', 'a4']);
  expect(idsOf({ limit: 3, before: 'a4' })).toEqual(['a3', 'a2', 'a1']);
  expect(idsOf({ limit: 9, before: 'a4', status: 'failed' })).toEqual(['a3', 'a1']);
  expect(idsOf({ limit: 9, begins: 'a3' })).toEqual(['a3']);
  expect(idsOf({ limit: 9, before: 'nobody' })).toEqual([]);
});

it('Archived runs leave the list, survive a restart, keep their history, and leave the archive if they are retried', () => {
  for (const id of ['a0', 'a1', 'a2']) add(id, 'failed');
  journal.create(sampleRun('a3'));
  const { archive, events } = journal;
  const history = events('a1', 0);
  expect(archive(['a0', 'a1'], true, 50).ok).toBe(true);
  expect(archive(['a2', 'a3'], true, 60)).toMatchObject({ error: { code: 'conflict' } });
  expect(archive(['a2', 'nobody'], true, 60)).toMatchObject({ error: { code: 'not_found' } });
  journal.release();
  expect(idsOf({ limit: 9, archived: false })).toEqual(['a3', 'a2']);
  expect(idsOf({ limit: 9, archived: true })).toEqual(['a1', 'a0']);
  expect(idsOf({ limit: 9 })).toHaveLength(4);
  expect([journal.events('a1', 0), journal.brokenAt('a1')]).toEqual([history, null]);
  expect([journal.endedBefore(9), journal.endedBefore(10)]).toEqual([[], ['a2']]);
  const again = { type: 'run_retried', by: 'you' } as unknown as RunEvent;
  expect(journal.append({ run: 'a1', at: 70, afterSeq: 2, events: [again], status: 'running' }).ok).toBe(
    true,
  );
  journal.archive(['a0'], false, 80);
  expect(idsOf({ limit: 9, archived: true })).toEqual([]);
});

it('A page of past runs is read in key order or by an index search', () => {
  journal.release();
  const db = openDatabase(path.join(folder, 'workflows.db'));
  for (const query of [{}, { before: 'a' }, { begins: 'a' }, { status: 'ok' as const }]) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${pastSql(query)}`).all({ ...query, beyond: 'b', limit: 1 });
    const steps = plan.map((row) => String(row.detail));
    const reads = 'begins' in query || 'before' in query || 'status' in query ? /^SEARCH/ : /^SCAN r$/;
    expect({ query, first: steps[0] }).toEqual({ query, first: expect.stringMatching(reads) });
  }
  db.close();
});
