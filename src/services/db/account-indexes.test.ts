import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountSchema } from './account-schema.ts';
import { openDatabase } from './binding.ts';
import { hasFromSql } from './message-queries.ts';
import { migrate } from './migrate.ts';
import { findRef } from './packed-values.ts';
import { toHandle } from './store-file.ts';

const columns = `envelope_id, envelope_kind, sender_slug, channel_id, content, sent_at, received_at, content_json, room_id,
  visible, encrypted`;

test.each([
  ['channel', 'ch_1', 'ch_1', 'idx_messages_channel (channel_id=? AND sent_at<?)'],
  ['dm', null, 'dm:bob-0001', 'idx_messages_room (room_id=? AND sent_at<?)'],
] as const)(
  'A page of a %s is read by index from its start, even with equal timestamps (F24: also after indexes were dropped)',
  (kind, channel, room, index) => {
    const folder = mkdtempSync(join(tmpdir(), 'kennel-indexes-'));
    const db = openDatabase(join(folder, 'messages.db'));
    migrate(db, accountSchema.slice(0, 4));
    const insert = db.prepare(
      `INSERT INTO messages (${columns}) VALUES (?, ?, 'a', ?, 'x', ?, 1, 0, ?, 1, 1)`,
    );
    for (let n = 0; n < 30; n += 1) {
      insert.run([`msg_${(n * 7) % 30}`, kind, channel, Math.floor(n / 3), room]);
    }
    migrate(db, accountSchema);
    const page = `SELECT envelope_id FROM messages WHERE room_id = :room AND channel_id ${channel === null ? 'IS NULL' : '= :room'} AND (sent_at, envelope_id) < (7, 'msg_2')
    ORDER BY sent_at DESC, envelope_id DESC LIMIT 5`;
    const params = { room: findRef(toHandle(db), room) };
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${page}`)
      .all(params)
      .map(({ detail }) => String(detail));
    expect(plan[0]).toContain(`USING INDEX ${index}`);
    expect(plan.slice(1).join()).not.toMatch(/SCAN|FOR ORDER BY$/);
    const all = db.prepare('SELECT envelope_id AS id, sent_at AS at FROM messages').all();
    const expected = all
      .map(({ id, at }) => ({ id: String(id), at: Number(at) }))
      .filter(({ id, at }) => at < 7 || (at === 7 && id < 'msg_2'))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, 5);
    expect(
      db
        .prepare(page)
        .all(params)
        .map((row) => row.envelope_id),
    ).toEqual(expected.map(({ id }) => id));
    db.close();
    rmSync(folder, { recursive: true, force: true });
  },
);

test('Whether a person wrote a direct message is read by index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-indexes-'));
  const db = openDatabase(join(folder, 'messages.db'));
  migrate(db, accountSchema);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${hasFromSql}`).all({ room: 'dm:bob', sender: '#2' });
  const steps = plan.map(({ detail }) => String(detail));
  expect(steps[0]).toBe('SEARCH messages USING INDEX idx_messages_room (room_id=?)');
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  db.close();
  rmSync(folder, { recursive: true, force: true });
});
