/** Invite links to spaces and the people who used them, in the relay's store. */
import type { InviteLinkRow, LinkRows } from '../../relay/store-port-links.ts';
import type { SqlRow } from './binding.ts';
import { flagNumber, flagValue, int, intOrNull, type Statements, text } from './relay-statements.ts';

const linkOf = (row: SqlRow): InviteLinkRow => ({
  linkId: text(row.link_id),
  secretHash: text(row.secret_hash),
  spaceId: text(row.space_id),
  inviterSlug: text(row.inviter_slug),
  createdAt: int(row.created_at),
  expiresAt: intOrNull(row.expires_at),
  maxUses: intOrNull(row.max_uses),
  revokedAt: intOrNull(row.revoked_at),
  uses: int(row.uses),
});

const select =
  'SELECT l.*, (SELECT count(*) FROM link_uses u WHERE u.link_id = l.link_id) AS uses FROM invite_links l';

export function linkRows(sql: Statements): LinkRows {
  const one = (column: 'link_id' | 'secret_hash', value: string): InviteLinkRow | null => {
    const row = sql.get(`${select} WHERE l.${column} = ?`, [value]);
    return row && linkOf(row);
  };
  return {
    add: (link) =>
      void sql.run(
        `INSERT INTO invite_links (link_id, secret_hash, space_id, inviter_slug, created_at, expires_at, max_uses)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [
          link.linkId,
          link.secretHash,
          link.spaceId,
          link.inviterSlug,
          link.createdAt,
          link.expiresAt,
          link.maxUses,
        ],
      ),
    bySecret: (secretHash) => one('secret_hash', secretHash),
    byId: (linkId) => one('link_id', linkId),
    ofSpace: (spaceId) =>
      sql
        .all(
          `${select} WHERE l.space_id = ? AND l.revoked_at IS NULL ORDER BY l.created_at DESC, l.link_id`,
          [spaceId],
        )
        .map(linkOf),
    revoke: (linkId, at) =>
      void sql.run('UPDATE invite_links SET revoked_at = coalesce(revoked_at, ?) WHERE link_id = ?', [
        at,
        linkId,
      ]),
    use: (linkId, slug) => {
      const row = sql.get('SELECT * FROM link_uses WHERE link_id = ? AND slug = ?', [linkId, slug]);
      return row && { signedUp: flagNumber(row.signed_up), joined: flagNumber(row.joined) };
    },
    saveUse: (linkId, slug, use, at) =>
      void sql.run(
        `INSERT INTO link_uses (link_id, slug, signed_up, joined, at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET signed_up = excluded.signed_up, joined = excluded.joined`,
        [linkId, slug, flagValue(use.signedUp), flagValue(use.joined), at],
      ),
    signUpsBy: (inviterSlug) =>
      int(
        sql.get(
          `SELECT count(*) AS n FROM link_uses u JOIN invite_links l ON l.link_id = u.link_id
           WHERE l.inviter_slug = ? AND u.signed_up = 1`,
          [inviterSlug],
        )?.n,
      ),
  };
}
