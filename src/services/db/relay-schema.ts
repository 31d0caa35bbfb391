/**
 * The relay's tables. They hold certificates, memberships and ciphertext; nothing in them decrypts a sealed
 * message.
 */

const first = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE invites (
  code_hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, expires_at INTEGER, used_at INTEGER, used_by TEXT
) WITHOUT ROWID;
CREATE TABLE pending_sign_ups (
  token_hash TEXT PRIMARY KEY, slug TEXT NOT NULL, expires_at INTEGER NOT NULL, completed INTEGER NOT NULL,
  draft TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX pending_by_slug ON pending_sign_ups (slug);
CREATE TABLE identities (
  slug TEXT PRIMARY KEY, username TEXT NOT NULL, root_key TEXT NOT NULL UNIQUE, identity_type TEXT NOT NULL,
  operator_root TEXT, operator_slug TEXT, display_name TEXT NOT NULL, avatar_url TEXT NOT NULL, bio TEXT NOT NULL,
  role TEXT NOT NULL, role_short TEXT NOT NULL, profile_updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE devices (
  device_id TEXT PRIMARY KEY, slug TEXT NOT NULL, signing_key TEXT NOT NULL, kem_key TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, revoked_from INTEGER
) WITHOUT ROWID;
CREATE INDEX devices_by_slug ON devices (slug);
CREATE TABLE subkeys (
  subkey_id TEXT PRIMARY KEY, device_id TEXT NOT NULL, slug TEXT NOT NULL, public_key TEXT NOT NULL,
  issued_at INTEGER NOT NULL, expires_at INTEGER
) WITHOUT ROWID;
CREATE TABLE certs (seq INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL, kind TEXT NOT NULL, cert TEXT NOT NULL);
CREATE INDEX certs_by_slug ON certs (slug, seq);
CREATE TABLE spaces (
  space_id TEXT PRIMARY KEY, name TEXT NOT NULL, owner_slug TEXT NOT NULL, created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE space_members (
  space_id TEXT NOT NULL, slug TEXT NOT NULL, role TEXT NOT NULL, joined_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, slug)
) WITHOUT ROWID;
CREATE INDEX space_members_by_slug ON space_members (slug);
CREATE TABLE member_settings (
  space_id TEXT NOT NULL, slug TEXT NOT NULL, owner_invite INTEGER NOT NULL, member_invite INTEGER NOT NULL,
  PRIMARY KEY (space_id, slug)
) WITHOUT ROWID;
CREATE TABLE channels (
  channel_id TEXT PRIMARY KEY, space_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
  is_public INTEGER NOT NULL, is_encrypted INTEGER NOT NULL, owner_slug TEXT NOT NULL, created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX channels_by_space ON channels (space_id, created_at);
CREATE TABLE channel_members (
  channel_id TEXT NOT NULL, slug TEXT NOT NULL, role TEXT NOT NULL, joined_at INTEGER NOT NULL,
  PRIMARY KEY (channel_id, slug)
) WITHOUT ROWID;
CREATE INDEX channel_members_by_slug ON channel_members (slug);
CREATE TABLE events (
  at INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL, channel_id TEXT, kind TEXT NOT NULL,
  signer_slug TEXT NOT NULL, event TEXT NOT NULL
);
CREATE INDEX events_by_space ON events (space_id, at);
CREATE TABLE invitations (
  event_id TEXT PRIMARY KEY, scope TEXT NOT NULL, space_id TEXT NOT NULL, channel_id TEXT, inviter_slug TEXT NOT NULL,
  invitee_slug TEXT NOT NULL, created_at INTEGER NOT NULL, state TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX invitations_by_invitee ON invitations (invitee_slug, state);
CREATE INDEX invitations_by_inviter ON invitations (inviter_slug, state);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, envelope_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  sender_slug TEXT NOT NULL, space_id TEXT, channel_id TEXT, recipient_slug TEXT, sent_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL, encrypted INTEGER NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL,
  devices TEXT NOT NULL
);
CREATE INDEX messages_by_channel ON messages (channel_id, seq);
CREATE INDEX messages_by_pair ON messages (sender_slug, recipient_slug, seq);
CREATE INDEX messages_by_age ON messages (received_at);
CREATE TABLE queue (
  device_id TEXT NOT NULL, seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (device_id, seq)
) WITHOUT ROWID;
CREATE INDEX queue_by_message ON queue (seq);
CREATE TABLE runs (
  run_id TEXT PRIMARY KEY, message_id TEXT NOT NULL, agent_slug TEXT NOT NULL, started_at INTEGER NOT NULL,
  ended_at INTEGER, succeeded INTEGER, error_text TEXT
) WITHOUT ROWID;
CREATE INDEX runs_by_message ON runs (message_id, started_at);
CREATE TABLE statuses (
  slug TEXT PRIMARY KEY, status TEXT NOT NULL, last_heartbeat_at INTEGER NOT NULL, current_message_id TEXT,
  error_text TEXT
) WITHOUT ROWID;
CREATE TABLE blobs (
  blob_id TEXT PRIMARY KEY, owner_slug TEXT NOT NULL, size INTEGER NOT NULL, uploaded_at INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE nonces (key TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX nonces_by_age ON nonces (expires_at);
`;

/** Spaces can be archived; ids of deleted spaces and channels are never reused. */
const archivesAndEnds = `
ALTER TABLE spaces ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
CREATE TABLE gone (id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/**
 * Pending device enrolments, and the contacts whose first direct messages are held for approval (spec §2.3,
 * §11.4).
 */
const enrolmentAndContact = `
CREATE TABLE enrolments (
  nonce TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, request TEXT NOT NULL, completion TEXT, expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE contact_settings (slug TEXT PRIMARY KEY, holds INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE contacts (
  owner_slug TEXT NOT NULL, slug TEXT NOT NULL, verdict TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (owner_slug, slug)
) WITHOUT ROWID;
CREATE TABLE held (
  device_id TEXT NOT NULL, seq INTEGER NOT NULL, owner_slug TEXT NOT NULL, sender_slug TEXT NOT NULL,
  entry TEXT NOT NULL, PRIMARY KEY (device_id, seq)
) WITHOUT ROWID;
CREATE INDEX held_by_owner ON held (owner_slug, sender_slug);
CREATE INDEX held_by_message ON held (seq);
CREATE INDEX messages_by_recipient ON messages (recipient_slug, sender_slug) WHERE recipient_slug IS NOT NULL;
`;

/**
 * Clients of 1.0 and 2.0 need channel heads, the freshness of coordinated sends and reminders; the rest
 * counts quotas.
 */
const agentRuntime = `
CREATE TABLE channel_heads (
  channel_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, envelope_id TEXT NOT NULL, sender_slug TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO channel_heads SELECT channel_id, seq, envelope_id, sender_slug FROM messages
  WHERE seq IN (SELECT max(seq) FROM messages WHERE channel_id IS NOT NULL GROUP BY channel_id);
CREATE TABLE send_freshness (seq INTEGER PRIMARY KEY, freshness TEXT NOT NULL);
CREATE TABLE reminders (
  owner_slug TEXT NOT NULL, occurrence_id TEXT NOT NULL, revision INTEGER NOT NULL, reminder_id TEXT NOT NULL,
  due_at TEXT NOT NULL, lifecycle TEXT NOT NULL, lifecycle_at TEXT NOT NULL, payload_format TEXT NOT NULL, payload TEXT NOT NULL,
  claim_id TEXT, claim_until INTEGER, ended_at INTEGER, PRIMARY KEY (owner_slug, occurrence_id)
) WITHOUT ROWID;
CREATE INDEX identities_by_operator ON identities (operator_slug) WHERE operator_slug IS NOT NULL;
CREATE INDEX spaces_by_owner ON spaces (owner_slug);
CREATE INDEX blobs_by_owner ON blobs (owner_slug);
`;

/** Invite links to spaces: the hash of each secret, and who used the link. */
const inviteLinks = `
CREATE TABLE invite_links (
  link_id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL, inviter_slug TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, max_uses INTEGER, revoked_at INTEGER
) WITHOUT ROWID;
CREATE INDEX invite_links_by_space ON invite_links (space_id);
CREATE INDEX invite_links_by_inviter ON invite_links (inviter_slug);
CREATE TABLE link_uses (
  link_id TEXT NOT NULL, slug TEXT NOT NULL, signed_up INTEGER NOT NULL, joined INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (link_id, slug)
) WITHOUT ROWID;
`;

/** Step `n` (from 0) takes schema version `n` to `n + 1`. */
export const relaySchemaSteps: readonly string[] = [
  first,
  archivesAndEnds,
  enrolmentAndContact,
  agentRuntime,
  inviteLinks,
];
