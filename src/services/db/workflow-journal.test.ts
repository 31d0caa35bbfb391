import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryJournal, sha256 } from '../../../test/fakes/memory-journal.ts';
import {
  definitionHash,
  journalKey,
  openSampleJournal,
  sampleGate,
  sampleRun,
} from '../../../test/fakes/workflow-samples.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Journal, JournalWrite } from '../../core/workflows/engine/engine-ports.ts';
import { brokenAt, type RunEvent } from '../../core/workflows/engine/events.ts';

let folder: string;
eachTestInFolder('kennel-journal-', (made) => {
  folder = made;
});

const stores: Readonly<Record<string, () => Journal>> = {
  'in memory': createMemoryJournal,
  'in a file': () => openSampleJournal(path.join(folder, 'workflows.db'), null),
  'in an encrypted file': () => openSampleJournal(path.join(folder, 'workflows.db'), journalKey),
};

const skip = (name: string): RunEvent => ({ type: 'step_skipped', path: name });
const write = (run: string, more: Partial<JournalWrite> = {}): JournalWrite => ({
  run,
  at: 20,
  afterSeq: Number.MAX_SAFE_INTEGER,
  events: [],
  ...more,
});
const use = (gate: string, more = {}) =>
  ({
    type: 'use',
    gate,
    tokenHash: null,
    contentHash: 'content',
    votes: 0,
    decision: 'approve',
    nextTokenHash: null,
    ...more,
  }) as const;

for (const [where, open] of Object.entries(stores)) {
  describe(`Workflow journal ${where}`, () => {
    it('stores a run once per idempotency key, with its pinned definitions', () => {
      const journal = open();
      const made = journal.create(sampleRun('one', { idempotencyKey: 'k' }));
      expect(made).toMatchObject({ id: 'one', status: 'running', owner: null });
      expect(journal.create(sampleRun('two', { idempotencyKey: 'k' }))).toEqual(made);
      expect(journal.run('two')).toBeNull();
      expect(journal.run('one')).toEqual(made);
      expect(journal.definition(definitionHash('one'))).toBe('{"of":"one"}');
      expect(journal.definition('another')).toBeNull();
      expect(journal.events('one', 0)).toMatchObject([{ seq: 1, at: 10, event: { type: 'run_created' } }]);
      expect(journal.events('nobody', 0)).toEqual([]);
    });

    it('stores a new run together with its first events, or neither (T28)', () => {
      const journal = open();
      const { row, definitions, event } = sampleRun('one', { owner: 'me' });
      const gate = { ...sampleGate('one', 'g') };
      const first = {
        ...write('one', { owner: 'me', afterSeq: 0, creates: { row, definitions } }),
        held: [{ at: 10, event }],
        events: [skip('a')],
        status: 'waiting',
        wakeAt: null,
        release: true,
      } as const;
      expect(journal.append({ ...first, gates: [use('g')] }).ok).toBe(false);
      expect(journal.run('one')).toBeNull();
      expect(journal.append({ ...first, gates: [{ type: 'open', row: gate }] }).ok).toBe(true);
      expect(journal.run('one')).toEqual({ ...row, status: 'waiting', wakeAt: null, owner: null });
      expect(journal.definition(definitionHash('one'))).toBe('{"of":"one"}');
      expect(journal.openGates('one')).toEqual([gate]);
      const rows = journal.events('one', 0);
      expect(rows.map(({ event: { type } }) => type)).toEqual(['run_created', 'step_skipped']);
      expect(brokenAt(sha256, 'one', rows)).toBeNull();
    });

    it('creates a run and records it in another run in one write, once per key', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      const tells = { run: 'one', event: { type: 'run_forked', run: 'two', from: null, by: null } } as const;
      const two = sampleRun('two');
      const wanted = { ...two, row: { ...two.row, idempotencyKey: 'click' }, tells };
      journal.create(wanted);
      journal.create({ ...wanted, row: { ...wanted.row, id: 'three' } });
      expect(journal.events('one', 0).map(({ event: { type } }) => type)).toEqual([
        'run_created',
        'run_forked',
      ]);
      expect(brokenAt(sha256, 'one', journal.events('one', 0))).toBeNull();
      expect(journal.runs({ limit: 9 }).map(({ id }) => id)).toEqual(['two', 'one']);
      expect(() => journal.create({ ...sampleRun('four'), tells: { ...tells, run: 'nowhere' } })).toThrow(
        StoreError,
      );
      expect(journal.run('four')).toBeNull();
    });

    it('refuses a write if the run’s status has changed in the meantime', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      const late = write('one', { events: [skip('a')], status: 'running', standing: ['running', 'waiting'] });
      expect(journal.append(write('one', { events: [], status: 'failed' })).ok).toBe(true);
      expect(journal.append(late)).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(journal.run('one')?.status).toBe('failed');
      expect(journal.append({ ...late, standing: ['failed'] }).ok).toBe(true);
    });

    it('opens and withdraws a gate in one write', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      const gates = [
        { type: 'open', row: sampleGate('one', 'g') },
        use('g', { decision: 'withdrawn' }),
      ] as const;
      expect(journal.append(write('one', { gates })).ok).toBe(true);
      expect(journal.openGates('one')).toEqual([]);
      expect(journal.gate('g')?.decision).toBe('withdrawn');
    });

    it('appends rows to an unbroken hash chain and returns the rows the writer has not seen (T28)', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      const first = journal.append(write('one', { afterSeq: 1, events: [skip('a'), skip('b')] }));
      expect(first.ok && first.value.map(({ seq }) => seq)).toEqual([2, 3]);
      const late = journal.append(write('one', { afterSeq: 1, events: [skip('c')] }));
      expect(late.ok && late.value.map(({ event }) => 'path' in event && event.path)).toEqual([
        'a',
        'b',
        'c',
      ]);
      const blind = journal.append(write('one', { events: [skip('d')] }));
      expect(blind).toEqual({ ok: true, value: [] });
      expect(brokenAt(sha256, 'one', journal.events('one', 0))).toBeNull();
      expect(journal.events('one', 3).map(({ seq }) => seq)).toEqual([4, 5]);
      expect(journal.events('one', 1, 2).map(({ seq }) => seq)).toEqual([2, 3]);
    });

    it('refuses writes by non-owners, stale writers and to unknown runs, and then writes nothing', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      expect(journal.claim('one', null, 'me')).toBe(true);
      expect(journal.claim('one', null, 'you')).toBe(false);
      expect(journal.claim('nobody', null, 'you')).toBe(false);
      for (const wrong of [
        { owner: 'you' },
        { exact: true, afterSeq: 0 },
        { owner: 'me', afterSeq: 2 },
      ] as const) {
        const blobs = [{ hash: 'h', text: 't' }];
        const refused = journal.append(write('one', { ...wrong, events: [skip('a')], blobs, status: 'ok' }));
        expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
      }
      expect(journal.append(write('nobody')).ok).toBe(false);
      expect(journal.events('one', 0)).toHaveLength(1);
      expect(journal.blob('h')).toBeNull();
      expect(journal.run('one')?.status).toBe('running');
      expect(
        journal.append(write('one', { owner: 'me', exact: true, afterSeq: 1, events: [skip('a')] })).ok,
      ).toBe(true);
      expect(journal.claim('one', 'me', null)).toBe(true);
    });

    it('rolls the whole write back if one of its gates is decided or its token used (T5)', () => {
      const journal = open();
      journal.create(sampleRun('one'));
      const gates = ['g', 'h'].map((id) => ({ type: 'open', row: sampleGate('one', id) }) as const);
      expect(journal.append(write('one', { gates })).ok).toBe(true);
      const decided = write('one', { events: [skip('yes')], gates: [use('g', { tokenHash: 'token of g' })] });
      expect(journal.append(decided).ok).toBe(true);
      expect(journal.append(decided).ok).toBe(false);
      const forged = [
        use('h', { contentHash: 'else' }),
        use('h', { tokenHash: 'token of g' }),
        use('h', { votes: 1 }),
      ];
      for (const change of forged) {
        expect(journal.append(write('one', { events: [skip('no')], gates: [change] })).ok).toBe(false);
      }
      const mixed = write('one', {
        events: [skip('no')],
        gates: [use('h'), use('g')],
        blobs: [{ hash: 'x', text: 'x' }],
      });
      expect(journal.append(mixed)).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(journal.gate('h')?.decision).toBeNull();
      expect(journal.blob('x')).toBeNull();
      expect(journal.events('one', 1)).toHaveLength(1);
      expect(journal.gateByToken('token of g')).toBeNull();
    });

    it('finds open gates by token, short id and run; counts votes and replaces tokens', () => {
      const journal = open();
      for (const run of ['one', 'two']) {
        journal.create(sampleRun(run));
        journal.append(write(run, { gates: [{ type: 'open', row: sampleGate(run, `gate of ${run}`) }] }));
      }
      expect(journal.openGates().map(({ run }) => run)).toEqual(['one', 'two']);
      expect(journal.openGates('two')).toEqual([sampleGate('two', 'gate of two')]);
      expect(journal.gateByToken('token of gate of one')?.run).toBe('one');
      expect(journal.gateByShortId('0000aaaa')).toBeNull();
      const vote = use('gate of one', { decision: null, nextTokenHash: 'second' });
      expect(journal.append(write('one', { gates: [vote] })).ok).toBe(true);
      expect(journal.gate('gate of one')).toMatchObject({ votes: 1, tokenHash: 'second', decision: null });
      const renewed = { type: 'token', gate: 'gate of one', tokenHash: 'third' } as const;
      expect(journal.append(write('one', { gates: [renewed] })).ok).toBe(true);
      expect(journal.gateByToken('second')).toBeNull();
      expect(journal.append(write('one', { gates: [use('gate of one', { votes: 1 })] })).ok).toBe(true);
      expect(journal.gateByShortId('0000aaaa')?.run).toBe('two');
      expect(journal.append(write('one', { gates: [renewed] })).ok).toBe(false);
      expect(journal.openGates().map(({ id }) => id)).toEqual(['gate of two']);
    });

    it('lists due runs oldest first, and all runs newest first', () => {
      const journal = open();
      const waits = { running: null, later: 500, due: 100, asks: null };
      for (const [id, wakeAt] of Object.entries(waits)) {
        journal.create(sampleRun(id));
        if (id !== 'running') journal.append(write(id, { status: 'waiting', wakeAt }));
      }
      journal.create(sampleRun('over'));
      journal.append(write('over', { status: 'ok', wakeAt: 1 }));
      expect(journal.due(100).map(({ id }) => id)).toEqual(['running', 'due']);
      expect(journal.due(500).map(({ id }) => id)).toEqual(['running', 'later', 'due']);
      expect(journal.runs({ limit: 2 }).map(({ id }) => id)).toEqual(['over', 'asks']);
      const waiting = journal.runs({ status: 'waiting', limit: 9 });
      expect(waiting.map(({ id, wakeAt }) => [id, wakeAt])).toEqual([
        ['asks', null],
        ['due', 100],
        ['later', 500],
      ]);
    });

    it('stores values separately from runs under exact keys, and blobs unchanged', () => {
      const journal = open();
      const strange = 'ключ "é" \u0000 \u{1f415}';
      for (const [n, key] of [strange, strange.toUpperCase(), 'e\u0301', '\u00e9'].entries()) {
        journal.setValue(key, `"${n}"`);
      }
      journal.setValue(strange, '"new"');
      expect(journal.value(strange)).toBe('"new"');
      expect(journal.value('\u00e9')).toBe('"3"');
      expect(journal.value('nothing')).toBeNull();
      journal.create(sampleRun('one'));
      const text = `${strange}${'x'.repeat(100_000)}`;
      journal.append(write('one', { blobs: [{ hash: 'h', text }] }));
      expect(journal.blob('h')).toBe(text);
      expect(journal.value('h')).toBeNull();
    });

    it('stores integers of any size, unusual names and lone surrogates', () => {
      const journal = open();
      const args = {
        id: 12345678901234567890n,
        small: -0.1,
        __proto__x: 1,
        half: '\ud83d',
        list: [2n ** 64n, 1e300],
      };
      const sample = sampleRun('one');
      journal.create({ ...sample, event: { ...sample.event, args } as never });
      const row = journal.events('one', 0)[0];
      expect(row?.event).toMatchObject({ args });
      expect(brokenAt(sha256, 'one', journal.events('one', 0))).toBeNull();
    });
  });
}
