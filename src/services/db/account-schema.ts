/** The tables of an account's store. The first block is readable by tools made for puffo-agent's `messages.db`. */

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

/** A payload is taken in once, whatever envelope id it comes under (T6); rows of before have no nonce. */
const noncesOnce = `
ALTER TABLE messages ADD COLUMN nonce TEXT;
CREATE UNIQUE INDEX idx_messages_nonce ON messages (sender_slug, nonce) WHERE nonce IS NOT NULL;
`;

export const accountSchema: readonly string[] = [first, noncesOnce];
