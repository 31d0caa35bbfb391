import { threadKeySql } from './thread-keys-sql.ts';

/**
 * The tables of `host.db`: approvals, grants, receipts, recorded tool calls and the known end of the audit
 * log.
 */
export const hostSchema = [
  `
CREATE TABLE approvals (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, state TEXT NOT NULL, digest TEXT NOT NULL, created_at INTEGER NOT NULL,
  turn_id TEXT, thread_key TEXT, call_id TEXT, pattern TEXT NOT NULL, delivered_at INTEGER,
  post_id TEXT, post_room TEXT, answer_id TEXT, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX approvals_by_state ON approvals (state, created_at);
CREATE INDEX approvals_by_call ON approvals (agent_id, call_id);
CREATE INDEX approvals_by_post ON approvals (post_id) WHERE post_id IS NOT NULL;
CREATE TABLE receipts (id TEXT PRIMARY KEY, approval_id TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX receipts_by_approval ON receipts (approval_id);
CREATE TABLE grants (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, agent_name TEXT NOT NULL, tool TEXT NOT NULL, scope TEXT NOT NULL,
  rule TEXT NOT NULL, digest TEXT, pattern TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER,
  uses INTEGER NOT NULL, revoked_at INTEGER
) WITHOUT ROWID;
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, agent_id TEXT NOT NULL, tool TEXT NOT NULL, tool_group TEXT NOT NULL,
  title TEXT NOT NULL, args TEXT NOT NULL, digest TEXT NOT NULL, tainted INTEGER NOT NULL, assessment TEXT NOT NULL,
  verdict TEXT NOT NULL
);
CREATE INDEX calls_by_time ON calls (at);
`,
  `
CREATE TABLE audit_end (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL);
`,
  'CREATE INDEX approvals_by_turn ON approvals (turn_id) WHERE turn_id IS NOT NULL;',
  // Older grants for one exact call covered its arguments only, not where its paths resolved to, so they are
  // revoked (T14).
  'UPDATE grants SET revoked_at = created_at WHERE digest IS NOT NULL AND revoked_at IS NULL;',
  `UPDATE approvals SET thread_key = ${threadKeySql('thread_key')} WHERE thread_key IS NOT NULL;`,
  `
CREATE TABLE contacts (
  server TEXT NOT NULL, slug TEXT NOT NULL, state TEXT NOT NULL, decided_at INTEGER NOT NULL, PRIMARY KEY (server, slug)
) WITHOUT ROWID;
`,
];
