/**
 * The tables of an account's store. Tables, columns and indexes of puffo-agent's `messages.db` keep their names;
 * values of `messages` are packed (see packed-values.ts).
 */
import type { MigrationStep } from './migrate.ts';
import { packMessages, swapPackedMessages } from './pack-messages.ts';
import { noChannelSql, threadKeySql } from './thread-keys-sql.ts';

/**
 * The full-text index of all messages, in the same encrypted file. It stores no second copy of the text: its
 * rowids are those of `messages`. A room is an index term too, so that a search in one room does not scan all
 * rooms.
 */
const searchSchema = `
CREATE VIRTUAL TABLE search USING fts5 (text, room, content = '', tokenize = 'unicode61 remove_diacritics 2');
`;

const first = `
CREATE TABLE messages (
  envelope_id TEXT PRIMARY KEY,
  envelope_kind TEXT NOT NULL,
  sender_slug TEXT NOT NULL,
  channel_id TEXT,
  space_id TEXT,
  recipient_slug TEXT,
  content_type TEXT NOT NULL DEFAULT 'text/plain',
  content TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  thread_root_id TEXT,
  reply_to_id TEXT,
  -- Kennel's own from here. content_json: 1 when content is JSON text, 0 when it is the string itself.
  content_json INTEGER NOT NULL,
  room_id TEXT NOT NULL,
  visible INTEGER NOT NULL,
  encrypted INTEGER NOT NULL,
  react INTEGER,
  reason TEXT,
  priority INTEGER
);
CREATE INDEX idx_messages_channel ON messages (channel_id, sent_at) WHERE channel_id IS NOT NULL;
CREATE INDEX idx_messages_dm ON messages (sender_slug, sent_at) WHERE envelope_kind = 'dm';
CREATE INDEX idx_messages_received ON messages (received_at);
CREATE INDEX idx_messages_thread_root ON messages (thread_root_id, sent_at) WHERE thread_root_id IS NOT NULL;
CREATE INDEX idx_messages_room ON messages (room_id, sent_at, envelope_id);
CREATE TABLE thread_processing_state (root_id TEXT PRIMARY KEY, last_processed_sent_at INTEGER NOT NULL);
CREATE TABLE channel_intro_prompted (channel_id TEXT PRIMARY KEY, prompted_at INTEGER NOT NULL);
CREATE TABLE channel_space_map (channel_id TEXT PRIMARY KEY, space_id TEXT NOT NULL, learned_at INTEGER NOT NULL);

CREATE TABLE work (
  envelope_id TEXT PRIMARY KEY REFERENCES messages (envelope_id),
  root_id TEXT NOT NULL,
  priority INTEGER NOT NULL,
  status TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  turn_id TEXT,
  settled_at INTEGER
) WITHOUT ROWID;
CREATE INDEX idx_work_open ON work (envelope_id) WHERE status = 'open';

CREATE TABLE outbox (
  envelope_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  space_id TEXT,
  channel_id TEXT,
  recipient_slug TEXT,
  thread_root_id TEXT,
  content_type TEXT NOT NULL,
  content TEXT NOT NULL,
  content_json INTEGER NOT NULL,
  visible INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  sealed TEXT,
  content_key TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT
);
CREATE INDEX idx_outbox_open ON outbox (created_at) WHERE state IN ('queued', 'sealed');

CREATE TABLE rooms (
  room_id TEXT PRIMARY KEY,
  space_id TEXT,
  last_message_at INTEGER NOT NULL,
  last_text TEXT NOT NULL,
  unread INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE conversation (id INTEGER PRIMARY KEY, role TEXT NOT NULL, content TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE refused (reason TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * A payload is accepted once, under whatever envelope id it arrives (T6); rows of older versions have no
 * nonce.
 */
const noncesOnce = `
ALTER TABLE messages ADD COLUMN nonce TEXT;
CREATE UNIQUE INDEX idx_messages_nonce ON messages (sender_slug, nonce) WHERE nonce IS NOT NULL;
`;

/** Agent work: transcripts by thread, tool calls from intent to result, and open turns. */
const agentWork = `
CREATE TABLE transcript (
  id INTEGER PRIMARY KEY,
  thread_key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  message TEXT NOT NULL
);
CREATE UNIQUE INDEX idx_transcript_thread ON transcript (thread_key, seq);
-- From where a thread is loaded, and what it says of what came before.
CREATE TABLE transcript_marks (
  thread_key TEXT PRIMARY KEY,
  keep_from INTEGER NOT NULL,
  summary TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE calls (
  thread_key TEXT NOT NULL,
  call_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  digest TEXT NOT NULL,
  args TEXT NOT NULL,
  replay TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (thread_key, call_id)
);
CREATE INDEX idx_calls_open ON calls (thread_key) WHERE ended = 0;
CREATE TABLE open_turns (
  thread_key TEXT PRIMARY KEY,
  turn_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  root_id TEXT NOT NULL,
  envelope_ids TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  started_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE reply_steps (envelope_id TEXT PRIMARY KEY, steps TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * A channel's room id equals its channel id, so the channel index serves it; only direct messages need an
 * index of their own. Ids break ties within one ms, and so few rows tie that no index needs to contain the
 * id.
 */
const leanIndexes = `
DROP INDEX idx_messages_room;
CREATE INDEX idx_messages_room ON messages (room_id, sent_at) WHERE channel_id IS NULL;
`;

/**
 * Ended turns, kept as history. Turns of older versions are derived from the messages they answered: they
 * start when the first of these arrived and have no transcript range. `steps` is set only if no message of
 * the turn carries the steps.
 */
const endedTurns = `
CREATE TABLE turns (
  turn_id TEXT PRIMARY KEY,
  thread_key TEXT NOT NULL,
  room_id TEXT NOT NULL,
  root_id TEXT NOT NULL,
  envelope_ids TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  detail TEXT NOT NULL,
  first_seq INTEGER,
  last_seq INTEGER,
  reply_ids TEXT NOT NULL,
  step_count INTEGER NOT NULL,
  steps TEXT,
  trace TEXT NOT NULL
);
CREATE INDEX idx_turns_started ON turns (started_at, turn_id);
INSERT INTO turns SELECT w.turn_id, m.room_id || iif(m.channel_id IS NULL, '', '/' || w.root_id), m.room_id, w.root_id,
  json_group_array(w.envelope_id), min(m.received_at), max(w.settled_at),
  iif(w.status = 'silent' AND w.detail LIKE 'stopped: %', 'stopped', w.status), w.detail, NULL, NULL, '[]', 0, NULL, '[]'
  FROM work w JOIN messages m ON m.envelope_id = w.envelope_id
  WHERE w.turn_id IS NOT NULL AND w.status <> 'open' AND w.settled_at IS NOT NULL GROUP BY w.turn_id;
`;

/**
 * Each transcript message names the stored messages it was made of (T9). Older rows get them from their turn;
 * summaries and rows without a known turn count as untrusted.
 */
const transcriptOrigins = `
CREATE TEMP TABLE spans AS
  SELECT thread_key, first_seq, last_seq, envelope_ids FROM turns WHERE first_seq IS NOT NULL
  UNION ALL SELECT thread_key, first_seq, 9007199254740991, envelope_ids FROM open_turns;
CREATE INDEX temp.idx_spans ON spans (thread_key, first_seq);
UPDATE transcript SET message = json_set(message, '$.origin', json((
  SELECT json_object('untrusted', json(iif(count(e.value) = 0, 'true', 'false')), 'messages',
    json(coalesce(json_group_array(json_object('id', e.value, 'senderSlug', coalesce(m.sender_slug, '')))
      FILTER (WHERE e.value IS NOT NULL), '[]')))
  FROM spans s JOIN json_each(s.envelope_ids) e LEFT JOIN messages m ON m.envelope_id = e.value
  WHERE s.thread_key = transcript.thread_key AND transcript.seq BETWEEN s.first_seq AND s.last_seq)))
  WHERE json_valid(message) AND json_extract(message, '$.role') = 'user';
DROP TABLE spans;
UPDATE transcript_marks SET summary = json_set(summary, '$.origin', json('{"untrusted":true,"messages":[]}'))
  WHERE json_valid(summary);
`;

/**
 * A channel message whose channel id looked like a direct message was stored with the direct messages; after
 * this step no direct message room finds it (T6).
 */
const threadKeys = `
UPDATE rooms SET last_text = '' WHERE room_id IN (SELECT room_id FROM messages
  WHERE channel_id IS NOT NULL AND ${noChannelSql('channel_id')});
DELETE FROM rooms WHERE room_id NOT GLOB 'dm:*' AND ${noChannelSql('room_id')};
UPDATE messages SET channel_id = 'ch_unknown', room_id = 'ch_unknown'
  WHERE channel_id IS NOT NULL AND ${noChannelSql('channel_id')};
UPDATE transcript SET thread_key = ${threadKeySql('thread_key')};
UPDATE transcript_marks SET thread_key = ${threadKeySql('thread_key')};
UPDATE calls SET thread_key = ${threadKeySql('thread_key')};
UPDATE open_turns SET thread_key = ${threadKeySql('thread_key')};
UPDATE turns SET thread_key = ${threadKeySql('thread_key')};
UPDATE kv SET value = (SELECT json_group_array(json_set(one.value, '$.threadKey',
    ${threadKeySql("json_extract(one.value, '$.threadKey')")})) FROM json_each(kv.value) one)
  WHERE key = 'runs_owed' AND json_valid(value) AND json_type(value) = 'array';
`;

/**
 * Message rows in packed form. `messages` stays complete until the last slice is copied, so that a damaged
 * file is salvaged from it. The content comes last: the other columns are then read without its overflow pages.
 */
const packedTables = `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE UNIQUE INDEX idx_names ON names (name);
CREATE TABLE messages_packed (
  envelope_id TEXT PRIMARY KEY,
  envelope_kind TEXT NOT NULL,
  sender_slug TEXT NOT NULL,
  channel_id TEXT,
  space_id TEXT,
  recipient_slug TEXT,
  content_type TEXT NOT NULL DEFAULT 'text/plain',
  sent_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  thread_root_id TEXT,
  reply_to_id TEXT,
  content_json INTEGER NOT NULL,
  room_id TEXT NOT NULL,
  visible INTEGER NOT NULL,
  encrypted INTEGER NOT NULL,
  react INTEGER,
  reason TEXT,
  priority INTEGER,
  nonce TEXT,
  content TEXT NOT NULL
);
`;

/** The owner's notes on messages: reactions, pins, and which copies were deleted. */
const annotations = `
CREATE TABLE annotations (
  envelope_id TEXT PRIMARY KEY,
  pinned_at INTEGER,
  deleted_at INTEGER,
  reactions TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE INDEX idx_annotations_pinned ON annotations (pinned_at) WHERE pinned_at IS NOT NULL;
`;

/** `title`: chosen by the owner; otherwise the first message names the conversation. */
const dmConversations = `
CREATE TABLE dm_conversations (
  room_id TEXT PRIMARY KEY,
  title TEXT NOT NULL DEFAULT '',
  first_text TEXT NOT NULL DEFAULT '',
  started_at INTEGER NOT NULL,
  archived_at INTEGER
) WITHOUT ROWID;
ALTER TABLE outbox ADD COLUMN conversation_id TEXT;
`;

export const accountSchema: readonly MigrationStep[] = [
  first,
  noncesOnce,
  agentWork,
  searchSchema,
  leanIndexes,
  endedTurns,
  transcriptOrigins,
  threadKeys,
  packedTables,
  (db) => packMessages(db),
  swapPackedMessages,
  annotations,
  dmConversations,
];
