/** Device enrolments, contact permissions and held direct messages of the relay. */
import type { ContactRows, EnrolmentRow, EnrolmentRows } from '../../relay/store-port.ts';
import type { SqlRow } from './binding.ts';
import { flagNumber, flagValue, int, relayTextOrNull, type Statements, text } from './relay-statements.ts';

const enrolmentOf = (row: SqlRow | null): EnrolmentRow | null =>
  row && {
    nonce: text(row.nonce),
    code: text(row.code),
    request: text(row.request),
    completion: relayTextOrNull(row.completion),
    expiresAt: int(row.expires_at),
  };

export function enrolmentRows(sql: Statements): EnrolmentRows {
  return {
    add: ({ nonce, code, request, completion, expiresAt }) =>
      void sql.run('INSERT INTO enrolments VALUES (?, ?, ?, ?, ?)', [
        nonce,
        code,
        request,
        completion,
        expiresAt,
      ]),
    byNonce: (nonce) => enrolmentOf(sql.get('SELECT * FROM enrolments WHERE nonce = ?', [nonce])),
    byCode: (code) => enrolmentOf(sql.get('SELECT * FROM enrolments WHERE code = ?', [code])),
    complete: (nonce, completion) =>
      sql.run('UPDATE enrolments SET completion = ? WHERE nonce = ? AND completion IS NULL', [
        completion,
        nonce,
      ]) === 1,
    count: () => int(sql.get('SELECT count(*) AS n FROM enrolments')?.n),
    dropOldest: () =>
      sql.run(
        `DELETE FROM enrolments WHERE nonce =
           (SELECT nonce FROM enrolments WHERE completion IS NULL ORDER BY expires_at LIMIT 1)`,
      ) === 1,
  };
}

type HeldRows = Pick<ContactRows, 'hold' | 'waiting' | 'heldOf' | 'isHeld' | 'release' | 'dropHeld'>;

function heldRows(sql: Statements): HeldRows {
  return {
    hold: (ownerSlug, senderSlug, { deviceId, seq, entry }) =>
      void sql.run('INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?, ?)', [
        deviceId,
        seq,
        ownerSlug,
        senderSlug,
        entry,
      ]),
    waiting: (ownerSlug) =>
      sql
        .all(
          `SELECT h.sender_slug, count(DISTINCT h.seq) AS n, min(m.received_at) AS since
             FROM held h JOIN messages m ON m.seq = h.seq WHERE h.owner_slug = ?
             GROUP BY h.sender_slug ORDER BY since`,
          [ownerSlug],
        )
        .map((row) => ({ slug: text(row.sender_slug), messages: int(row.n), since: int(row.since) })),
    heldOf: (ownerSlug, senderSlug) =>
      int(
        sql.get('SELECT count(DISTINCT seq) AS n FROM held WHERE owner_slug = ? AND sender_slug = ?', [
          ownerSlug,
          senderSlug,
        ])?.n,
      ),
    isHeld: (seq) => sql.get('SELECT 1 FROM held WHERE seq = ?', [seq]) !== null,
    release: (ownerSlug, senderSlug) => {
      const rows = sql.all(
        `SELECT h.seq, h.device_id, h.entry, m.body FROM held h JOIN messages m ON m.seq = h.seq
           WHERE h.owner_slug = ? AND h.sender_slug = ? ORDER BY h.seq`,
        [ownerSlug, senderSlug],
      );
      sql.run('DELETE FROM held WHERE owner_slug = ? AND sender_slug = ?', [ownerSlug, senderSlug]);
      return rows.map((row) => ({
        seq: int(row.seq),
        deviceId: text(row.device_id),
        entry: text(row.entry),
        body: text(row.body),
      }));
    },
    dropHeld: (ownerSlug, senderSlug) =>
      void sql.run('DELETE FROM held WHERE owner_slug = ? AND sender_slug = ?', [ownerSlug, senderSlug]),
  };
}

export function contactRows(sql: Statements): ContactRows {
  return {
    ...heldRows(sql),
    holds: (slug) => flagNumber(sql.get('SELECT holds FROM contact_settings WHERE slug = ?', [slug])?.holds),
    setHolds: (slug, holds) =>
      void sql.run('INSERT OR REPLACE INTO contact_settings VALUES (?, ?)', [slug, flagValue(holds)]),
    verdict: (ownerSlug, slug) => {
      const row = sql.get('SELECT verdict FROM contacts WHERE owner_slug = ? AND slug = ?', [
        ownerSlug,
        slug,
      ]);
      if (!row) return null;
      return row.verdict === 'block' ? 'block' : 'allow';
    },
    setVerdict: (ownerSlug, slug, verdict, at) => {
      if (verdict === null) {
        sql.run('DELETE FROM contacts WHERE owner_slug = ? AND slug = ?', [ownerSlug, slug]);
      } else {
        sql.run('INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)', [ownerSlug, slug, verdict, at]);
      }
    },
    verdicts: (ownerSlug, verdict) =>
      sql
        .all('SELECT slug FROM contacts WHERE owner_slug = ? AND verdict = ? ORDER BY slug', [
          ownerSlug,
          verdict,
        ])
        .map((row) => text(row.slug)),
    hasWritten: (from, to) =>
      sql.get('SELECT 1 FROM messages WHERE sender_slug = ? AND recipient_slug = ? LIMIT 1', [from, to]) !==
      null,
    correspondents: (slug) =>
      sql
        .all(
          `SELECT DISTINCT recipient_slug AS slug FROM messages WHERE sender_slug = ? AND recipient_slug IS NOT NULL
           UNION SELECT DISTINCT sender_slug FROM messages WHERE recipient_slug = ?`,
          [slug, slug],
        )
        .map((row) => text(row.slug)),
  };
}
