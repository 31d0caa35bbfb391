import { afterEach, describe, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createVirtualClock, type VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { inviteHash, newLinkSecret } from '../core/puffo/invite-codes.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';
import type { RelayLimits } from './limits.ts';

const random = createSystemRandom();
const day = 86_400_000;
const links = '/v2/invitations/links';

let world: RelayWorld;
let clock: VirtualClock;
let alice: Person;
let spaceId: string;

async function begin(limits: Partial<RelayLimits> = {}): Promise<void> {
  clock = createVirtualClock();
  world = await new RelayWorld(limits, clock).start();
  alice = await world.join('alice');
  ({ spaceId } = await world.space(alice));
}
afterEach(() => world.end());

interface Link {
  readonly linkId: string;
  readonly secret: string;
}

async function make(more: Json = {}, by = alice): Promise<Link & { readonly status: number }> {
  const secret = newLinkSecret(random);
  const event = world.event(by, 'create_invite_capability', {
    space_id: spaceId,
    secret_hash: inviteHash(world.engine, secret),
    issued_at: clock.now(),
    ...more,
  });
  const made = await world.call(by, 'POST', '/spaces/events', { space_id: spaceId, events: [event] });
  return { linkId: event.event_id, secret, status: made.status };
}

const redeem = (by: Person, { linkId, secret }: Link, event?: unknown) =>
  world.call(by, 'POST', `${links}/redeem`, {
    secret,
    event:
      event ??
      world.event(by, 'redeem_invite_capability', {
        space_id: spaceId,
        link_id: linkId,
        redeemed_at: clock.now(),
      }),
  });
const revoke = (by: Person, { linkId }: Link) =>
  world.post(by, 'revoke_invite_capability', { space_id: spaceId, link_id: linkId, revoked_at: clock.now() });
const look = ({ secret }: Pick<Link, 'secret'>) => world.open(`${links}/look`, { secret });
const list = async () =>
  (await world.call(alice, 'GET', `${links}?space_id=${spaceId}`)).body.links as Json[];
const members = async (): Promise<readonly string[]> =>
  ((await world.call(alice, 'GET', `/spaces/${spaceId}/members`)).body.members as { slug: string }[]).map(
    ({ slug }) => slug,
  );
const said = (key: string) => ({ body: { said: { key: `relay.${key}` } } });

describe('An invite link', () => {
  test('lets a person sign up and join with one use, and tells them the space before', async () => {
    await begin();
    const link = await make({ max_uses: 1, expires_at: clock.now() + day });
    expect(await look(link)).toMatchObject({
      status: 200,
      body: { space_id: spaceId, space_name: 'Den', inviter_slug: alice.slug, signs_up: true },
    });
    const bob = await world.join('bob', link.secret);
    expect(await members()).toEqual([alice.slug]);
    // The sign-up has taken the only use, and it is this person's.
    await expect(world.join('eve', link.secret)).rejects.toThrow('linkUsedUp');
    expect(await redeem(bob, link)).toMatchObject({ status: 200, body: { space_id: spaceId } });
    expect(await members()).toEqual([alice.slug, bob.slug]);
    expect(await list()).toEqual([expect.objectContaining({ uses: 1, max_uses: 1 })]);
  });

  test('is stored only as a hash, on disk and in events', async () => {
    await begin();
    const link = await make();
    const bob = await world.join('bob');
    await redeem(bob, link);
    const events = await world.call(alice, 'GET', `/spaces/${spaceId}/events?limit=500`);
    expect(JSON.stringify(events.body)).toContain('redeem_invite_capability');
    expect(JSON.stringify(events.body)).not.toContain(link.secret.slice(4));
    await world.stop();
    const { readdirSync, readFileSync } = await import('node:fs');
    for (const file of readdirSync(world.folder)) {
      expect(readFileSync(`${world.folder}/${file}`).includes(link.secret.slice(4))).toBe(false);
    }
  });

  test('T5: counts a repeated redemption once, and none of another person', async () => {
    await begin();
    const link = await make({ max_uses: 2 });
    const bob = await world.join('bob');
    const event = world.event(bob, 'redeem_invite_capability', {
      space_id: spaceId,
      link_id: link.linkId,
      redeemed_at: clock.now(),
    });
    const answers = await Promise.all([redeem(bob, link, event), redeem(bob, link, event)]);
    expect([...answers, await redeem(bob, link)].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await list())[0]?.uses).toBe(1);
    const carol = await world.join('carol');
    expect((await redeem(carol, link, event)).status).toBe(403);
    expect(await members()).not.toContain(carol.slug);
  });

  test('T24: lets in exactly as many as it may if all come at once', async () => {
    await begin();
    const link = await make({ max_uses: 3 });
    const people = await Promise.all(Array.from({ length: 8 }, (_, at) => world.join(`guest-${at}`)));
    const answers = await Promise.all(people.map((person) => redeem(person, link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(said('linkUsedUp'));
    expect(await members()).toHaveLength(4);
    expect((await list())[0]?.uses).toBe(3);
  });

  test('T24: is not guessed: every try counts against the address, also of someone who signed up', async () => {
    await begin({ failureBurst: 10, failuresPerSecond: 0.001 });
    const link = await make();
    const bob = await world.join('bob');
    const guess = (): Link => ({ ...link, secret: newLinkSecret(random) });
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await look(guess())).status);
    for (let at = 0; at < 6; at += 1) statuses.push((await redeem(bob, guess())).status);
    expect(statuses.slice(0, 10).every((status) => status === 404)).toBe(true);
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect((await redeem(bob, link)).status).toBe(429);
    expect(await members()).not.toContain(bob.slug);
  });

  test('is refused with its reason once it is revoked, expired, or its maker no longer leads', async () => {
    await begin();
    const bob = await world.join('bob');
    const [revoked, expiring] = [await make(), await make({ expires_at: clock.now() + day })];
    expect((await revoke(bob, revoked)).status).toBe(403);
    expect((await revoke(alice, revoked)).status).toBe(200);
    expect((await list()).map((link) => link.link_id)).toEqual([expiring.linkId]);
    for (const answer of [await look(revoked), await redeem(bob, revoked)])
      expect(answer).toMatchObject({ status: 403, ...said('linkRevoked') });
    await expect(world.join('eve', revoked.secret)).rejects.toThrow('linkRevoked');
    const dora = await world.join('dora');
    await redeem(dora, await make());
    const role = (new_role: string) =>
      world.post(alice, 'update_role', { space_id: spaceId, target_slug: dora.slug, new_role });
    expect((await make({}, dora)).status).toBe(403);
    await role('admin');
    const doras = await make({}, dora);
    await role('member');
    expect(await redeem(bob, doras)).toMatchObject({ status: 403, ...said('linkInviterGone') });
    await clock.advance(day);
    expect(await redeem(bob, expiring)).toMatchObject({ status: 403, ...said('linkExpired') });
    expect(await members()).toEqual([alice.slug, dora.slug]);
  });

  test('lets nobody back in whom the space removed, no agent, and no one by an event alone', async () => {
    await begin();
    const link = await make();
    const bob = await world.join('bob');
    const guide = await world.adopt(alice, 'guide');
    expect(await redeem(guide, link)).toMatchObject(said('linkForPeople'));
    const alone = { space_id: spaceId, link_id: link.linkId, redeemed_at: clock.now() };
    expect((await world.post(bob, 'redeem_invite_capability', alone)).status).toBe(403);
    await redeem(bob, link);
    await world.post(alice, 'remove_from_space', { space_id: spaceId, removed_slug: bob.slug });
    expect(await redeem(bob, link)).toMatchObject(said('linkUsedByYou'));
    expect((await make({}, guide)).status).toBe(403);
  });

  test('T24: a relay limits the links of a space and the people who sign up by them', async () => {
    await begin({ linksPerSpace: 2, signUpsByLinks: 1 });
    const link = await make();
    await make();
    expect((await make()).status).toBe(403);
    await world.join('bob', link.secret);
    expect(await look(link)).toMatchObject({ body: { signs_up: false } });
    await expect(world.join('carol', link.secret)).rejects.toThrow('quota_link_sign_ups');
    // A person with an account still joins.
    expect((await redeem(await world.join('dora'), link)).status).toBe(200);
  });
});
