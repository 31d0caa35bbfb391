import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { installed, onLinux } from '../../../test/fakes/programs.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { insertUnpacked } from '../../../test/fakes/unpacked-messages.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AcceptRow } from '../../core/puffo/account-store.ts';
import { accountSchema } from './account-schema.ts';
import { openAccountStore } from './account-store.ts';
import { type Database, openDatabase } from './binding.ts';
import { type MigrationStep, migrate } from './migrate.ts';
import { packMessages } from './pack-messages.ts';
import { nameOf, packId, packNonce, refOf, unpackId } from './packed-values.ts';
import { createStoreFile, type StoreHandle } from './store-file.ts';

const key = new Uint8Array(32).fill(5);
const unpackedSteps = 8;
const count = 40;
const random = createSeededRandom(13);
const uuid = (): string => random.uuid();
const nonce = (): string => Buffer.from(uuid().replaceAll('-', ''), 'hex').toString('base64url');

let folder: string;
eachTestInFolder('kennel-packed-', (made) => {
  folder = made;
});

const channel = `ch_${uuid()}` as const;
const root = `msg_${uuid()}`;
function rowOf(n: number): AcceptRow {
  const dm = n % 3 === 0;
  const message = sampleMessage({
    envelopeId: n === 0 ? root : n % 7 === 0 ? `msg_odd-${n}` : `msg_${uuid()}`,
    senderSlug: `bob-000${n % 4}`,
    content: n % 5 === 0 ? { text: `text ${n}` } : `text ${n}`,
    sentAt: 1_000 + Math.floor(n / 2),
    receivedAt: 2_000 + n,
    threadRootId: n % 4 === 1 ? root : null,
    replyToId: n % 8 === 1 ? root : null,
    ...(dm
      ? { kind: 'dm', roomId: 'dm:bob-0001', channelId: null, spaceId: null, recipientSlug: 'helper-9a7c' }
      : { roomId: channel, channelId: channel }),
  });
  const decision = { react: n % 2 === 0, reason: n % 9 === 0 ? 'consent' : 'mention', priority: 2 } as const;
  return { message, decision, nonce: n === 5 ? 'short' : nonce() };
}
const rows = Array.from({ length: count }, (_, n) => rowOf(n));

function unpackedFile(): string {
  const file = path.join(folder, 'messages.db');
  const db = openDatabase(file, { key });
  migrate(db, accountSchema.slice(0, unpackedSteps));
  const work = db.prepare(
    "INSERT INTO work (envelope_id, root_id, priority, status) VALUES (?, ?, 2, 'open')",
  );
  for (const row of rows) {
    insertUnpacked(db, row);
    if (row.decision.react)
      work.run([row.message.envelopeId, row.message.threadRootId ?? row.message.envelopeId]);
  }
  db.close();
  return file;
}

const openStore = (file: string) =>
  openAccountStore({
    path: file,
    key,
    slug: 'helper-9a7c',
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });

/** Everything that the store returns about the rows. */
function expectAll(file: string): void {
  const store = openStore(file);
  for (const { message, decision } of rows) {
    expect(store.message(message.envelopeId)).toEqual(message);
    expect(store.decision(message.envelopeId)).toMatchObject(decision);
  }
  expect(store.messageCount()).toBe(count);
  const reacted = rows.filter(({ decision }) => decision.react).map(({ message }) => message.envelopeId);
  expect(new Set(store.openWork().map(({ message }) => message.envelopeId))).toEqual(new Set(reacted));
  expect(
    store.openWork().every(({ rootId, message }) => rootId === (message.threadRootId ?? message.envelopeId)),
  ).toBe(true);
  const inRoom = store.history({ roomId: channel, limit: 99 }).messages;
  expect(inRoom).toHaveLength(rows.filter(({ message }) => message.kind === 'channel').length);
  expect(store.history({ roomId: 'dm:bob-0001', limit: 99 }).messages).toHaveLength(count - inRoom.length);
  expect(store.thread(root, 99)).toHaveLength(
    1 + rows.filter(({ message }) => message.threadRootId === root).length,
  );
  const again = rows.map((row, n) => ({ ...row, message: { ...row.message, envelopeId: `msg_again-${n}` } }));
  expect(store.accept(again), 'every nonce is known').toEqual([]);
  while (store.search.catchUp());
  expect(store.search.find({ words: 'text', limit: 99 })?.messages).toHaveLength(count);
  expect(store.search.find({ words: 'text', roomId: channel, limit: 99 })?.messages).toHaveLength(
    inRoom.length,
  );
  expect(store.search.find({ words: 'text', roomId: 'ch_unknown', limit: 99 })?.messages).toEqual([]);
  store.release();
  const db = openDatabase(file, { key });
  expect(db.pragma('integrity_check')).toBe('ok');
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  db.close();
}

const inSlicesOf = (slice: number): readonly MigrationStep[] => [
  ...accountSchema.slice(0, unpackedSteps + 1),
  (db) => packMessages(db, slice),
  ...accountSchema.slice(unpackedSteps + 2),
];

/** Fails at the given transaction: before it begins, or, after its commit, like a process that was killed then. */
function failing(
  db: Database,
  at: number,
  when: 'before' | 'after',
): { db: Database; reached: () => boolean } {
  let seen = 0;
  const transaction = <T>(work: () => T): T => {
    seen += 1;
    if (seen === at && when === 'before') throw new Error('killed');
    const value = db.transaction(work);
    if (seen === at) throw new Error('killed');
    return value;
  };
  return { db: { ...db, transaction }, reached: () => seen >= at };
}

describe('Packed message rows', () => {
  it('F24 A migrated store returns every message, decision, work row, nonce and search result', () => {
    const file = unpackedFile();
    expectAll(file);
    expectAll(file);
  });

  it.each(['before', 'after'] as const)(
    'F1 F24 A migration killed %s any commit continues and loses nothing',
    (when) => {
      const file = unpackedFile();
      const original = `${file}.original`;
      copyFileSync(file, original);
      for (let at = 1, reached = true; reached; at += 1) {
        for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
        copyFileSync(original, file);
        const db = openDatabase(file, { key });
        const killed = failing(db, at, when);
        reached = true;
        try {
          migrate(killed.db, inSlicesOf(7));
          reached = killed.reached();
        } catch (error) {
          expect(String(error)).toContain('killed');
        }
        db.close();
        const again = openDatabase(file, { key });
        migrate(again, inSlicesOf(7));
        again.close();
        expectAll(file);
        if (!reached) expect(at).toBeGreaterThan(count / 7 + 3);
      }
    },
  );

  it.skipIf(!onLinux)(
    'F1 F24 A process killed while it writes the migration continues at its next start',
    { timeout: 120_000 },
    () => {
      const writer = path.join(import.meta.dirname, '../../../test/children/store-writer.ts');
      const file = unpackedFile();
      const original = `${file}.original`;
      copyFileSync(file, original);
      const db = openDatabase(file, { key });
      db.close();
      for (const when of [2, 9, 17, 25]) {
        for (const suffix of ['-wal', '-shm', `.schema-${unpackedSteps}`])
          rmSync(file + suffix, { force: true });
        copyFileSync(original, file);
        const { signal } = spawnSync(
          installed('strace'),
          [
            '-f',
            '-o',
            '/dev/null',
            '-P',
            `${file}-wal`,
            '-e',
            'trace=pwrite64',
            '-e',
            `inject=pwrite64:signal=KILL:when=${when}`,
            process.execPath,
            writer,
            file,
            '1',
            '7000',
          ],
          { timeout: 60_000 },
        );
        expect(signal).toBe('SIGKILL');
        expectAll(file);
      }
    },
  );

  it('F19 F24 A file damaged in the middle of its migration is salvaged in packed form', () => {
    const file = unpackedFile();
    const db = openDatabase(file, { key });
    migrate(db, accountSchema.slice(0, unpackedSteps + 1));
    db.transaction(() => packMessages(db, 9));
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    harm(file, Math.floor(statSync(file).size / 4096) - 1);
    const store = openStore(file);
    const left = rows.filter(({ message }) => store.message(message.envelopeId) !== null);
    expect(left.length).toBeGreaterThan(count / 2);
    for (const { message } of left) expect(store.message(message.envelopeId)).toEqual(message);
    const worked = left.filter(({ decision }) => decision.react).length;
    expect(store.openWork()).toHaveLength(worked);
    expect(worked).toBeGreaterThan(0);
    store.release();
  });

  it('F19 A damaged page of names loses no message and no name', () => {
    const file = path.join(folder, 'messages.db');
    const first = openStore(file);
    first.accept(rows);
    first.release();
    const db = openDatabase(file, { key });
    db.pragma('wal_checkpoint(TRUNCATE)');
    const page = Number(
      db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'names'").get()?.rootpage,
    );
    db.close();
    harm(file, page - 1);
    expectAll(file);
  });

  it('F19 A name that is lost with all its copies is replaced, and its messages stay', () => {
    const file = path.join(folder, 'messages.db');
    const first = openStore(file);
    first.accept(rows);
    first.release();
    const db = openDatabase(file, { key });
    const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name IN ('names', 'idx_names')").all();
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    for (const { rootpage } of roots) harm(file, Number(rootpage) - 1);
    const store = openStore(file);
    const found = rows.map(({ message }) => store.message(message.envelopeId));
    expect(found.map((message) => message?.content)).toEqual(rows.map(({ message }) => message.content));
    expect(found[1]?.senderSlug).toMatch(/^lost-\d+$/);
    store.release();
  });

  it('A name that a failed transaction added is not remembered', () => {
    const options = { path: path.join(folder, 'messages.db'), key, clock: createVirtualClock() };
    const file = createStoreFile({ ...options, log: createRecordingLog() }, accountSchema);
    const addAndRead = (handle: StoreHandle, name: string) => nameOf(handle, refOf(handle, name));
    const fail = (handle: StoreHandle): never => {
      throw new Error(String(addAndRead(handle, 'eve-0001')));
    };
    expect(() => file.write(fail)).toThrow('eve-0001');
    expect(file.write((handle) => addAndRead(handle, 'ada-0001'))).toBe('ada-0001');
    file.release();
  });

  it('Ids and nonces have one form each and survive it', () => {
    const id = `msg_${uuid()}`;
    expect(packId(id)).toHaveLength(16);
    expect(unpackId(`=${Buffer.from(packId(id)).toString('hex').toUpperCase()}`)).toBe(id);
    for (const literal of [id.toUpperCase(), `${id} `, 'msg_1', 'intro-prompt-ch_1', ''])
      expect(packId(literal)).toBe(literal);
    expect(packNonce(nonce())).toHaveLength(16);
    for (const literal of ['AAAAAAAAAAAAAAAAAAAAAB', 'short', '']) expect(packNonce(literal)).toBe(literal);
  });
});

/** Overwrites one page of 4 KiB. */
function harm(file: string, page: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4096 * page, 4096 * (page + 1));
  writeFileSync(file, bytes);
}
