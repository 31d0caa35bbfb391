/** Invites, sign-ups, identities, devices, subkeys and the certificate log of the relay. */
import type { DeviceRow, IdentityRow, PendingSignUp, PeopleRows, SubkeyRow } from '../../relay/store-port.ts';
import type { SqlRow } from './binding.ts';
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

const identityOf = (row: SqlRow): IdentityRow => ({
  slug: text(row.slug),
  username: text(row.username),
  rootPublicKey: text(row.root_key),
  identityType: row.identity_type === 'agent' ? 'agent' : 'human',
  operatorRootPublicKey: relayTextOrNull(row.operator_root),
  operatorSlug: relayTextOrNull(row.operator_slug),
  displayName: text(row.display_name),
  avatarUrl: text(row.avatar_url),
  bio: text(row.bio),
  role: text(row.role),
  roleShort: text(row.role_short),
  profileUpdatedAt: int(row.profile_updated_at),
  createdAt: int(row.created_at),
});

const deviceOf = (row: SqlRow): DeviceRow => ({
  deviceId: text(row.device_id),
  slug: text(row.slug),
  signingPublicKey: text(row.signing_key),
  kemPublicKey: text(row.kem_key),
  createdAt: int(row.created_at),
  expiresAt: intOrNull(row.expires_at),
  revokedFrom: intOrNull(row.revoked_from),
});

const subkeyOf = (row: SqlRow): SubkeyRow => ({
  subkeyId: text(row.subkey_id),
  deviceId: text(row.device_id),
  slug: text(row.slug),
  publicKey: text(row.public_key),
  issuedAt: int(row.issued_at),
  expiresAt: intOrNull(row.expires_at),
});

type InviteRows = Pick<
  PeopleRows,
  | 'addInvite'
  | 'inviteOpen'
  | 'takeInvite'
  | 'addPending'
  | 'pending'
  | 'completePending'
  | 'dropPending'
  | 'countAgents'
  | 'slugTaken'
>;

function inviteRows(sql: Statements): InviteRows {
  const openInvite = 'code_hash = ? AND used_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';
  return {
    addInvite: (codeHash, createdAt, expiresAt) =>
      void sql.run('INSERT INTO invites (code_hash, created_at, expires_at) VALUES (?, ?, ?)', [
        codeHash,
        createdAt,
        expiresAt,
      ]),
    inviteOpen: (codeHash, at) =>
      sql.get(`SELECT 1 FROM invites WHERE ${openInvite}`, [codeHash, at]) !== null,
    takeInvite: (codeHash, at, usedBy) =>
      sql.run(`UPDATE invites SET used_at = ?, used_by = ? WHERE ${openInvite}`, [
        at,
        usedBy,
        codeHash,
        at,
      ]) === 1,
    addPending: ({ tokenHash, slug, expiresAt, completed, ...draft }) =>
      void sql.run('INSERT INTO pending_sign_ups VALUES (?, ?, ?, ?, ?)', [
        tokenHash,
        slug,
        expiresAt,
        flagValue(completed),
        JSON.stringify(draft),
      ]),
    pending: (tokenHash) => {
      const row = sql.get('SELECT * FROM pending_sign_ups WHERE token_hash = ?', [tokenHash]);
      if (!row) return null;
      type Draft = Omit<PendingSignUp, 'tokenHash' | 'slug' | 'expiresAt' | 'completed'>;
      return {
        ...(JSON.parse(text(row.draft)) as Draft),
        tokenHash,
        slug: text(row.slug),
        expiresAt: int(row.expires_at),
        completed: flagNumber(row.completed),
      };
    },
    completePending: (tokenHash) =>
      void sql.run('UPDATE pending_sign_ups SET completed = 1 WHERE token_hash = ?', [tokenHash]),
    dropPending: (inviteHash, keep) => {
      const ofInvite = "completed = 0 AND json_extract(draft, '$.inviteHash') = ?";
      sql.run(
        `DELETE FROM pending_sign_ups WHERE ${ofInvite} AND token_hash NOT IN (
           SELECT token_hash FROM pending_sign_ups WHERE ${ofInvite} ORDER BY expires_at DESC LIMIT ?)`,
        [inviteHash, inviteHash, keep],
      );
    },
    countAgents: (operatorSlug, at) =>
      int(
        sql.get(
          `SELECT max(
             (SELECT count(*) FROM identities i WHERE operator_slug = ?
                AND EXISTS (SELECT 1 FROM devices d WHERE d.slug = i.slug AND d.revoked_from IS NULL)),
             (SELECT count(*) FROM identities WHERE operator_slug = ?) / 10
           ) + (SELECT count(*) FROM pending_sign_ups WHERE completed = 0 AND expires_at > ?
                  AND json_extract(draft, '$.identity.operatorSlug') = ?) AS n`,
          [operatorSlug, operatorSlug, at, operatorSlug],
        )?.n,
      ),
    slugTaken: (slug) =>
      sql.get(
        'SELECT 1 FROM identities WHERE slug = ? UNION ALL SELECT 1 FROM pending_sign_ups WHERE slug = ?',
        [slug, slug],
      ) !== null,
  };
}

type IdentityRows = Pick<
  PeopleRows,
  'addIdentity' | 'identity' | 'identityByRoot' | 'identities' | 'everybody' | 'saveProfile'
>;

function identityRows(sql: Statements): IdentityRows {
  const one = (where: string, value: string): IdentityRow | null => {
    const row = sql.get(`SELECT * FROM identities WHERE ${where} = ?`, [value]);
    return row && identityOf(row);
  };
  return {
    addIdentity: (identity) =>
      void sql.run('INSERT INTO identities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        identity.slug,
        identity.username,
        identity.rootPublicKey,
        identity.identityType,
        identity.operatorRootPublicKey,
        identity.operatorSlug,
        identity.displayName,
        identity.avatarUrl,
        identity.bio,
        identity.role,
        identity.roleShort,
        identity.profileUpdatedAt,
        identity.createdAt,
      ]),
    identity: (slug) => one('slug', slug),
    identityByRoot: (rootPublicKey) => one('root_key', rootPublicKey),
    identities: (slugs) =>
      sql
        .all('SELECT * FROM identities WHERE slug IN (SELECT value FROM json_each(?)) ORDER BY slug', [
          listValue(slugs),
        ])
        .map(identityOf),
    everybody: (limit) => sql.all('SELECT * FROM identities ORDER BY slug LIMIT ?', [limit]).map(identityOf),
    saveProfile: (slug, fields, at) =>
      void sql.run(
        `UPDATE identities SET display_name = ?, avatar_url = ?, bio = ?, role = ?, role_short = ?,
           profile_updated_at = ? WHERE slug = ?`,
        [fields.displayName, fields.avatarUrl, fields.bio, fields.role, fields.roleShort, at, slug],
      ),
  };
}

export function peopleRows(sql: Statements): PeopleRows {
  return {
    ...inviteRows(sql),
    ...identityRows(sql),
    addDevice: (device) =>
      void sql.run('INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?, ?)', [
        device.deviceId,
        device.slug,
        device.signingPublicKey,
        device.kemPublicKey,
        device.createdAt,
        device.expiresAt,
        device.revokedFrom,
      ]),
    device: (deviceId) => {
      const row = sql.get('SELECT * FROM devices WHERE device_id = ?', [deviceId]);
      return row && deviceOf(row);
    },
    devicesOf: (slugs) =>
      sql
        .all(
          'SELECT * FROM devices WHERE slug IN (SELECT value FROM json_each(?)) ORDER BY slug, created_at',
          [listValue(slugs)],
        )
        .map(deviceOf),
    revokeDevice: (deviceId, from) =>
      void sql.run(
        'UPDATE devices SET revoked_from = min(coalesce(revoked_from, ?), ?) WHERE device_id = ?',
        [from, from, deviceId],
      ),
    addSubkey: (subkey) =>
      void sql.run('INSERT INTO subkeys VALUES (?, ?, ?, ?, ?, ?)', [
        subkey.subkeyId,
        subkey.deviceId,
        subkey.slug,
        subkey.publicKey,
        subkey.issuedAt,
        subkey.expiresAt,
      ]),
    subkey: (subkeyId) => {
      const row = sql.get('SELECT * FROM subkeys WHERE subkey_id = ?', [subkeyId]);
      return row && subkeyOf(row);
    },
    addCert: (slug, kind, cert) =>
      int(
        sql.get('INSERT INTO certs (slug, kind, cert) VALUES (?, ?, ?) RETURNING seq', [slug, kind, cert])
          ?.seq,
      ),
    certs: (slugs, since, limit) =>
      sql
        .all(
          'SELECT * FROM certs WHERE slug IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?',
          [listValue(slugs), since, limit],
        )
        .map((row) => ({
          seq: int(row.seq),
          kind: text(row.kind),
          slug: text(row.slug),
          cert: text(row.cert),
        })),
  };
}
