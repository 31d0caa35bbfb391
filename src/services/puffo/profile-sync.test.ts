import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { ProfileChange } from './account-types.ts';
import { type ProfilePush, pushProfile } from './profile-sync.ts';

const server = 'https://chat.example.org/relay';
const picture = new Uint8Array([1, 2, 3]);

/** A server's view of one profile, honest unless told otherwise. */
function profileServer(over: { readonly spoils?: boolean; readonly away?: boolean } = {}) {
  const blobs: Uint8Array[] = [];
  const state = { displayName: 'Old', role: '', roleShort: '', avatarUrl: '', updatedAt: 100 };
  const changes: ProfileChange[] = [];
  const account: Parameters<typeof pushProfile>[0] = {
    slug: 'bot-1234',
    client: {
      slug: 'bot-1234',
      bytes: () => Promise.reject(new Error('not asked')),
      json: (_method, _target, schema) => {
        const { displayName, role, roleShort, avatarUrl, updatedAt } = state;
        const own = {
          slug: 'bot-1234',
          display_name: displayName,
          role,
          role_short: roleShort,
          avatar_url: avatarUrl,
          profile_updated_at: updatedAt,
        };
        return Promise.resolve(ok(schema.parse({ profiles: [own] })));
      },
    },
    uploadBlob: async (bytes) => ok({ blobId: `b${blobs.push(bytes) - 1}` }),
    downloadBlob: async (id) =>
      ok(over.spoils ? new Uint8Array([9]) : (blobs[Number(id.slice(1))] ?? picture)),
    async updateProfile(change) {
      if (over.away) return err(textError('unavailable', 'The server cannot be reached.'));
      changes.push(change);
      Object.assign(state, change, { updatedAt: state.updatedAt + 100 });
      return ok(undefined);
    },
  };
  return { account, state, changes, blobs };
}

const push = (over: Partial<ProfilePush>): ProfilePush => ({
  values: {},
  picture: null,
  serverUrl: 'https://chat.example.org/relay/',
  uploadedUrl: null,
  editedAt: 150,
  onUploaded: () => undefined,
  ...over,
});

describe('Profile push', () => {
  it('updates the values that differ and verifies the result', async () => {
    const { account, state } = profileServer();
    const told = await pushProfile(
      account,
      push({ values: { displayName: 'New', role: 'R', roleShort: 'r' } }),
    );
    expect(told).toMatchObject({ ok: true, value: { type: 'synced', updatedAt: 200 } });
    expect(state).toMatchObject({ displayName: 'New', role: 'R', roleShort: 'r' });
  });

  it('sends nothing if the server has the values already, as after a lost response', async () => {
    const { account, changes } = profileServer();
    const told = await pushProfile(account, push({ values: { displayName: 'Old' }, editedAt: 0 }));
    expect(told).toMatchObject({ ok: true, value: { type: 'synced' } });
    expect(changes).toEqual([]);
  });

  it('publishes a picture only after the server returns the same bytes', async () => {
    const honest = profileServer();
    const uploaded: string[] = [];
    const onUploaded = (url: string) => uploaded.push(url);
    expect(await pushProfile(honest.account, push({ picture, onUploaded }))).toMatchObject({
      value: { avatarUrl: `${server}/blobs/b0` },
    });
    expect(uploaded).toEqual([`${server}/blobs/b0`]);
    const spoiling = profileServer({ spoils: true });
    const told = await pushProfile(spoiling.account, push({ picture, onUploaded }));
    expect(told).toMatchObject({ ok: false, error: { transient: true, error: { code: 'protocol' } } });
    expect(spoiling.changes).toEqual([]);
    expect(uploaded).toHaveLength(1);
  });

  it('does not upload a picture again that is stored and verified', async () => {
    const { account, state, blobs } = profileServer();
    await pushProfile(account, push({ picture, uploadedUrl: '/blobs/b7' }));
    expect(state.avatarUrl).toBe(`${server}/blobs/b7`);
    const again = await pushProfile(account, push({ picture, uploadedUrl: '/blobs/b7', editedAt: 0 }));
    expect(again).toMatchObject({ value: { type: 'synced', avatarUrl: `${server}/blobs/b7` } });
    expect(blobs).toEqual([]);
  });

  it('keeps a later remote change and reports it', async () => {
    const { account, state, changes } = profileServer();
    state.updatedAt = 151;
    const told = await pushProfile(account, push({ values: { displayName: 'Mine' } }));
    expect(told).toMatchObject({ value: { type: 'overtaken', remote: { displayName: 'Old' } } });
    expect(changes).toEqual([]);
    state.updatedAt = 150;
    expect(await pushProfile(account, push({ values: { displayName: 'Mine' } }))).toMatchObject({
      value: { type: 'synced' },
    });
  });

  it('reports an unavailable server as a transient error', async () => {
    const { account } = profileServer({ away: true });
    const told = await pushProfile(account, push({ values: { displayName: 'New' } }));
    expect(told).toMatchObject({ ok: false, error: { transient: true } });
  });
});
