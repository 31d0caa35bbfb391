/**
 * Certificates, pinned roots and profiles of all identities on one server, shared by all accounts there. It
 * promises that a pinned root is replaced only where a person confirmed it (T7) and that entries and cursor
 * move together.
 */

import { StoreError } from '../../core/lib/store-error.ts';
import type { PersonProfile, RegistryStore, SealedChannels } from '../../core/puffo/registry-store.ts';
import { say } from '../../language/say.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf } from './row-fields.ts';
import { createStoreFile, type StoreFile, type StoreFileOptions } from './store-file.ts';

export interface OpenRegistryStore extends RegistryStore, SealedChannels {
  /** Closes the file; the next call opens it again. */
  release(): void;
}

export type RegistryStoreOptions = StoreFileOptions & { readonly key: Uint8Array };

const schema = [
  `
CREATE TABLE entries (
  slug TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, cert TEXT NOT NULL, PRIMARY KEY (slug, seq)
) WITHOUT ROWID;
CREATE TABLE cursors (slug TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE pins (slug TEXT PRIMARY KEY, root_public_key TEXT NOT NULL, pinned_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE profiles (
  slug TEXT PRIMARY KEY, display_name TEXT NOT NULL, avatar_url TEXT NOT NULL, role TEXT NOT NULL,
  role_short TEXT NOT NULL, agent INTEGER NOT NULL
) WITHOUT ROWID;
`,
  'CREATE TABLE sealed_channels (channel_id TEXT PRIMARY KEY) WITHOUT ROWID;',
  `
CREATE TABLE retired_roots (
  slug TEXT NOT NULL, root_public_key TEXT NOT NULL, retired_at INTEGER NOT NULL, PRIMARY KEY (slug, root_public_key)
) WITHOUT ROWID;
`,
  `
CREATE TABLE verified_roots (
  slug TEXT PRIMARY KEY, root_public_key TEXT NOT NULL, verified_at INTEGER NOT NULL
) WITHOUT ROWID;
`,
];

function certOf(row: SqlRow): unknown {
  try {
    return JSON.parse(textOf(row, 'cert'));
  } catch (cause) {
    throw new StoreError('corrupt', say('storage.certificateNotJson'), { cause });
  }
}

const profileOf = (row: SqlRow): PersonProfile => ({
  slug: textOf(row, 'slug'),
  displayName: textOf(row, 'display_name'),
  avatarUrl: textOf(row, 'avatar_url'),
  role: textOf(row, 'role'),
  roleShort: textOf(row, 'role_short'),
  agent: numberOf(row, 'agent') === 1,
});

type RootRows = Pick<
  RegistryStore,
  'pinnedRoot' | 'pinRoot' | 'rivals' | 'repin' | 'retiredRoots' | 'verifiedRoots' | 'markVerified'
>;

/** The pinned identity keys, and the keys that replaced others. */
function rootRows(file: Pick<StoreFile, 'use' | 'write'>): RootRows {
  return {
    pinnedRoot: (slug) =>
      file.use(({ sql }) => {
        const row = sql('SELECT root_public_key FROM pins WHERE slug = ?').get([slug]);
        return row ? textOf(row, 'root_public_key') : null;
      }),
    pinRoot: (slug, rootPublicKey, at) =>
      file.write(({ sql }) => {
        sql('INSERT OR IGNORE INTO pins (slug, root_public_key, pinned_at) VALUES (?, ?, ?)').run([
          slug,
          rootPublicKey,
          at,
        ]);
        const row = sql('SELECT root_public_key FROM pins WHERE slug = ?').get([slug]);
        return row !== undefined && textOf(row, 'root_public_key') === rootPublicKey;
      }),
    rivals: () =>
      file.use(({ sql }) =>
        sql(`SELECT p.slug, p.root_public_key, e.cert FROM pins p
          JOIN entries e ON e.slug = p.slug AND e.kind = 'identity_cert'
          WHERE instr(e.cert, p.root_public_key) = 0 ORDER BY e.seq`)
          .all([])
          .map((row) => ({
            slug: textOf(row, 'slug'),
            pinnedRoot: textOf(row, 'root_public_key'),
            cert: certOf(row),
          })),
      ),
    repin: (slug, from, to, at) =>
      file.write(({ sql }) => {
        const pin = sql(
          'UPDATE pins SET root_public_key = ?, pinned_at = ? WHERE slug = ? AND root_public_key = ?',
        );
        if (pin.run([to, at, slug, from]).changes !== 1) return false;
        sql('DELETE FROM retired_roots WHERE slug = ? AND root_public_key = ?').run([slug, to]);
        sql('INSERT OR REPLACE INTO retired_roots VALUES (?, ?, ?)').run([slug, from, at]);
        return true;
      }),
    retiredRoots: (slug) =>
      file.use(({ sql }) =>
        sql('SELECT root_public_key FROM retired_roots WHERE slug = ?')
          .all([slug])
          .map((row) => textOf(row, 'root_public_key')),
      ),
    verifiedRoots: () =>
      file.use(
        ({ sql }) =>
          new Map(
            sql('SELECT slug, root_public_key, verified_at FROM verified_roots')
              .all([])
              .map((row) => [
                textOf(row, 'slug'),
                { root: textOf(row, 'root_public_key'), at: numberOf(row, 'verified_at') },
              ]),
          ),
      ),
    markVerified: (slug, mark) =>
      file.write(({ sql }) => {
        if (mark === null) sql('DELETE FROM verified_roots WHERE slug = ?').run([slug]);
        else sql('INSERT OR REPLACE INTO verified_roots VALUES (?, ?, ?)').run([slug, mark.root, mark.at]);
      }),
  };
}

export function openRegistryStore(options: RegistryStoreOptions): OpenRegistryStore {
  let losses = 0;
  // A cursor claims that all earlier entries are stored: after a loss every identity syncs from the start;
  // pins stay.
  const file = createStoreFile(options, schema, ({ db }) => {
    losses += 1;
    db.exec('DELETE FROM cursors');
  });
  return {
    entries: (slug) =>
      file.use(({ sql }) =>
        sql('SELECT seq, kind, cert FROM entries WHERE slug = ? ORDER BY seq')
          .all([slug])
          .map((row) => ({ seq: numberOf(row, 'seq'), kind: textOf(row, 'kind'), slug, cert: certOf(row) })),
      ),
    cursor: (slug) =>
      file.use(({ sql }) => {
        const row = sql('SELECT seq FROM cursors WHERE slug = ?').get([slug]);
        return row ? numberOf(row, 'seq') : 0;
      }),
    losses: () => losses,
    append: (slug, entries, cursor, since = 0) =>
      file.write(({ sql }) => {
        // Inside the transaction: this write may be the one that finds the damage and is retried on a
        // salvaged file.
        const stored = sql('SELECT seq FROM cursors WHERE slug = ?').get([slug]);
        if ((stored ? numberOf(stored, 'seq') : 0) < since) return false;
        const insert = sql('INSERT OR IGNORE INTO entries (slug, seq, kind, cert) VALUES (?, ?, ?, ?)');
        for (const { seq, kind, cert } of entries)
          insert.run([slug, seq, kind, JSON.stringify(cert) ?? 'null']);
        sql(`INSERT INTO cursors (slug, seq) VALUES (?, ?)
          ON CONFLICT (slug) DO UPDATE SET seq = max(seq, excluded.seq)`).run([slug, cursor]);
        return true;
      }),
    ...rootRows(file),
    profile: (slug) =>
      file.use(({ sql }) => {
        const row = sql('SELECT * FROM profiles WHERE slug = ?').get([slug]);
        return row ? profileOf(row) : null;
      }),
    saveProfiles: (profiles) => {
      if (profiles.length === 0) return;
      file.write(({ sql }) => {
        const save = sql(`INSERT INTO profiles (slug, display_name, avatar_url, role, role_short, agent)
          VALUES (:slug, :displayName, :avatarUrl, :role, :roleShort, :agent)
          ON CONFLICT (slug) DO UPDATE SET display_name = excluded.display_name, avatar_url = excluded.avatar_url,
            role = excluded.role, role_short = excluded.role_short, agent = excluded.agent`);
        for (const { slug, displayName, avatarUrl, role, roleShort, agent } of profiles) {
          save.run({ slug, displayName, avatarUrl, role, roleShort, agent: agent ? 1 : 0 });
        }
      });
    },
    sealedChannels: () =>
      file.use(({ sql }) =>
        sql('SELECT channel_id FROM sealed_channels ORDER BY channel_id')
          .all([])
          .map((row) => textOf(row, 'channel_id')),
      ),
    keepSealed: (channelIds) => {
      if (channelIds.length === 0) return;
      file.write(({ sql }) => {
        const keep = sql('INSERT OR IGNORE INTO sealed_channels (channel_id) VALUES (?)');
        for (const channelId of channelIds) keep.run([channelId]);
      });
    },
    release: () => file.release(),
  };
}
