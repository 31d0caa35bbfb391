/**
 * The sections `sqlite` and `data_service` of the suite `puffo-local`: a real store, read like external tools
 * do.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type ChannelId, dmRoomId, type RoomId, type SpaceId } from '../../src/contract/room-id.ts';
import type { AccountStore } from '../../src/core/puffo/account-store.ts';
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';
import { createDataApp } from '../../src/services/data-service/data-app.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { type Database, openDatabase } from '../../src/services/db/binding.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';
import { type CaseResult, expectSame, expectTrue, type Section, testCase } from './case.ts';

const slug = 'helper-x';
const key = new Uint8Array(32).fill(7);

const nullable = z.string().nullable();
/** id, kind, sender, channel, space, recipient, type, content, sent at, thread root. */
const seedRow = z.tuple([
  z.string(),
  z.enum(['channel', 'dm']),
  z.string(),
  nullable,
  nullable,
  nullable,
  z.string(),
  z.unknown(),
  z.number(),
  nullable,
]);

const column = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() });
const index = z.object({ name: z.string(), partial: z.number(), columns: z.array(z.string()) });
const sqliteShape = z.object({
  journal_mode: z.string(),
  tables: z.record(z.string(), z.array(column)),
  indexes: z.record(z.string(), z.array(index)),
  seed_rows: z.array(seedRow),
  stored_content_of_msg_5: z.string(),
});
type Recorded = z.infer<typeof sqliteShape>;

function messageOf(row: Recorded['seed_rows'][number]): StoredMessage {
  const [
    envelopeId,
    kind,
    senderSlug,
    channelId,
    spaceId,
    recipientSlug,
    contentType,
    content,
    sentAt,
    root,
  ] = row;
  return {
    envelopeId,
    kind,
    senderSlug,
    recipientSlug,
    contentType,
    content,
    sentAt,
    channelId: channelId as ChannelId | null,
    spaceId: spaceId as SpaceId | null,
    roomId: (channelId ?? dmRoomId(senderSlug)) as RoomId,
    receivedAt: sentAt + 1_000,
    threadRootId: root,
    replyToId: null,
    visible: true,
    encrypted: true,
  };
}

/** `look` gets the path of the file, which is closed again before that. */
function withStore<T>(recorded: Recorded, look: (store: AccountStore, file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'kennel-local-'));
  const file = path.join(folder, 'messages.db');
  const store = openAccountStore({
    path: file,
    slug,
    key,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
  try {
    const decision = { react: false, reason: 'own', priority: 5 } as const;
    store.accept(recorded.seed_rows.map((row) => ({ message: messageOf(row), decision })));
    return look(store, file);
  } finally {
    store.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

const pragma = (db: Database, text: string): readonly Record<string, unknown>[] =>
  z.array(z.record(z.string(), z.unknown())).parse(db.prepare(`SELECT * FROM ${text}`).all());

/** The store has at least these tables, columns and indexes. */
export const sqlite: Section = (value) => {
  const recorded = sqliteShape.parse(value);
  return withStore(recorded, (store, file) => {
    store.release();
    const db = openDatabase(file, { key });
    try {
      return [...checkTables(db, recorded), ...checkIndexes(db, recorded), ...checkContent(db, recorded)];
    } finally {
      db.close();
    }
  });
};

const checkTables = (db: Database, { tables, journal_mode: mode }: Recorded): readonly CaseResult[] => [
  testCase('journal mode', () =>
    expectSame(pragma(db, 'pragma_journal_mode')[0]?.journal_mode, mode, 'mode'),
  ),
  ...Object.entries(tables).map(([table, columns]) =>
    testCase(`table ${table}`, () => {
      const found = pragma(db, `pragma_table_info('${table}')`);
      for (const { name, type, notnull, pk } of columns) {
        const there = found.find((one) => one.name === name);
        expectTrue(there !== undefined, `column ${name} is missing`);
        expectSame([there?.type, there?.notnull, there?.pk], [type, notnull, pk], `column ${name}`);
      }
    }),
  ),
];

const checkIndexes = (db: Database, { indexes }: Recorded): readonly CaseResult[] =>
  Object.entries(indexes).flatMap(([table, all]) =>
    all.map(({ name, partial, columns }) =>
      testCase(`index ${name}`, () => {
        const found = pragma(db, `pragma_index_list('${table}')`).find((one) => one.name === name);
        expectSame(found?.partial, partial, 'partial');
        const names = pragma(db, `pragma_index_info('${name}')`).map((one) => one.name);
        expectSame(names, columns, 'columns');
      }),
    ),
  );

const checkContent = (db: Database, recorded: Recorded): readonly CaseResult[] => [
  testCase('content that is no text', () => {
    const [row] = pragma(db, "messages WHERE envelope_id = 'msg_5'");
    const stored: unknown = JSON.parse(String(row?.content));
    expectSame(stored, JSON.parse(recorded.stored_content_of_msg_5), 'content');
  }),
];

/** The rows are those of the section `sqlite`. */
export const dataService: Section = (value, file) => {
  const exchanges = z
    .array(z.object({ path: z.string(), status: z.number(), json: z.unknown() }))
    .parse(value);
  return withStore(sqliteShape.parse(file.sqlite), (store) => {
    const tokens = [[slug, 'token']] as const;
    const ask = createDataApp({ tokens: () => tokens, storeOf: () => store });
    return exchanges.map(({ path: target, status, json }) =>
      testCase(target, () => {
        const answer = ask({ method: 'GET', target, authorization: 'Bearer token' });
        expectSame(answer.status, status, 'status');
        expectSame(answer.json, json, 'answer');
      }),
    );
  });
};
