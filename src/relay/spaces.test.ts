import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { newChannelId } from '../core/puffo/ids.ts';
import type { SignedEvent } from '../core/puffo/wire.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';

describe('Spaces', () => {
  const world = new RelayWorld();
  let alice: Person;
  let bob: Person;
  let guide: Person;
  let den: { readonly spaceId: string; readonly channelId: string };
  beforeAll(async () => {
    await world.start();
    [alice, bob] = [await world.join('alice'), await world.join('bob')];
    guide = await world.adopt(alice, 'guide');
    den = await world.space(alice);
  });
  afterAll(() => world.end());

  const now = () => world.clock.now();
  const invites = async (person: Person) =>
    (await world.call(person, 'GET', '/invites?direction=received')).body.invites as Json[];
  const accept = (person: Person, invitation: Json | undefined) =>
    world.post(person, `accept_${String(invitation?.scope)}_invite`, {
      space_id: invitation?.space_id,
      ...(invitation?.channel_id ? { channel_id: invitation.channel_id } : {}),
      invitation_event_id: invitation?.invitation_event_id,
      accepted_at: now(),
    });
  const members = async (person: Person, channelId: string) => {
    const answer = await world.call(person, 'GET', `/spaces/${den.spaceId}/channels/${channelId}/members`);
    return (answer.body.members as { slug: string }[] | undefined)?.map(({ slug }) => slug) ?? answer.status;
  };

  test('start with one public channel named general, created by a signed event', async () => {
    const answer = await world.call(alice, 'GET', `/spaces/${den.spaceId}/channels`);
    expect(answer.body.channels).toEqual([
      expect.objectContaining({
        channel_id: den.channelId,
        name: 'general',
        is_public: true,
        is_encrypted: true,
      }),
    ]);
    const events = await world.call(alice, 'GET', `/spaces/${den.spaceId}/events`);
    expect((events.body.events as SignedEvent[]).map((event) => event.kind)).toEqual([
      'create_space',
      'create_channel',
    ]);
  });

  test('are hidden from non-members, who can neither read nor change them', async () => {
    for (const path of ['channels', 'events', 'members', `channels/${den.channelId}/members`]) {
      expect((await world.call(bob, 'GET', `/spaces/${den.spaceId}/${path}`)).status).toBe(403);
    }
    const attempts = [
      world.post(bob, 'create_channel', { space_id: den.spaceId, channel_id: 'ch_x', name: 'x' }),
      world.invite(bob, den.spaceId, guide.slug),
      world.post(bob, 'remove_from_space', { space_id: den.spaceId, removed_slug: alice.slug }),
      world.post(bob, 'leave_space', { space_id: den.spaceId }),
      world.post(bob, 'transfer_space_ownership', { space_id: den.spaceId, new_owner_slug: bob.slug }),
    ];
    expect((await Promise.all(attempts)).map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    expect((await world.call(bob, 'GET', '/spaces')).body.spaces).toEqual([]);
  });

  test('keep an invitation pending until the invitee, and only the invitee, accepts it once', async () => {
    await world.invite(alice, den.spaceId, bob.slug);
    expect((await world.invite(alice, den.spaceId, bob.slug)).status).toBe(409);
    const [invitation] = await invites(bob);
    expect(invitation).toMatchObject({ scope: 'space', space_name: 'Den', inviter_slug: alice.slug });
    expect((await accept(guide, invitation)).status).toBe(404);
    expect((await accept(bob, { ...invitation, scope: 'channel', channel_id: den.channelId })).status).toBe(
      404,
    );
    expect((await accept(bob, invitation)).status).toBe(200);
    expect(await accept(bob, invitation)).toMatchObject({
      status: 409,
      body: { said: { key: 'relay.invitationClosed_accepted' } },
    });
    expect(await invites(bob)).toEqual([]);
    expect(await members(bob, den.channelId)).toEqual([alice.slug, bob.slug]);
  });

  test('end an invitation when the inviter’s membership ends', async () => {
    const [mallory, carol] = [await world.join('mallory'), await world.join('carol')];
    await world.invite(alice, den.spaceId, mallory.slug);
    expect((await accept(mallory, (await invites(mallory))[0])).status).toBe(200);
    await world.invite(mallory, den.spaceId, carol.slug);
    const [invitation] = await invites(carol);
    const removal = { space_id: den.spaceId, removed_slug: mallory.slug, effective_from: now() };
    expect((await world.post(alice, 'remove_from_space', removal)).status).toBe(200);
    expect(await accept(carol, invitation)).toMatchObject({
      status: 409,
      body: { said: { key: 'relay.invitationClosed_cancelled' } },
    });
    expect(await members(alice, den.channelId)).not.toContain(carol.slug);
  });

  test('add a member only with its own consent: an agent answers even an invitation by its operator', async () => {
    const invited = await world.inviteOnly(alice, den.spaceId, guide.slug);
    expect(invited.body).toMatchObject({ ok: true, server_emitted_events: [] });
    expect(await members(guide, den.channelId)).toBe(403);
    const [open] = await invites(guide);
    const cancel = {
      space_id: den.spaceId,
      invitation_event_id: open?.invitation_event_id,
      cancelled_at: now(),
    };
    expect((await world.post(bob, 'cancel_space_invite', cancel)).status).toBe(404);
    expect((await world.post(alice, 'cancel_space_invite', cancel)).status).toBe(200);
    await world.inviteOnly(alice, den.spaceId, guide.slug);
    const [again] = await invites(guide);
    const reject = {
      space_id: den.spaceId,
      invitation_event_id: again?.invitation_event_id,
      rejected_at: now(),
    };
    expect((await world.post(guide, 'reject_space_invite', reject)).status).toBe(200);
    await world.invite(alice, den.spaceId, guide.slug);
    expect(await members(guide, den.channelId)).toContain(guide.slug);
  });

  test('T8: auto-accept a channel invitation for an agent only from its operator, unless switched off', async () => {
    const { spaceId } = await world.space(alice);
    await world.inviteOnly(alice, spaceId, bob.slug);
    await accept(
      bob,
      (await invites(bob)).find((one) => one.space_id === spaceId),
    );
    const helper = await world.adopt(alice, 'helper');
    for (const agent of [guide, helper]) await world.invite(alice, spaceId, agent.slug);
    await world.post(alice, 'update_role', {
      space_id: spaceId,
      target_slug: helper.slug,
      new_role: 'admin',
      issued_at: now(),
    });
    const channelOf = async (by: Person, name: string) => {
      const channel_id = newChannelId(createSystemRandom());
      const made = { space_id: spaceId, channel_id, name, created_at: now() };
      expect((await world.post(by, 'create_channel', made)).status).toBe(200);
      return channel_id;
    };
    const into = async (by: Person, name: string) => {
      const channel_id = await channelOf(by, name);
      const invite = { space_id: spaceId, channel_id, invitee_slug: guide.slug, issued_at: now() };
      const sent = await world.post(by, 'invite_to_channel', invite);
      expect(sent.status).toBe(200);
      return sent.body.server_emitted_events;
    };
    const settings = `/spaces/${spaceId}/members/me/settings`;
    expect((await world.call(guide, 'GET', settings)).body.auto_accept_owner_invite).toBe(true);
    expect(await into(alice, 'desk')).toEqual([
      expect.objectContaining({
        kind: 'accept_channel_invite',
        signer_slug: guide.slug,
        signer_device_id: 'server',
        payload: expect.objectContaining({
          original_invite: expect.objectContaining({ signer_slug: alice.slug }),
        }),
      }),
    ]);
    // A member of the same space, and an agent admin of the same operator: both wait for an answer.
    expect(await into(bob, 'beds')).toEqual([]);
    expect(await into(helper, 'rows')).toEqual([]);
    const off = await world.call(guide, 'PATCH', settings, { auto_accept_owner_invite: false });
    expect(off.body).toEqual({ auto_accept_owner_invite: false, auto_accept_member_invite: false });
    expect(await into(alice, 'attic')).toEqual([]);
    expect((await invites(guide)).length).toBe(3);
    const member = await world.call(guide, 'PATCH', settings, { auto_accept_member_invite: true });
    expect(member.status).toBe(403);
    expect((await world.call(bob, 'PATCH', settings, { auto_accept_member_invite: true })).status).toBe(200);
  });

  test('let only invited members read and join a private channel', async () => {
    const channelId = 'ch_den-of-two';
    const made = await world.post(alice, 'create_channel', {
      space_id: den.spaceId,
      channel_id: channelId,
      name: 'den of two',
      created_at: now(),
    });
    expect(made.status).toBe(200);
    expect(await members(bob, channelId)).toBe(403);
    const inviteTo = (by: Person, who: Person) =>
      world.post(by, 'invite_to_channel', {
        space_id: den.spaceId,
        channel_id: channelId,
        invitee_slug: who.slug,
        issued_at: now(),
      });
    expect((await inviteTo(bob, bob)).status).toBe(403);
    expect((await inviteTo(alice, guide)).body.server_emitted_events).toHaveLength(1);
    expect(await members(guide, channelId)).toEqual([alice.slug, guide.slug]);
    const seenBy = async (person: Person) => {
      const answer = await world.call(person, 'GET', `/spaces/${den.spaceId}/events?limit=500`);
      return (answer.body.events as SignedEvent[]).filter((event) => event.payload.channel_id === channelId)
        .length;
    };
    expect(await seenBy(guide)).toBe(3);
    expect(await seenBy(bob)).toBe(0);
  });

  test('accept events only if signed by the poster’s own key, and apply a request whole or not at all', async () => {
    const event = world.event(alice, 'create_channel', {
      space_id: den.spaceId,
      channel_id: 'ch_a',
      name: 'a',
    });
    const post = (by: Person, events: unknown[], spaceId = den.spaceId) =>
      world.call(by, 'POST', '/spaces/events', { space_id: spaceId, events });
    const renamed = { ...event, payload: { ...event.payload, name: 'b' } };
    expect((await post(alice, [renamed])).status).toBe(403);
    expect((await post(bob, [event])).status).toBe(403);
    expect((await post(bob, [{ ...event, signer_slug: bob.slug }])).status).toBe(403);
    expect((await post(alice, [event], 'sp_other')).status).toBe(400);
    const bad = world.event(alice, 'create_channel', {
      space_id: den.spaceId,
      channel_id: den.channelId,
      name: 'x',
    });
    expect((await post(alice, [event, bad])).status).toBe(409);
    const names = async () =>
      ((await world.call(alice, 'GET', `/spaces/${den.spaceId}/channels`)).body.channels as Json[]).map(
        (channel) => channel.channel_id,
      );
    expect(await names()).not.toContain('ch_a');
    expect((await post(alice, [event])).status).toBe(200);
    expect(await names()).toContain('ch_a');
    // The same event again changes nothing and is no error.
    expect((await post(alice, [event])).body).toMatchObject({
      ok: true,
      applied: 1,
      server_emitted_events: [],
    });
  });

  test('page through all events by cursor without gap or duplicate', async () => {
    const all = (await world.call(alice, 'GET', `/spaces/${den.spaceId}/events?limit=500`)).body
      .events as SignedEvent[];
    const walked: string[] = [];
    let since = '';
    for (let page = 0; page < 50; page += 1) {
      const answer = await world.call(alice, 'GET', `/spaces/${den.spaceId}/events?limit=2&since=${since}`);
      walked.push(...(answer.body.events as SignedEvent[]).map((event) => event.event_id));
      since = String(answer.body.next_cursor);
      expect(since).toMatch(/^\d+:[^:]+:ev_/);
      if (answer.body.has_more !== true) break;
    }
    expect(walked).toEqual(all.map((event) => event.event_id));
    const end = await world.call(alice, 'GET', `/spaces/${den.spaceId}/events?since=${since}`);
    expect(end.body).toEqual({ events: [], has_more: false, next_cursor: since });
    expect((await world.call(alice, 'GET', `/spaces/${den.spaceId}/events?since=nonsense`)).status).toBe(400);
  });

  test('enforce rank for role changes, removal and leaving', async () => {
    const post = (by: Person, kind: string, payload: Json) =>
      world.post(by, kind, { space_id: den.spaceId, ...payload });
    expect((await post(bob, 'update_role', { target_slug: bob.slug, new_role: 'admin' })).status).toBe(403);
    expect((await post(alice, 'update_role', { target_slug: bob.slug, new_role: 'admin' })).status).toBe(200);
    expect((await post(bob, 'remove_from_space', { removed_slug: alice.slug })).status).toBe(403);
    expect((await post(alice, 'leave_space', {})).status).toBe(409);
    expect((await post(bob, 'remove_from_space', { removed_slug: guide.slug })).status).toBe(200);
    expect((await world.call(guide, 'GET', `/spaces/${den.spaceId}/channels`)).status).toBe(403);
    expect((await post(alice, 'transfer_space_ownership', { new_owner_slug: bob.slug })).status).toBe(200);
    expect((await post(alice, 'leave_space', {})).status).toBe(200);
    expect(await members(bob, den.channelId)).toEqual([bob.slug]);
  });
});

describe('Profiles', () => {
  const world = new RelayWorld();
  beforeAll(() => world.start());
  afterAll(() => world.end());

  test('count limits in code points, require a role for a short role, and require a URL as avatar', async () => {
    const alice = await world.join('alice');
    const patch = (value: Json) => world.call(alice, 'PATCH', '/identities/self', value);
    expect((await patch({ display_name: '🦊'.repeat(60) })).status).toBe(200);
    expect((await patch({ display_name: '🦊'.repeat(61) })).status).toBe(400);
    expect((await patch({ role: 'é'.repeat(140), role_short: '🦊'.repeat(32) })).status).toBe(200);
    expect((await patch({ role: 'é'.repeat(141) })).status).toBe(400);
    const bob = await world.join('bob');
    await world.call(bob, 'PATCH', '/identities/self', { role: 'coder: writes code' });
    const bobs = await world.call(bob, 'GET', `/identities/profiles?slugs=${bob.slug}`);
    expect(bobs.body.profiles).toEqual([expect.objectContaining({ role_short: 'coder' })]);
    expect(await patch({ role: 'a', role_short: 'b'.repeat(33) })).toMatchObject({
      body: { error: 'INVALID_ROLE_SHORT' },
    });
    expect(await patch({ role_short: 'b' })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_ROLE_SHORT' },
    });
    expect((await patch({ avatar_url: 'javascript:alert(1)' })).status).toBe(400);
    const read = await world.call(alice, 'GET', `/identities/profiles?slugs=${alice.slug}`);
    expect(read.body.profiles).toEqual([
      expect.objectContaining({ display_name: '🦊'.repeat(60), role_short: '🦊'.repeat(32), avatar_url: '' }),
    ]);
  });
});
