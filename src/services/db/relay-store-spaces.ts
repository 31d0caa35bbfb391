/** Spaces, channels, their members, signed events and invitations of the relay. */
import type {
  ChannelRow,
  InvitationRow,
  SpaceEventRow,
  SpaceMemberRow,
  SpaceRow,
  SpaceRows,
} from '../../relay/store-port.ts';
import type { SqlRow } from './binding.ts';
import { flagNumber, flagValue, int, relayTextOrNull, type Statements, text } from './relay-statements.ts';

const spaceOf = (row: SqlRow): SpaceRow => ({
  spaceId: text(row.space_id),
  name: text(row.name),
  ownerSlug: text(row.owner_slug),
  createdAt: int(row.created_at),
  archived: flagNumber(row.archived),
});

const memberOf = (row: SqlRow): SpaceMemberRow => {
  const role = text(row.role);
  return { slug: text(row.slug), role: role === 'owner' || role === 'admin' ? role : 'member' };
};

const channelOf = (row: SqlRow): ChannelRow => ({
  channelId: text(row.channel_id),
  spaceId: text(row.space_id),
  name: text(row.name),
  description: text(row.description),
  isPublic: flagNumber(row.is_public),
  isEncrypted: flagNumber(row.is_encrypted),
  ownerSlug: text(row.owner_slug),
  createdAt: int(row.created_at),
});

const eventOf = (row: SqlRow): SpaceEventRow => ({
  eventId: text(row.event_id),
  spaceId: text(row.space_id),
  channelId: relayTextOrNull(row.channel_id),
  kind: text(row.kind),
  signerSlug: text(row.signer_slug),
  at: int(row.at),
  event: text(row.event),
});

const invitationOf = (row: SqlRow): InvitationRow => {
  const state = text(row.state);
  return {
    eventId: text(row.event_id),
    scope: row.scope === 'channel' ? 'channel' : 'space',
    spaceId: text(row.space_id),
    channelId: relayTextOrNull(row.channel_id),
    inviterSlug: text(row.inviter_slug),
    inviteeSlug: text(row.invitee_slug),
    createdAt: int(row.created_at),
    state: state === 'accepted' || state === 'rejected' || state === 'cancelled' ? state : 'open',
  };
};

const upsertMember = (table: 'space_members' | 'channel_members', column: string): string =>
  `INSERT INTO ${table} (${column}, slug, role, joined_at) VALUES (?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET role = excluded.role`;

type MembershipRows = Pick<
  SpaceRows,
  | 'saveMember'
  | 'joinedAt'
  | 'member'
  | 'members'
  | 'removeMember'
  | 'settings'
  | 'saveSettings'
  | 'companions'
  | 'shareSpace'
>;

function membershipRows(sql: Statements): MembershipRows {
  return {
    saveMember: (spaceId, { slug, role }, at) =>
      void sql.run(upsertMember('space_members', 'space_id'), [spaceId, slug, role, at]),
    joinedAt: (spaceId, slug) => {
      const row = sql.get('SELECT joined_at FROM space_members WHERE space_id = ? AND slug = ?', [
        spaceId,
        slug,
      ]);
      return row && int(row.joined_at);
    },
    member: (spaceId, slug) => {
      const row = sql.get('SELECT slug, role FROM space_members WHERE space_id = ? AND slug = ?', [
        spaceId,
        slug,
      ]);
      return row && memberOf(row);
    },
    members: (spaceId) =>
      sql
        .all('SELECT slug, role FROM space_members WHERE space_id = ? ORDER BY joined_at, slug', [spaceId])
        .map(memberOf),
    removeMember: (spaceId, slug) => {
      sql.run('DELETE FROM space_members WHERE space_id = ? AND slug = ?', [spaceId, slug]);
      sql.run(
        'DELETE FROM channel_members WHERE slug = ? AND channel_id IN (SELECT channel_id FROM channels WHERE space_id = ?)',
        [slug, spaceId],
      );
    },
    settings: (spaceId, slug) => {
      const row = sql.get('SELECT * FROM member_settings WHERE space_id = ? AND slug = ?', [spaceId, slug]);
      return (
        row && {
          autoAcceptOwnerInvite: flagNumber(row.owner_invite),
          autoAcceptMemberInvite: flagNumber(row.member_invite),
        }
      );
    },
    saveSettings: (spaceId, slug, settings) =>
      void sql.run('INSERT OR REPLACE INTO member_settings VALUES (?, ?, ?, ?)', [
        spaceId,
        slug,
        flagValue(settings.autoAcceptOwnerInvite),
        flagValue(settings.autoAcceptMemberInvite),
      ]),
    companions: (slug) => {
      const rows = sql.all(
        `SELECT DISTINCT slug FROM space_members
         WHERE space_id IN (SELECT space_id FROM space_members WHERE slug = ?)`,
        [slug],
      );
      return [slug, ...rows.map((row) => text(row.slug)).filter((other) => other !== slug)];
    },
    shareSpace: (a, b) =>
      sql.get(
        `SELECT 1 FROM space_members x JOIN space_members y ON y.space_id = x.space_id AND y.slug = ?
         WHERE x.slug = ? LIMIT 1`,
        [b, a],
      ) !== null,
  };
}

type ChannelRows = Pick<
  SpaceRows,
  | 'addChannel'
  | 'channel'
  | 'channels'
  | 'changeChannel'
  | 'removeChannel'
  | 'saveChannelMember'
  | 'channelMember'
  | 'channelMembers'
  | 'removeChannelMember'
>;

function channelRows(sql: Statements): ChannelRows {
  return {
    addChannel: (channel) =>
      void sql.run('INSERT INTO channels VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
        channel.channelId,
        channel.spaceId,
        channel.name,
        channel.description,
        flagValue(channel.isPublic),
        flagValue(channel.isEncrypted),
        channel.ownerSlug,
        channel.createdAt,
      ]),
    channel: (channelId) => {
      const row = sql.get('SELECT * FROM channels WHERE channel_id = ?', [channelId]);
      return row && channelOf(row);
    },
    channels: (spaceId) =>
      sql
        .all('SELECT * FROM channels WHERE space_id = ? ORDER BY created_at, channel_id', [spaceId])
        .map(channelOf),
    changeChannel: (channelId, { name, description }) =>
      void sql.run('UPDATE channels SET name = ?, description = ? WHERE channel_id = ?', [
        name,
        description,
        channelId,
      ]),
    removeChannel: (channelId) => {
      sql.run('DELETE FROM channel_members WHERE channel_id = ?', [channelId]);
      sql.run('DELETE FROM channels WHERE channel_id = ?', [channelId]);
      sql.run('INSERT OR IGNORE INTO gone VALUES (?)', [channelId]);
    },
    saveChannelMember: (channelId, { slug, role }, at) =>
      void sql.run(upsertMember('channel_members', 'channel_id'), [channelId, slug, role, at]),
    channelMember: (channelId, slug) => {
      const row = sql.get('SELECT slug, role FROM channel_members WHERE channel_id = ? AND slug = ?', [
        channelId,
        slug,
      ]);
      return row && memberOf(row);
    },
    channelMembers: (channelId) =>
      sql
        .all('SELECT slug, role FROM channel_members WHERE channel_id = ? ORDER BY joined_at, slug', [
          channelId,
        ])
        .map(memberOf),
    removeChannelMember: (channelId, slug) =>
      void sql.run('DELETE FROM channel_members WHERE channel_id = ? AND slug = ?', [channelId, slug]),
  };
}

type EventRows = Pick<
  SpaceRows,
  'addEvent' | 'event' | 'events' | 'addInvitation' | 'invitation' | 'setInvitationState' | 'openInvitations'
>;

function eventRows(sql: Statements): EventRows {
  return {
    addEvent: (event, now) => {
      const last = int(sql.get('SELECT max(at) AS last FROM events')?.last);
      const at = Math.max(now, last + 1);
      sql.run(
        'INSERT INTO events (at, event_id, space_id, channel_id, kind, signer_slug, event) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [at, event.eventId, event.spaceId, event.channelId, event.kind, event.signerSlug, event.event],
      );
      return { ...event, at };
    },
    event: (eventId) => {
      const row = sql.get('SELECT * FROM events WHERE event_id = ?', [eventId]);
      return row && eventOf(row);
    },
    events: ({ spaceId, slug, since, limit }) =>
      sql
        .all(
          `SELECT e.* FROM events e LEFT JOIN channels c ON c.channel_id = e.channel_id
           WHERE e.space_id = ? AND e.at > ? AND (e.channel_id IS NULL OR c.is_public = 1 OR EXISTS (
             SELECT 1 FROM channel_members m WHERE m.channel_id = e.channel_id AND m.slug = ?))
           ORDER BY e.at LIMIT ?`,
          [spaceId, since?.at ?? 0, slug, limit],
        )
        .map(eventOf),
    addInvitation: (invitation) =>
      void sql.run('INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)', [
        invitation.eventId,
        invitation.scope,
        invitation.spaceId,
        invitation.channelId,
        invitation.inviterSlug,
        invitation.inviteeSlug,
        invitation.createdAt,
        invitation.state,
      ]),
    invitation: (eventId) => {
      const row = sql.get('SELECT * FROM invitations WHERE event_id = ?', [eventId]);
      return row && invitationOf(row);
    },
    setInvitationState: (eventId, state) =>
      void sql.run('UPDATE invitations SET state = ? WHERE event_id = ?', [state, eventId]),
    openInvitations: (query) => {
      const [column, value] =
        'invitee' in query
          ? ['invitee_slug', query.invitee]
          : 'inviter' in query
            ? ['inviter_slug', query.inviter]
            : ['space_id', query.space];
      return sql
        .all(`SELECT * FROM invitations WHERE ${column} = ? AND state = 'open' ORDER BY created_at`, [value])
        .map(invitationOf);
    },
  };
}

type SpaceOnlyRows = Omit<SpaceRows, keyof (MembershipRows & ChannelRows & EventRows)>;

function spaceOnlyRows(sql: Statements): SpaceOnlyRows {
  return {
    addSpace: (space) =>
      void sql.run(
        'INSERT INTO spaces (space_id, name, owner_slug, created_at, archived) VALUES (?, ?, ?, ?, ?)',
        [space.spaceId, space.name, space.ownerSlug, space.createdAt, flagValue(space.archived)],
      ),
    space: (spaceId) => {
      const row = sql.get('SELECT * FROM spaces WHERE space_id = ?', [spaceId]);
      return row && spaceOf(row);
    },
    setSpaceOwner: (spaceId, slug) =>
      void sql.run('UPDATE spaces SET owner_slug = ? WHERE space_id = ?', [slug, spaceId]),
    renameSpace: (spaceId, name) =>
      void sql.run('UPDATE spaces SET name = ? WHERE space_id = ?', [name, spaceId]),
    setArchived: (spaceId, archived) =>
      void sql.run('UPDATE spaces SET archived = ? WHERE space_id = ?', [flagValue(archived), spaceId]),
    removeSpace: (spaceId) => {
      const channels = 'SELECT channel_id FROM channels WHERE space_id = ?';
      sql.run(`INSERT OR IGNORE INTO gone ${channels}`, [spaceId]);
      sql.run('INSERT OR IGNORE INTO gone VALUES (?)', [spaceId]);
      sql.run(`DELETE FROM channel_members WHERE channel_id IN (${channels})`, [spaceId]);
      for (const table of ['channels', 'space_members', 'member_settings', 'spaces'])
        sql.run(`DELETE FROM ${table} WHERE space_id = ?`, [spaceId]);
    },
    isGone: (id) => sql.get('SELECT 1 FROM gone WHERE id = ?', [id]) !== null,
    countOwned: (operatorSlug) =>
      int(
        sql.get(
          `SELECT count(*) AS n FROM spaces WHERE owner_slug IN (
             SELECT slug FROM identities WHERE slug = ? OR operator_slug = ?)`,
          [operatorSlug, operatorSlug],
        )?.n,
      ),
    spacesOf: (slug) =>
      sql
        .all(
          `SELECT s.* FROM spaces s JOIN space_members m ON m.space_id = s.space_id
           WHERE m.slug = ? ORDER BY s.created_at, s.space_id`,
          [slug],
        )
        .map(spaceOf),
  };
}

export function spaceRows(sql: Statements): SpaceRows {
  return { ...membershipRows(sql), ...channelRows(sql), ...eventRows(sql), ...spaceOnlyRows(sql) };
}
