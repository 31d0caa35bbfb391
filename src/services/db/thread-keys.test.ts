/**
 * F24: stores with thread keys of the old form, including one that a malicious server has written to (T6).
 */

import path from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { insertUnpacked } from '../../../test/fakes/unpacked-messages.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { userMessage } from '../../core/models/messages.ts';
import { accountSchema } from './account-schema.ts';
import { openAccountStore } from './account-store.ts';
import { type Database, openDatabase } from './binding.ts';
import { hostSchema } from './host-schema.ts';
import { type MigrationStep, migrate } from './migrate.ts';
import { taskSchema } from './task-schema.ts';
import { threadKeySql } from './thread-keys-sql.ts';

const key = new Uint8Array(32).fill(7);
let folder: string;
eachTestInFolder('kennel-keys-', (made) => {
  folder = made;
});

/** Creates a file with the first `steps` of the schema, filled by `fill`. */
function oldFile(
  name: string,
  schema: readonly MigrationStep[],
  steps: number,
  fill: (db: Database) => void,
): string {
  const file = path.join(folder, name);
  const db = openDatabase(file, { key });
  migrate(db, schema.slice(0, steps));
  fill(db);
  db.close();
  return file;
}

const keep = (db: Database, change: Parameters<typeof sampleMessage>[0]): void => {
  const message = sampleMessage(change);
  insertUnpacked(db, { message });
  db.prepare(
    'INSERT OR IGNORE INTO rooms (room_id, space_id, last_message_at, last_text, unread) VALUES (?, NULL, 1, ?, 0)',
  ).run([message.roomId, String(message.content)]);
};

it('F24 The account store migrates transcripts, turns and calls to the current thread keys in one transaction', () => {
  const file = oldFile('messages.db', accountSchema, 6, (db) => {
    const dm = { kind: 'dm', roomId: 'dm:bob-0001', channelId: null, spaceId: null } as const;
    keep(db, { ...dm, envelopeId: 'msg_dm', senderSlug: 'bob-0001', content: 'my secret' });
    keep(db, { envelopeId: 'msg_1', content: 'in a channel' });
    keep(db, {
      envelopeId: 'msg_evil',
      roomId: 'dm:bob-0001',
      channelId: 'dm:bob-0001' as never,
      content: 'forged',
    });
    keep(db, {
      envelopeId: 'msg_odd',
      roomId: 'x|y' as never,
      channelId: 'x|y' as never,
      threadRootId: 'a|b',
    });
    const say = db.prepare('INSERT INTO transcript (thread_key, seq, message) VALUES (?, 1, ?)');
    for (const thread of ['dm:bob-0001', 'ch_1/msg_1', 'ch_1|x/m/n']) {
      say.run([thread, JSON.stringify(userMessage(thread, 1))]);
    }
    db.prepare(`INSERT INTO transcript_marks VALUES ('dm:bob-0001', 1, ?)`).run([
      JSON.stringify(userMessage('before', 1)),
    ]);
    db.exec(`
      INSERT INTO open_turns VALUES ('ch_1/msg_1', 't1', 'ch_1', 'msg_1', '["msg_1"]', 1, 1);
      INSERT INTO calls VALUES ('dm:bob-0001', 'c1', 't0', 'x', 'd', '{}', 'safe', 1, 0);
      INSERT INTO kv VALUES ('runs_owed', '[{"run":"r1","threadKey":"dm:bob-0001"},{"run":"r2","threadKey":"ch_1/msg_1"}]');`);
  });
  const store = openAccountStore({
    path: file,
    key,
    slug: 'helper-9a7c',
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
  const said = (thread: string) => store.transcripts.load(thread).map(({ message }) => message);
  expect(said('ch|ch_1|msg_1')).toMatchObject([{ content: userMessage('ch_1/msg_1', 1).content }]);
  expect(said('dm|bob-0001')).toHaveLength(2);
  expect(said('dm:bob-0001')).toEqual([]);
  expect(store.openTurn('ch|ch_1|msg_1')).toMatchObject({ turnId: 't1' });
  expect(JSON.parse(store.getValue('runs_owed') ?? '')).toEqual([
    { run: 'r1', threadKey: 'dm|bob-0001' },
    { run: 'r2', threadKey: 'ch|ch_1|msg_1' },
  ]);
  expect(
    store.history({ roomId: 'dm:bob-0001', limit: 9 }).messages.map(({ envelopeId }) => envelopeId),
  ).toEqual(['msg_dm']);
  expect(store.rooms().find(({ roomId }) => roomId === 'dm:bob-0001')?.lastText).toBe('');
  expect(store.message('msg_evil')).toMatchObject({
    kind: 'channel',
    roomId: 'ch_unknown',
    channelId: 'ch_unknown',
  });
  expect(store.message('msg_odd')).toMatchObject({ roomId: 'ch_unknown', threadRootId: null });
  expect(store.messageCount()).toBe(4);
  store.release();
  const db = openDatabase(file, { key });
  const keys = db
    .prepare('SELECT DISTINCT thread_key AS k FROM transcript ORDER BY 1')
    .all()
    .map(({ k }) => k);
  expect(keys).toEqual(['ch|ch_1?x|m?n', 'ch|ch_1|msg_1', 'dm|bob-0001']);
  db.close();
});

it('F24 Migrated approvals, tasks and schedules keep the conversation they came from', () => {
  const host = oldFile('host.db', hostSchema, 3, (db) =>
    db.exec(`INSERT INTO approvals VALUES ('a1', 'bot', 'waiting', 'd', 1, 't1', 'ch_1/msg_1', 'c1', '', NULL, NULL, NULL, NULL, '{}'),
      ('a2', 'bot', 'waiting', 'd', 1, 'run_1', 'run_1', 'g1', '', NULL, NULL, NULL, NULL, '{}')`),
  );
  const tasks = oldFile('tasks.db', taskSchema, 2, (db) =>
    db.exec(`INSERT INTO tasks (status, lane, priority, ready, body) VALUES
        ('pending', 'bot', 0, 1, '{"origin":{"via":"chat","threadKey":"dm:ada-0001/msg_1"}}'),
        ('pending', 'bot', 0, 1, '{"origin":{"via":"cli","threadKey":null}}');
      INSERT INTO schedules VALUES ('s1', NULL, '{"starts":{"kind":"task","threadKey":"ch_1"}}')`),
  );
  const read = (file: string, schema: readonly MigrationStep[], sql: string): unknown[] => {
    const db = openDatabase(file, { key });
    migrate(db, schema);
    const found = db
      .prepare(sql)
      .all()
      .map(({ k }) => k);
    db.close();
    return found;
  };
  expect(read(host, hostSchema, 'SELECT thread_key AS k FROM approvals ORDER BY id')).toEqual([
    'ch|ch_1|msg_1',
    'run_1',
  ]);
  const origin = `SELECT json_extract(body, '$.origin.threadKey') AS k FROM tasks ORDER BY id`;
  expect(read(tasks, taskSchema, origin)).toEqual(['dm|ada-0001|msg_1', null]);
  expect(
    read(tasks, taskSchema, `SELECT json_extract(body, '$.starts.threadKey') AS k FROM schedules`),
  ).toEqual(['ch|ch_1']);
});

it('The key migration leaves current keys and keys of no thread unchanged', () => {
  const db = openDatabase(path.join(folder, 'one.db'), { key });
  const now = db.prepare(`SELECT ${threadKeySql(':k')} AS k`);
  for (const same of ['dm|bob-0001', 'ch|ch_1|msg_1', 'task|7', 'mcp', 'spend:day']) {
    expect(now.get({ k: same })?.k).toBe(same);
  }
  expect(now.get({ k: 'task/7' })?.k).toBe('task|7');
  expect(now.get({ k: 'run:r1' })?.k).toBe('run|r1');
  db.close();
});
