import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld, type Reply } from '../../test/fakes/relay-world.ts';
import { openRelayStore } from '../services/db/relay-store.ts';
import type { RelayStore } from './store-port.ts';

const world = new RelayWorld();
let store: RelayStore;
const people = {} as Record<'owner' | 'admin' | 'member' | 'stranger' | 'target' | 'guest', Person>;
beforeAll(async () => {
  store = openRelayStore(world.file);
  await world.start(store);
  for (const name of ['owner', 'admin', 'member', 'stranger', 'target', 'guest'] as const) {
    people[name] = await world.join(name);
  }
});
afterAll(() => world.end());

const ranks = ['owner', 'admin', 'member', 'stranger'] as const;
type Rank = (typeof ranks)[number];

interface Scene {
  readonly spaceId: string;
  readonly general: string;
  readonly side: string;
  /** A private channel with everyone except the target. */
  readonly closed: string;
}

let made = 0;
const secret = 'Conservatory';

/**
 * Creates a space of four directly in the store: two public channels and a private one, all created by the
 * owner.
 */
function newScene(): Scene {
  made += 1;
  const spaceId = `sp_${made}`;
  const [general, side, closed] = [`ch_general-${made}`, `ch_side-${made}`, `ch_closed-${made}`];
  const { owner, admin, member, target } = people;
  store.transaction(() => {
    const { spaces } = store;
    spaces.addSpace({ spaceId, name: secret, ownerSlug: owner.slug, createdAt: 1, archived: false });
    const inside = {
      [owner.slug]: 'owner',
      [admin.slug]: 'admin',
      [member.slug]: 'member',
      [target.slug]: 'member',
    };
    for (const [slug, role] of Object.entries(inside)) {
      spaces.saveMember(spaceId, { slug, role: role as 'member' }, 1);
    }
    for (const channelId of [general, side, closed]) {
      const more = { isPublic: channelId !== closed, isEncrypted: true, createdAt: 1, description: '' };
      spaces.addChannel({
        channelId,
        spaceId,
        name: `${secret} ${channelId}`,
        ownerSlug: owner.slug,
        ...more,
      });
      for (const slug of Object.keys(inside)) {
        if (channelId === closed && slug === target.slug) continue;
        const role = slug === owner.slug ? 'owner' : 'member';
        spaces.saveChannelMember(channelId, { slug, role }, 1);
      }
    }
  });
  return { spaceId, general, side, closed };
}

/** All changeable state of a space. */
function stateOf({ spaceId, general, side, closed }: Scene): unknown {
  const { spaces } = store;
  const byName = (rows: readonly { readonly slug: string }[]) =>
    [...rows].sort((a, b) => a.slug.localeCompare(b.slug));
  return {
    space: spaces.space(spaceId),
    members: byName(spaces.members(spaceId)),
    channels: spaces.channels(spaceId),
    channelMembers: [general, side, closed].map((id) => byName(spaces.channelMembers(id))),
    invitations: spaces.openInvitations({ space: spaceId }),
    events: spaces.events({ spaceId, slug: people.owner.slug, since: null, limit: 500 }).length,
  };
}

interface Action {
  readonly allowed: readonly Rank[];
  /** The expected status if it is not the usual refusal. */
  readonly otherwise?: Partial<Record<Rank, number>>;
  readonly before?: (scene: Scene) => void;
  run(by: Person, scene: Scene): Promise<Reply>;
  done(scene: Scene, by: Person): unknown;
}

const leaders = ['owner', 'admin'] as const;
const insiders = ['owner', 'admin', 'member'] as const;
const space = ({ spaceId }: Scene, more = ''): string => `/spaces/${spaceId}${more}`;
const post = (by: Person, { spaceId }: Scene, kind: string, payload: Json): Promise<Reply> =>
  world.post(by, kind, { space_id: spaceId, ...payload });
const isIn = (channelId: string, { slug }: Person): boolean =>
  store.spaces.channelMember(channelId, slug) !== null;
const archive = ({ spaceId }: Scene): void =>
  store.transaction(() => store.spaces.setArchived(spaceId, true));

const actions: Readonly<Record<string, Action>> = {
  'rename the space': {
    allowed: leaders,
    run: (by, scene) => world.call(by, 'PATCH', space(scene), { name: 'Orangery' }),
    done: ({ spaceId }) => store.spaces.space(spaceId)?.name === 'Orangery',
  },
  'archive it': {
    allowed: ['owner'],
    run: (by, scene) => world.call(by, 'POST', space(scene, '/archive')),
    done: ({ spaceId }) => store.spaces.space(spaceId)?.archived,
  },
  'bring it back': {
    allowed: ['owner'],
    before: archive,
    run: (by, scene) => world.call(by, 'POST', space(scene, '/unarchive')),
    done: ({ spaceId }) => store.spaces.space(spaceId)?.archived === false,
  },
  'delete it': {
    allowed: ['owner'],
    run: (by, scene) => world.call(by, 'DELETE', space(scene)),
    done: ({ spaceId, closed }) =>
      store.spaces.space(spaceId) === null && store.spaces.channelMembers(closed).length === 0,
  },
  'create a channel': {
    allowed: insiders,
    run: (by, scene) =>
      post(by, scene, 'create_channel', { channel_id: `${scene.side}-new`, name: 'new', created_at: 1 }),
    done: ({ side }, { slug }) => store.spaces.channel(`${side}-new`)?.ownerSlug === slug,
  },
  'rename a channel': {
    allowed: leaders,
    run: (by, scene) => world.call(by, 'PATCH', space(scene, `/channels/${scene.side}`), { name: 'fern' }),
    done: ({ side }) => store.spaces.channel(side)?.name === 'fern',
  },
  'delete a channel': {
    allowed: leaders,
    run: (by, scene) => world.call(by, 'DELETE', space(scene, `/channels/${scene.side}`)),
    done: ({ side }) => store.spaces.channel(side) === null && store.spaces.channelMembers(side).length === 0,
  },
  'invite to the space': {
    allowed: insiders,
    run: (by, scene) => post(by, scene, 'invite_to_space', { invitee_slug: people.guest.slug, issued_at: 1 }),
    done: ({ spaceId }) => store.spaces.openInvitations({ space: spaceId }).length === 1,
  },
  'invite to a closed channel': {
    allowed: insiders,
    run: (by, scene) =>
      post(by, scene, 'invite_to_channel', {
        channel_id: scene.closed,
        invitee_slug: people.target.slug,
        issued_at: 1,
      }),
    done: ({ spaceId, closed }) => store.spaces.openInvitations({ space: spaceId })[0]?.channelId === closed,
  },
  'remove from the space': {
    allowed: leaders,
    run: (by, scene) =>
      post(by, scene, 'remove_from_space', { removed_slug: people.target.slug, effective_from: 1 }),
    done: ({ spaceId, general }) =>
      store.spaces.member(spaceId, people.target.slug) === null && !isIn(general, people.target),
  },
  'remove from a channel': {
    allowed: leaders,
    run: (by, scene) =>
      post(by, scene, 'remove_from_channel', {
        channel_id: scene.side,
        removed_slug: people.target.slug,
        effective_from: 1,
      }),
    done: ({ side, general }) => !isIn(side, people.target) && isIn(general, people.target),
  },
  'change a role': {
    allowed: ['owner'],
    run: (by, scene) =>
      post(by, scene, 'update_role', { target_slug: people.target.slug, new_role: 'admin', issued_at: 1 }),
    done: ({ spaceId }) => store.spaces.member(spaceId, people.target.slug)?.role === 'admin',
  },
  'hand it over': {
    allowed: ['owner'],
    run: (by, scene) =>
      post(by, scene, 'transfer_space_ownership', { new_owner_slug: people.target.slug, issued_at: 1 }),
    done: ({ spaceId }, { slug }) =>
      store.spaces.member(spaceId, people.target.slug)?.role === 'owner' &&
      store.spaces.member(spaceId, slug)?.role === 'admin',
  },
  'leave the space': {
    allowed: ['admin', 'member'],
    otherwise: { owner: 409 },
    run: (by, scene) => post(by, scene, 'leave_space', { effective_from: 1 }),
    done: ({ spaceId, general }, by) => store.spaces.member(spaceId, by.slug) === null && !isIn(general, by),
  },
  'leave a channel': {
    allowed: insiders,
    run: (by, scene) => post(by, scene, 'leave_channel', { channel_id: scene.side, effective_from: 1 }),
    done: ({ side, general }, by) => !isIn(side, by) && isIn(general, by),
  },
};

describe.each(Object.entries(actions))('Permission to %s', (_name, action) => {
  test.each(ranks)('is as specified for the rank %s', async (rank) => {
    const scene = newScene();
    action.before?.(scene);
    const before = stateOf(scene);
    const by = people[rank];
    const reply = await action.run(by, scene);
    if (action.allowed.includes(rank)) {
      expect(reply).toMatchObject({ status: 200, body: { ok: true } });
      expect(action.done(scene, by)).toBe(true);
      return;
    }
    expect(reply.status).toBe(action.otherwise?.[rank] ?? 403);
    expect(stateOf(scene)).toEqual(before);
    if (rank !== 'stranger') return;
    expect(JSON.stringify(reply.body)).not.toContain(secret);
    // A space that does not exist gets exactly the same refusal.
    const nowhere = { spaceId: 'sp_none', general: 'ch_none', side: 'ch_none', closed: 'ch_none' };
    expect((await action.run(by, nowhere)).body).toEqual(reply.body);
  });
});

test('An admin cannot remove the owner or another admin, and non-members cannot change a private channel', async () => {
  const scene = newScene();
  const { owner, admin, target } = people;
  store.transaction(() => store.spaces.saveMember(scene.spaceId, { slug: target.slug, role: 'admin' }, 1));
  const before = stateOf(scene);
  const closed = space(scene, `/channels/${scene.closed}`);
  const attempts = [
    post(admin, scene, 'remove_from_space', { removed_slug: owner.slug }),
    post(admin, scene, 'remove_from_space', { removed_slug: target.slug }),
    post(admin, scene, 'remove_from_channel', { channel_id: scene.side, removed_slug: owner.slug }),
    world.call(target, 'PATCH', closed, { name: 'mine' }),
    world.call(target, 'DELETE', closed),
    world.call(target, 'GET', `${closed}/members`),
  ];
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 403));
  expect(stateOf(scene)).toEqual(before);
});

test('The last channel open to all members cannot be deleted, and ids of deleted channels and spaces are never reused', async () => {
  const scene = newScene();
  const { owner, stranger } = people;
  const gone = await world.call(owner, 'DELETE', space(scene, `/channels/${scene.side}`));
  expect(gone.status).toBe(200);
  const last = await world.call(owner, 'DELETE', space(scene, `/channels/${scene.general}`));
  expect(last.status).toBe(409);
  const again = await post(owner, scene, 'create_channel', {
    channel_id: scene.side,
    name: 'x',
    created_at: 1,
  });
  expect(again.status).toBe(409);
  expect((await world.call(owner, 'DELETE', space(scene))).status).toBe(200);
  const taken = await post(stranger, scene, 'create_space', { name: 'mine now', created_at: 1 });
  expect(taken.status).toBe(409);
});

test('The list of spaces tells each member its own role and whether the space is archived', async () => {
  const scene = newScene();
  archive(scene);
  const seen = async (by: Person) => {
    const { spaces } = (await world.call(by, 'GET', '/spaces')).body as { spaces: Json[] };
    return spaces.find(({ space_id: id }) => id === scene.spaceId);
  };
  expect(await seen(people.admin)).toMatchObject({ role: 'admin', archived: true, name: secret });
  expect(await seen(people.target)).toMatchObject({ role: 'member', archived: true });
  expect(await seen(people.stranger)).toBeUndefined();
});
