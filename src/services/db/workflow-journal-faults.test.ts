import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../test/fakes/memory-journal.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import {
  journalKey,
  openSampleJournal,
  sampleGate,
  sampleRun,
} from '../../../test/fakes/workflow-samples.ts';
import { hashText } from '../../core/workflows/engine/events.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { type Database, openDatabase } from './binding.ts';
import {
  dueSql,
  gateByShortSql,
  gateByTokenSql,
  openGatesOfSql,
  openWorkflowJournal,
  type WorkflowJournal,
} from './workflow-journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-journal-'));
  file = path.join(folder, 'state', 'workflows.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const skipped = (journal: WorkflowJournal, run: string, count: number): void => {
  for (let n = 0; n < count; n += 1) {
    journal.append({ run, at: n, afterSeq: n + 1, events: [{ type: 'step_skipped', path: `s${n}` }] });
  }
};
const edit = (work: (db: Database) => void): void => {
  const db = openDatabase(file);
  work(db);
  db.close();
};
const refusalOf = (key: Uint8Array | null) => {
  const opened = openWorkflowJournal({
    path: file,
    key,
    clock: createSystemClock(),
    log: createRecordingLog(),
  });
  if (opened.ok) opened.value.release();
  return opened.ok ? null : opened.error;
};

describe('Workflow journal file', () => {
  it('is readable only by its owner, with and without a key (T19)', () => {
    const old = process.umask(0);
    const journal = openSampleJournal(file, null);
    process.umask(old);
    journal.create(sampleRun('one'));
    const modes = readdirSync(path.dirname(file)).map((name) => [
      name,
      statSync(path.join(folder, 'state', name)).mode & 0o777,
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      'workflows.db': 0o600,
      'workflows.db-shm': 0o600,
      'workflows.db-wal': 0o600,
    });
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    journal.release();
    rmSync(path.dirname(file), { recursive: true });
    const sealed = openSampleJournal(file, journalKey);
    sealed.create(sampleRun('a name to look for'));
    sealed.release();
    expect(readFileSync(file).includes('a name to look for')).toBe(false);
  });

  it('is refused and left unchanged if of a newer version (F24)', () => {
    openSampleJournal(file, null).release();
    edit((db) => db.pragma('user_version = 99'));
    const before = readFileSync(file);
    expect(refusalOf(null)?.code).toBe('unsupported');
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('is not taken for damaged if it is encrypted and no key is given (F19)', () => {
    const sealed = openSampleJournal(file, journalKey);
    sealed.create(sampleRun('one'));
    sealed.release();
    expect(refusalOf(null)).toMatchObject({ code: 'corrupt', where: file });
    expect(readdirSync(path.dirname(file))).toEqual(['workflows.db']);
    expect(openSampleJournal(file, journalKey).run('one')?.id).toBe('one');
  });

  it('returns an error, without an exception, if its folder cannot be created (F6)', () => {
    writeFileSync(path.join(folder, 'state'), 'a file');
    expect(refusalOf(null)?.code).toBe('io_error');
  });
});

describe('Damaged workflow journal', () => {
  /** Fills many pages, then overwrites some in the middle of the file. */
  function damage(): void {
    const journal = openSampleJournal(file, null);
    for (let n = 0; n < 60; n += 1) {
      journal.create(sampleRun(`run-${n}`));
      journal.append({
        run: `run-${n}`,
        at: 1,
        afterSeq: 1,
        events: [],
        gates: [{ type: 'open', row: sampleGate(`run-${n}`, `g${n}`) }],
      });
      skipped(journal, `run-${n}`, 20);
    }
    journal.readInWords();
    journal.release();
    const bytes = readFileSync(file);
    const page = 4096;
    const middle = Math.floor(bytes.length / page / 2);
    for (const at of [middle, middle + 1, middle + 2]) bytes.fill(0xa5, at * page, (at + 1) * page);
    writeFileSync(file, bytes);
  }

  it('is moved aside whole; runs that lost events fail, all others continue (F19, T28)', () => {
    damage();
    const damagedBytes = readFileSync(file);
    const told: string[] = [];
    const journal = openSampleJournal(file, null, { onQuarantine: (movedTo) => told.push(movedTo) });
    const all = () => journal.runs({ limit: 100 });
    // A read that meets the damage reports it.
    for (const { id } of all()) journal.events(id, 0);
    expect(told).toHaveLength(1);
    expect(readFileSync(told[0] ?? '')).toEqual(damagedBytes);
    const lost = all().filter(({ id }) => journal.brokenAt(id) !== null);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(all().length);
    for (const { id, status } of lost) {
      expect(status).toBe('failed');
      expect(journal.claim(id, null, 'me')).toBe(false);
      expect(journal.append({ run: id, at: 9, afterSeq: 0, events: [] })).toMatchObject({
        error: { code: 'corrupt' },
      });
      expect(journal.openGates(id)).toEqual([]);
    }
    const whole = all().filter(({ id }) => journal.brokenAt(id) === null);
    expect(journal.due(10).map(({ id }) => id)).toEqual(whole.map(({ id }) => id).toReversed());
    for (const { id } of whole) expect(journal.events(id, 0)).toHaveLength(21);
    // The search index is rebuilt.
    journal.readInWords();
    expect(journal.found({ text: 'run-', limit: 100 }).rows).toEqual(all());
  });

  it('is replaced for every open connection, and new writes go to the new file (F19)', () => {
    damage();
    const still = openSampleJournal(file, null);
    expect(still.claim('run-58', null, 'still here')).toBe(true);
    const told: string[] = [];
    const first = openSampleJournal(file, null, { onQuarantine: (movedTo) => told.push(movedTo) });
    for (const { id } of first.runs({ limit: 100 })) first.events(id, 0);
    const aside = readFileSync(told[0] ?? '');
    still.create(sampleRun('later'));
    expect(first.run('later')?.id).toBe('later');
    expect(readFileSync(told[0] ?? '')).toEqual(aside);
    first.release();
    still.release();
  });

  it('reports a row that was changed, deleted or cut from the end (T28)', () => {
    const changes: Readonly<Record<string, number>> = {
      "UPDATE events SET event = replace(event, 's3', 's4') WHERE seq = 5": 6,
      'UPDATE events SET at = at + 1 WHERE seq = 3': 4,
      'DELETE FROM events WHERE seq = 4': 4,
      'DELETE FROM events WHERE seq > 6': 7,
      'UPDATE runs SET seq = 6': 12,
    };
    for (const [sql, seq] of Object.entries(changes)) {
      rmSync(path.dirname(file), { recursive: true, force: true });
      const journal = openSampleJournal(file, null);
      journal.create(sampleRun('one'));
      skipped(journal, 'one', 10);
      expect(journal.brokenAt('one')).toBeNull();
      journal.release();
      edit((db) => db.exec(sql));
      expect({ sql, seq: journal.brokenAt('one') }).toEqual({ sql, seq });
      journal.release();
    }
  });

  it('reports a changed or missing output or definition, and deleted runs (T28)', () => {
    const text = JSON.stringify({ result: { stdout: 'large' }, parsed: false });
    const hash = hashText(sha256, text);
    const changes: Readonly<Record<string, number>> = {
      "UPDATE blobs SET text = replace(text, 'large', 'other')": 3,
      'DELETE FROM blobs': 3,
      "UPDATE definitions SET text = '{}'": 1,
      'DELETE FROM definitions': 1,
    };
    for (const [sql, seq] of Object.entries(changes)) {
      rmSync(path.dirname(file), { recursive: true, force: true });
      const journal = openSampleJournal(file, null);
      journal.create(sampleRun('one'));
      journal.create(sampleRun('two'));
      const ended = { type: 'step_ended', path: 'a', result: { blob: hash } } as const;
      const skip = { type: 'step_skipped', path: 'b' } as const;
      journal.append({
        run: 'one',
        at: 9,
        afterSeq: 1,
        events: [skip, ended, skip],
        blobs: [{ hash, text }],
      });
      expect([journal.brokenAt('one'), journal.missingRuns()]).toEqual([null, 0]);
      journal.release();
      edit((db) => db.exec(`${sql}; DELETE FROM runs WHERE id = 'two'`));
      expect({ sql, seq: journal.brokenAt('one') }).toEqual({ sql, seq });
      expect(journal.missingRuns()).toBe(1);
      journal.release();
    }
  });
});

describe('Shared workflow journal', () => {
  const script = path.resolve(import.meta.dirname, '../../../test/children/journal-writer.ts');

  it('can be created by several processes at once; each run has one owner and each gate one decision (F17)', async () => {
    mkdirSync(path.dirname(file), { mode: 0o700 });
    const count = 25;
    const children = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, [script, file, name, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const texts = children.map(() => '');
    const over = children.map(
      (child, index) =>
        new Promise<number | null>((resolve) => {
          child.stdout.setEncoding('utf8').on('data', (piece: string) => {
            texts[index] += piece;
          });
          child.on('close', resolve);
        }),
    );
    while (texts.some((text) => !text.includes('ready')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    for (const child of children) child.stdin.write('.');
    expect(await Promise.all(over)).toEqual([0, 0, 0]);
    const lines = texts.join('').split('\n');
    const of = (word: string): readonly string[] => lines.filter((line) => line.startsWith(`${word} `));
    expect(of('begun')).toHaveLength(3 * count);
    for (const word of ['claimed', 'opened', 'decided']) {
      expect(of(word).toSorted()).toEqual([...new Set(of(word))].toSorted());
      expect(of(word)).toHaveLength(count);
    }
    const journal = openSampleJournal(file, null);
    expect(journal.runs({ limit: 1_000 })).toHaveLength(4 * count);
    for (const { id } of journal.runs({ limit: 1_000 })) expect(journal.brokenAt(id)).toBeNull();
    journal.release();
    edit((db) => expect(db.pragma('integrity_check')).toBe('ok'));
  });
});

it('finds due runs, gates and tokens without a scan of runs or gates', () => {
  openSampleJournal(file, null).release();
  edit((db) => {
    const asked: readonly (readonly [string, number])[] = [
      [dueSql, 1],
      [gateByTokenSql, 1],
      [gateByShortSql, 1],
      [openGatesOfSql, 1],
      ['SELECT * FROM runs WHERE id = ?', 1],
      ['SELECT * FROM runs WHERE key = ?', 1],
      ["SELECT * FROM runs WHERE status = 'waiting' ORDER BY number DESC LIMIT ?", 1],
    ];
    for (const [sql, params] of asked) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Array.from({ length: params }, () => 1));
      const steps = plan.map((row) => String(row.detail));
      expect({ sql, scans: steps.filter((step) => /^SCAN (?!\(?subquery)/i.test(step)) }).toEqual({
        sql,
        scans: [],
      });
    }
  });
});
