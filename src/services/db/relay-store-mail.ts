/** Messages and their delivery queues, agent activity, blobs and replay nonces of the relay. */
import {
  type ActivityRows,
  agentStatuses,
  type BlobRows,
  type MailRow,
  type MailRows,
  type NonceRows,
  type ProcessingRunRow,
  type RetentionLimits,
  type RoomQuery,
} from '../../relay/store-port.ts';
import type { SqlParams, SqlRow } from './binding.ts';
import {
  flagNumber,
  flagValue,
  int,
  intOrNull,
  listValue,
  relayTextOrNull,
  type Statements,
  text,
} from './relay-statements.ts';

const messageOf = (row: SqlRow): MailRow => ({
  seq: int(row.seq),
  envelopeId: text(row.envelope_id),
  kind: row.kind === 'dm' ? 'dm' : 'channel',
  senderSlug: text(row.sender_slug),
  spaceId: relayTextOrNull(row.space_id),
  channelId: relayTextOrNull(row.channel_id),
  recipientSlug: relayTextOrNull(row.recipient_slug),
  sentAt: int(row.sent_at),
  receivedAt: int(row.received_at),
  encrypted: flagNumber(row.encrypted),
  body: text(row.body),
  digest: text(row.digest),
  devices: JSON.parse(text(row.devices)) as string[],
});

function recentQuery(room: RoomQuery, limit: number): readonly [string, SqlParams] {
  if ('channelId' in room) {
    return [
      'SELECT * FROM messages WHERE channel_id = ? AND space_id = ? ORDER BY seq DESC LIMIT ?',
      [room.channelId, room.spaceId, limit],
    ];
  }
  const [a, b] = room.dm;
  return [
    `SELECT * FROM messages WHERE (sender_slug = ? AND recipient_slug = ?)
       OR (sender_slug = ? AND recipient_slug = ?) ORDER BY seq DESC LIMIT ?`,
    [a, b, b, a, limit],
  ];
}

function headRows(sql: Statements): Pick<MailRows, 'channelHead' | 'freshness' | 'saveFreshness'> {
  return {
    channelHead: (channelId) => {
      const row = sql.get('SELECT * FROM channel_heads WHERE channel_id = ?', [channelId]);
      return (
        row && {
          seq: int(row.seq),
          envelopeId: text(row.envelope_id),
          senderSlug: text(row.sender_slug),
        }
      );
    },
    freshness: (seq) => {
      const row = sql.get('SELECT freshness FROM send_freshness WHERE seq = ?', [seq]);
      return row && text(row.freshness);
    },
    saveFreshness: (seq, freshness) =>
      void sql.run('INSERT OR REPLACE INTO send_freshness VALUES (?, ?)', [seq, freshness]),
  };
}

export function mailRows(sql: Statements): MailRows {
  return {
    message: (envelopeId) => {
      const row = sql.get('SELECT * FROM messages WHERE envelope_id = ?', [envelopeId]);
      return row && messageOf(row);
    },
    addMessage: (message) => {
      const row = sql.get(
        `INSERT INTO messages (envelope_id, kind, sender_slug, space_id, channel_id, recipient_slug, sent_at,
           received_at, encrypted, body, digest, devices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
        [
          message.envelopeId,
          message.kind,
          message.senderSlug,
          message.spaceId,
          message.channelId,
          message.recipientSlug,
          message.sentAt,
          message.receivedAt,
          flagValue(message.encrypted),
          message.body,
          message.digest,
          JSON.stringify(message.devices),
        ],
      );
      const seq = int(row?.seq);
      if (message.channelId !== null) {
        sql.run('INSERT OR REPLACE INTO channel_heads VALUES (?, ?, ?, ?)', [
          message.channelId,
          seq,
          message.envelopeId,
          message.senderSlug,
        ]);
      }
      return seq;
    },
    setDevices: (seq, devices) =>
      void sql.run('UPDATE messages SET devices = ? WHERE seq = ?', [JSON.stringify(devices), seq]),
    queue: (deviceId, seq, entry) =>
      void sql.run('INSERT INTO queue VALUES (?, ?, ?)', [deviceId, seq, entry]),
    pending: (deviceId, after, limit, only) =>
      sql
        .all(
          `SELECT q.seq, m.envelope_id, m.body, q.entry FROM queue q JOIN messages m ON m.seq = q.seq
           WHERE q.device_id = ? AND q.seq > ? AND m.kind = coalesce(?, m.kind) AND m.sender_slug = coalesce(?, m.sender_slug)
           ORDER BY q.seq LIMIT ?`,
          [deviceId, after, only?.kind ?? null, only?.sender ?? null, limit],
        )
        .map((row) => ({
          seq: int(row.seq),
          envelopeId: text(row.envelope_id),
          body: text(row.body),
          entry: text(row.entry),
        })),
    acknowledge: (deviceId, envelopeIds) =>
      sql.run(
        `DELETE FROM queue WHERE device_id = ? AND seq IN (
           SELECT seq FROM messages WHERE envelope_id IN (SELECT value FROM json_each(?)))`,
        [deviceId, listValue(envelopeIds)],
      ),
    recent: (room, limit) => sql.all(...recentQuery(room, limit)).map(messageOf),
    ...headRows(sql),
  };
}

const runOf = (row: SqlRow): ProcessingRunRow => ({
  runId: text(row.run_id),
  messageId: text(row.message_id),
  agentSlug: text(row.agent_slug),
  startedAt: int(row.started_at),
  endedAt: intOrNull(row.ended_at),
  succeeded: row.succeeded === null ? null : flagNumber(row.succeeded),
  errorText: relayTextOrNull(row.error_text),
});

export function activityRows(sql: Statements): ActivityRows {
  return {
    run: (runId) => {
      const row = sql.get('SELECT * FROM runs WHERE run_id = ?', [runId]);
      return row && runOf(row);
    },
    saveRun: (run) =>
      void sql.run('INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)', [
        run.runId,
        run.messageId,
        run.agentSlug,
        run.startedAt,
        run.endedAt,
        run.succeeded === null ? null : flagValue(run.succeeded),
        run.errorText,
      ]),
    runs: (messageId) =>
      sql.all('SELECT * FROM runs WHERE message_id = ? ORDER BY started_at, run_id', [messageId]).map(runOf),
    status: (slug) => {
      const row = sql.get('SELECT * FROM statuses WHERE slug = ?', [slug]);
      if (!row) return null;
      const status = text(row.status);
      return {
        slug,
        status: agentStatuses.find((known) => known === status) ?? 'idle',
        lastHeartbeatAt: int(row.last_heartbeat_at),
        currentMessageId: relayTextOrNull(row.current_message_id),
        errorText: relayTextOrNull(row.error_text),
      };
    },
    saveStatus: (status) =>
      void sql.run('INSERT OR REPLACE INTO statuses VALUES (?, ?, ?, ?, ?)', [
        status.slug,
        status.status,
        status.lastHeartbeatAt,
        status.currentMessageId,
        status.errorText,
      ]),
  };
}

export function blobRows(sql: Statements): BlobRows {
  return {
    addBlob: (blob, data) =>
      void sql.run('INSERT INTO blobs VALUES (?, ?, ?, ?, ?)', [
        blob.blobId,
        blob.ownerSlug,
        blob.size,
        blob.uploadedAt,
        data,
      ]),
    usage: (operatorSlug) => {
      const row = sql.get(
        `SELECT count(*) AS n, coalesce(sum(size), 0) AS bytes FROM blobs WHERE owner_slug IN (
           SELECT slug FROM identities WHERE slug = ? OR operator_slug = ?)`,
        [operatorSlug, operatorSlug],
      );
      return { count: int(row?.n), bytes: int(row?.bytes) };
    },
    blob: (blobId) => {
      const row = sql.get('SELECT * FROM blobs WHERE blob_id = ?', [blobId]);
      if (!row || !(row.data instanceof Uint8Array)) return null;
      return {
        row: {
          blobId,
          ownerSlug: text(row.owner_slug),
          size: int(row.size),
          uploadedAt: int(row.uploaded_at),
        },
        data: row.data,
      };
    },
  };
}

export function nonceRows(sql: Statements): NonceRows {
  return {
    seen: (key) => sql.get('SELECT 1 FROM nonces WHERE key = ?', [key]) !== null,
    remember: (key, expiresAt) =>
      void sql.run('INSERT OR IGNORE INTO nonces VALUES (?, ?)', [key, expiresAt]),
  };
}

/** Avatars are kept: a profile points at their blob. */
export function pruneRows(
  sql: Statements,
  limits: RetentionLimits,
): { readonly messages: number; readonly blobs: number } {
  sql.run('DELETE FROM nonces WHERE expires_at <= ?', [limits.now]);
  sql.run('DELETE FROM pending_sign_ups WHERE expires_at <= ?', [limits.now]);
  sql.run('DELETE FROM queue WHERE seq IN (SELECT seq FROM messages WHERE received_at < ?)', [
    limits.undeliveredBefore,
  ]);
  sql.run('DELETE FROM held WHERE seq IN (SELECT seq FROM messages WHERE received_at < ?)', [
    limits.undeliveredBefore,
  ]);
  sql.run('DELETE FROM enrolments WHERE expires_at <= ?', [limits.now]);
  sql.run(
    `DELETE FROM runs WHERE message_id IN (SELECT envelope_id FROM messages WHERE received_at < ?
       AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.seq = messages.seq))`,
    [limits.deliveredBefore],
  );
  const messages = sql.run(
    `DELETE FROM messages WHERE received_at < ? AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.seq = messages.seq)
       AND NOT EXISTS (SELECT 1 FROM held h WHERE h.seq = messages.seq)`,
    [limits.deliveredBefore],
  );
  sql.run('DELETE FROM reminders WHERE ended_at < ?', [limits.deliveredBefore]);
  sql.run('DELETE FROM send_freshness WHERE seq NOT IN (SELECT seq FROM messages)');
  const blobs = sql.run(
    `DELETE FROM blobs WHERE uploaded_at < ? AND NOT EXISTS (
       SELECT 1 FROM identities WHERE avatar_url LIKE '%' || blobs.blob_id || '%')`,
    [limits.undeliveredBefore],
  );
  return { messages, blobs };
}
