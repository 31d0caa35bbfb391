import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../../test/fakes/memory-journal.ts';
import { journalKey, openSampleJournal, sampleRun } from '../../../test/fakes/workflow-samples.ts';
import { hashText } from '../../core/workflows/engine/events.ts';
import type { WordsQuery } from '../../core/workflows/views/run-history.ts';
import { openDatabase } from './binding.ts';
import type { WorkflowJournal } from './workflow-journal.ts';
import { workflowSchema } from './workflow-schema.ts';
import { foundSql } from './workflow-search-index.ts';

let folder: string;
let file: string;
let journal: WorkflowJournal;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-words-'));
  file = path.join(folder, 'workflows.db');
  journal = openSampleJournal(file, journalKey);
});
afterEach(() => {
  journal.release();
  rmSync(folder, { recursive: true, force: true });
});

interface Sample {
  readonly name?: string;
  readonly file?: string;
  readonly message?: string;
}

function add(id: string, { name, file: origin, message }: Sample): void {
  const { row, event } = sampleRun(id);
  const from = origin === undefined ? {} : { origin: { cwd: '/', file: origin } };
  const text = JSON.stringify({ name });
  const definition = hashText(sha256, text);
  journal.create({
    row: { ...row, definition },
    definitions: [{ hash: definition, text }],
    event: { ...event, definition, ...from } as never,
  });
  finish(id, message);
}

function finish(id: string, message: string | undefined): void {
  const status = message === undefined ? 'ok' : 'failed';
  const end = { type: 'run_finished', status, message: message ?? null, output: null } as const;
  const again = { type: 'failures_cleared', path: null } as const;
  journal.append({ run: id, at: 9, afterSeq: 0, events: [again, end], status });
}

/** Searches to the end, however many batches it takes. */
function search(text: string, more: Partial<WordsQuery> = {}): readonly string[] {
  while (journal.readInWords()) {
    // Continues with the next batch.
  }
  const ids: string[] = [];
  for (let below: number | undefined; ; ) {
    const piece = journal.found({ text: text.toLowerCase(), limit: 3, ...more, below });
    ids.push(...piece.rows.map(({ id }) => id));
    if (piece.below === null) return ids;
    below = piece.below;
  }
}

it('Search finds any part of a run’s name, file, id or last message, newest first, ignoring case', () => {
  add('one', { name: 'Weekly Review', file: '/home/Ann/week.puppy' });
  add('two', { message: 'Step \'pay "now"\' failed: Über 50% _' });
  add('three', { file: '/home/ann/week.puppy' });
  expect(search('LY RE')).toEqual(['one']);
  expect(search('ann/week')).toEqual(['three', 'one']);
  expect(search('pipeline')).toEqual(['two']);
  for (const text of ['über', 'PAY "NOW"', '50% _', '%', 'wo', 'step \'pay "now"\' failed: über 50% _'])
    expect(search(text), text).toEqual(['two']);
  expect(search('e')).toEqual(['three', 'two', 'one']);
  for (const text of ['nothing of it', 'q', 'reviews', '50%  _', 'step%failed'])
    expect(search(text), text).toEqual([]);
});

it('Search finds the same runs as a plain check of each run', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'Ä', '"', '*', ' ', '😀', '\0', '-'),
    maxLength: 7,
  });
  let runs = 0;
  const all: { readonly id: string; readonly held: string }[] = [];
  fc.assert(
    fc.property(word, word, (message, wanted) => {
      runs += 1;
      const id = `run ${runs}`;
      add(id, { file: '/x', message });
      all.unshift({ id, held: ['/x', '/x', id, message].join('\n').toLowerCase() });
      if (wanted === '') return;
      const fits = all.filter(({ held }) => held.includes(wanted.toLowerCase())).map((each) => each.id);
      // The index does not distinguish a zero from a space.
      if (!wanted.includes('\0') && !wanted.includes(' ')) expect(search(wanted)).toEqual(fits);
      else expect(search(wanted)).toEqual(expect.arrayContaining(fits));
    }),
    { numRuns: 150 },
  );
});

it('Search filters by status and continues after a given run', () => {
  for (let n = 0; n < 9; n += 1) add(`a${n}`, n % 2 === 0 ? {} : { message: 'no route' });
  expect(search('pipe', { status: 'failed' })).toEqual(['a7', 'a5', 'a3', 'a1']);
  expect(search('pipe', { status: 'failed', before: 'a5' })).toEqual(['a3', 'a1']);
  expect(search('a', { before: 'a2' })).toEqual(['a1', 'a0']);
  expect(search('a', { before: 'nobody' })).toEqual([]);
});

it('Search follows a retried run: it finds the new message and no longer the old one', () => {
  add('run', { message: 'no route to host' });
  add('other', {});
  expect(search('no route')).toEqual(['run']);
  finish('run', 'disk is full');
  expect(search('disk is full')).toEqual(['run']);
  expect(search('no route')).toEqual([]);
  finish('run', undefined);
  expect(search('disk is full')).toEqual([]);
  expect(search('run')).toEqual(['run']);
});

it('An older journal is indexed in slices, and its histories stay intact (F24)', () => {
  const amount = 250;
  for (let n = 0; n < amount; n += 1) add(`run ${n}`, { file: `/home/ann/f${n % 7}.puppy` });
  journal.release();
  const older = openDatabase(file, { key: journalKey });
  older.exec(`DROP TRIGGER runs_reworded; DROP TABLE word_groups; DROP TABLE words; DROP TABLE reworded;
    DROP INDEX runs_listed; DROP INDEX runs_archived; ALTER TABLE runs DROP COLUMN archived;
    ALTER TABLE runs DROP COLUMN worded; PRAGMA user_version = 1`);
  const columns = older
    .prepare("SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite%'")
    .all();
  older.close();
  expect(columns.map((row) => `${row.sql};`.replaceAll(/\s+/g, '')).sort()).toEqual(
    (workflowSchema[0] ?? '')
      .replaceAll(/\s+/g, '')
      .split(/(?<=;)/)
      .sort(),
  );

  const pieces: boolean[] = [];
  for (let more = true; more; pieces.push(more)) more = journal.readInWords();
  expect(pieces).toEqual([true, false]);
  expect(readdirSync(folder)).toContain('workflows.db.schema-1');
  expect(search('f3.puppy', { limit: 500 })).toHaveLength(36);
  for (let n = 0; n < amount; n += 50) expect(journal.brokenAt(`run ${n}`)).toBeNull();
});

it('Search reads no run that the trigram index rules out', () => {
  journal.release();
  const db = openDatabase(file, { key: journalKey });
  const params = { below: 9, from: 0, text: 'abc', limit: 1 };
  const stepsOf = (groups: string | null) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${foundSql({}, groups)}`)
      .all(groups === null ? params : { ...params, groups })
      .map((row) => String(row.detail));
  // M1: uses the trigram index; < and >: bounded to the batch; no step sorts.
  const byKey = ['w', 'r'].map((table) => `SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`);
  expect(stepsOf('"abc"')).toEqual(['SCAN g VIRTUAL TABLE INDEX 192:M1<>', ...byKey]);
  expect(stepsOf(null)).toEqual(['SEARCH w USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)', byKey[1]]);
  db.close();
});

it('One indexing call reads a limited amount of long text; repeated calls index all of it (T25)', () => {
  const before = 1 + 200;
  for (let n = 0; n < before; n += 1) add(`run_${n}`, { name: 'small' });
  for (let n = 0; n < 10; n += 1) add(`long_${n}`, { message: `${'x'.repeat(400_000)} ${n}` });
  let calls = 1;
  while (calls < 50 && journal.readInWords()) calls += 1;
  // The short runs take two calls, the long ones three.
  expect(calls).toBe(5);
  expect(search('x 9')).toEqual(['long_9']);
});
