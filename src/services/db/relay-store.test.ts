import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceRow, IdentityRow, MailRow, RelayStore } from '../../relay/store-port.ts';
import { openDatabase } from './binding.ts';
import { relaySchemaSteps } from './relay-schema.ts';
import { openRelayStore } from './relay-store.ts';

let folder: string;
let store: RelayStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-relay-store-'));
  store = openRelayStore(join(folder, 'relay.db'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const identity = (slug: string, more: Partial<IdentityRow> = {}): IdentityRow => ({
  slug,
  username: slug,
  rootPublicKey: `root-${slug}`,
  identityType: 'human',
  operatorRootPublicKey: null,
  operatorSlug: null,
  displayName: slug,
  avatarUrl: '',
  bio: '',
  role: '',
  roleShort: '',
  profileUpdatedAt: 1,
  createdAt: 1,
  ...more,
});
const device = (deviceId: string, slug: string): DeviceRow => ({
  deviceId,
  slug,
  signingPublicKey: 's',
  kemPublicKey: 'k',
  createdAt: 1,
  expiresAt: null,
  revokedFrom: null,
});
const message = (id: string, receivedAt: number, devices: string[]): Omit<MailRow, 'seq'> => ({
  envelopeId: id,
  kind: 'dm',
  senderSlug: 'a',
  spaceId: null,
  channelId: null,
  recipientSlug: 'b',
  sentAt: receivedAt,
  receivedAt,
  encrypted: true,
  body: '{}',
  digest: 'd',
  devices,
});

describe('Relay transactions', () => {
  test('A failed transaction is rolled back; a failed attempt undoes only its own changes', () => {
    expect(() =>
      store.transaction(() => {
        store.people.addIdentity(identity('a'));
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(store.people.identity('a')).toBeNull();
    store.transaction(() => {
      store.people.addIdentity(identity('a'));
      store.attempt(
        () => store.people.addIdentity(identity('b')),
        () => false,
      );
      expect(() =>
        store.attempt(
          () => {
            store.people.addIdentity(identity('c'));
            throw new Error('stop');
          },
          () => true,
        ),
      ).toThrow('stop');
      store.attempt(
        () => store.people.addIdentity(identity('d')),
        () => true,
      );
    });
    expect(['a', 'b', 'c', 'd'].map((slug) => store.people.identity(slug) !== null)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('T26: Quotes, wildcards and unusual names are stored as plain data', () => {
    const odd = `x'; DROP TABLE identities; --"%___proto__`;
    store.people.addIdentity(identity(odd, { displayName: odd }));
    expect(store.people.identities([odd, '__proto__'])).toEqual([identity(odd, { displayName: odd })]);
  });
});

test('Events get strictly increasing times, even if the clock stops or goes back', () => {
  const add = (eventId: string, now: number) =>
    store.spaces.addEvent(
      { eventId, spaceId: 'sp', channelId: null, kind: 'k', signerSlug: 's', event: '{}' },
      now,
    ).at;
  expect([add('e1', 100), add('e2', 100), add('e3', 50), add('e4', 200)]).toEqual([100, 101, 102, 200]);
});

test('Retention drops delivered messages early and undelivered ones late', () => {
  const add = (id: string, receivedAt: number, waiting: string[]) => {
    const seq = store.mail.addMessage(message(id, receivedAt, ['d1']));
    for (const deviceId of waiting) store.mail.queue(deviceId, seq, 'e');
  };
  const prune = (deliveredBefore: number, undeliveredBefore: number) =>
    store.prune({ now: 1_000, deliveredBefore, undeliveredBefore });
  add('old-done', 100, []);
  add('old-waiting', 100, ['d1']);
  add('new-done', 900, []);
  store.nonces.remember('old', 999);
  store.nonces.remember('new', 1_001);
  expect(prune(500, 50)).toEqual({ messages: 1, blobs: 0 });
  expect(['old-done', 'old-waiting', 'new-done'].map((id) => store.mail.message(id) !== null)).toEqual([
    false,
    true,
    true,
  ]);
  expect([store.nonces.seen('old'), store.nonces.seen('new')]).toEqual([false, true]);
  prune(500, 500);
  expect(store.mail.message('old-waiting')).toBeNull();
  expect(store.mail.pending('d1', 0, 10, null)).toEqual([]);
});

test('Retention drops old blobs but keeps profile pictures', () => {
  const add = (blobId: string) =>
    store.blobs.addBlob({ blobId, ownerSlug: 'a', size: 1, uploadedAt: 1 }, new Uint8Array([7]));
  add('blob_face');
  add('blob_file');
  store.people.addIdentity(identity('a', { avatarUrl: 'https://relay.example/blobs/blob_face' }));
  expect(store.prune({ now: 9, deliveredBefore: 5, undeliveredBefore: 5 })).toEqual({
    messages: 0,
    blobs: 1,
  });
  expect(store.blobs.blob('blob_face')?.data).toEqual(expect.objectContaining({ 0: 7 }));
  expect(store.blobs.blob('blob_file')).toBeNull();
});

test('The effective time of a revocation can be moved earlier but not later', () => {
  store.people.addDevice(device('d', 'a'));
  store.people.revokeDevice('d', 500);
  store.people.revokeDevice('d', 900);
  expect(store.people.device('d')?.revokedFrom).toBe(500);
  store.people.revokeDevice('d', 300);
  expect(store.people.device('d')?.revokedFrom).toBe(300);
});

test('The relay database is in WAL mode, so that an invite can be written while the relay runs', () => {
  const path = join(folder, 'relay.db');
  const beside = openDatabase(path);
  expect(beside.pragma('journal_mode')).toBe('wal');
  beside.close();
});

test('F24: A database of the first version is migrated, and a copy of it is kept', () => {
  const path = join(folder, 'older.db');
  const older = openDatabase(path);
  older.exec(relaySchemaSteps[0] ?? '');
  older.exec("INSERT INTO spaces VALUES ('sp_1', 'Den', 'alice-0001', 5)");
  older.exec('PRAGMA user_version = 1');
  older.close();
  const opened = openRelayStore(path);
  expect(opened.spaces.space('sp_1')).toMatchObject({
    name: 'Den',
    ownerSlug: 'alice-0001',
    archived: false,
  });
  expect(opened.spaces.isGone('sp_1')).toBe(false);
  opened.close();
  const kept = openDatabase(`${path}.schema-1`);
  expect(kept.pragma('user_version')).toBe(1);
  kept.close();
});

test('F24: A database without invite links is migrated, keeps its rows, and takes links', () => {
  const path = join(folder, 'before-links.db');
  const older = openDatabase(path);
  for (const step of relaySchemaSteps.slice(0, 4)) older.exec(step);
  older.exec("INSERT INTO spaces (space_id, name, owner_slug, created_at) VALUES ('sp_1', 'Den', 'a-1', 5)");
  older.exec('PRAGMA user_version = 4');
  older.close();
  const opened = openRelayStore(path);
  const link = { linkId: 'ev_1', secretHash: 'h', spaceId: 'sp_1', inviterSlug: 'a-1', createdAt: 5 };
  opened.links.add({ ...link, expiresAt: null, maxUses: 10 });
  opened.links.saveUse('ev_1', 'b-1', { signedUp: true, joined: false }, 6);
  opened.close();
  const again = openRelayStore(path);
  expect(again.spaces.space('sp_1')?.name).toBe('Den');
  expect(again.links.bySecret('h')).toEqual({
    ...link,
    expiresAt: null,
    maxUses: 10,
    revokedAt: null,
    uses: 1,
  });
  expect([
    again.links.use('ev_1', 'b-1'),
    again.links.use('ev_1', 'c-1'),
    again.links.signUpsBy('a-1'),
  ]).toEqual([{ signedUp: true, joined: false }, null, 1]);
  again.close();
  const kept = openDatabase(`${path}.schema-4`);
  expect(kept.pragma('user_version')).toBe(4);
  kept.close();
});

test('Deleting a space deletes only its own channels and members', () => {
  const { spaces } = store;
  for (const spaceId of ['sp_1', 'sp_2']) {
    spaces.addSpace({ spaceId, name: spaceId, ownerSlug: 'a', createdAt: 1, archived: false });
    spaces.saveMember(spaceId, { slug: 'a', role: 'owner' }, 1);
    const channelId = `ch_${spaceId}`;
    const more = { description: '', isPublic: true, isEncrypted: true, ownerSlug: 'a', createdAt: 1 };
    spaces.addChannel({ channelId, spaceId, name: 'general', ...more });
    spaces.saveChannelMember(channelId, { slug: 'a', role: 'owner' }, 1);
  }
  spaces.removeSpace('sp_1');
  expect(spaces.spacesOf('a').map(({ spaceId }) => spaceId)).toEqual(['sp_2']);
  expect([spaces.channelMembers('ch_sp_1'), spaces.members('sp_1')]).toEqual([[], []]);
  expect(spaces.channelMembers('ch_sp_2')).toHaveLength(1);
  expect(['sp_1', 'ch_sp_1', 'sp_2', 'ch_sp_2'].map((id) => spaces.isGone(id))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('A database of a newer version is refused and left unchanged', () => {
  const path = join(folder, 'newer.db');
  const newer = openDatabase(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openRelayStore(path)).toThrow('newer Kennel');
});
