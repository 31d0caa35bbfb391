import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createOperatorRevocation } from '../core/puffo/certificates.ts';
import { activeDevices } from '../core/puffo/registry.ts';

let world: RelayWorld;
let ada: Person;
let bot: Person;
beforeEach(async () => {
  world = await new RelayWorld({ agentsPerOperator: 1 }).start();
  ada = await world.join('ada');
  bot = await world.adopt(ada, 'bot');
});
afterEach(() => world.end());

const revocation = (by: Person, agent: Person, effectiveFrom = world.clock.now()) =>
  createOperatorRevocation(world.engine, world.engine.ed25519KeyPair(by.identity.secrets.root), {
    agentRootPublicKey: agent.identity.rootPublicKey,
    effectiveFrom,
    issuedAt: effectiveFrom,
  });

const retire = (by: Person, agent: Person, body: object = revocation(by, agent)) =>
  world.call(by, 'POST', `/agents/${agent.slug}/operator/revoke`, body);

async function accept(person: Person, spaceId: string) {
  const received = await world.call(person, 'GET', '/invites?direction=received');
  const [invitation] = received.body.invites as Json[];
  return world.post(person, 'accept_space_invite', {
    space_id: spaceId,
    invitation_event_id: invitation?.invitation_event_id,
    accepted_at: 1,
  });
}

const membersOf = async (person: Person, spaceId: string) =>
  ((await world.call(person, 'GET', `/spaces/${spaceId}/members`)).body.members as Json[]).map(
    ({ slug, role }) => `${slug} ${role}`,
  );

test('T7: A retired agent can no longer sign, leaves its spaces and receives no message; members are notified', async () => {
  const bob = await world.join('bob');
  const space = await world.space(ada);
  for (const { slug } of [bob, bot]) await world.invite(ada, space.spaceId, slug);
  // The relay accepts an invitation by the agent's own operator in the agent's name.
  expect((await accept(bob, space.spaceId)).status).toBe(200);
  expect(await membersOf(bob, space.spaceId)).toContain(`${bot.slug} member`);
  const [ears, own] = [await world.subscribe(bob), await world.subscribe(bot)];

  const answer = await retire(ada, bot, { operator_revocation: revocation(ada, bot) });
  expect(answer).toMatchObject({ status: 200, body: { agent_slug: bot.slug } });
  expect(await own.closed()).toBe(4401);
  const news = await ears.frame(({ type }) => type === 'cert_update');
  expect(news.entry).toMatchObject({ kind: 'operator_revocation', slug: bot.slug });
  await ears.frame(({ type }) => type === 'space_membership_changed');
  expect((await world.call(bot, 'GET', '/spaces')).status).toBe(401);
  expect((await membersOf(bob, space.spaceId)).join()).not.toContain(bot.slug);
  const seen = await world.verified(bob, bot.slug);
  expect(activeDevices(seen, world.clock.now() + 1)).toEqual([]);
  const sealed = await world.call(bob, 'POST', '/messages', world.seal(bob, { space }, 'x', [bob, bot]));
  expect(sealed).toMatchObject({ status: 403, body: { devices: [bot.identity.deviceId] } });
});

test('T7: A retired agent’s root key and slug are never reused, and its operator may create another agent', async () => {
  await expect(world.adopt(ada, 'second')).rejects.toThrow('QUOTA');
  expect((await retire(ada, bot)).status).toBe(200);
  const next = await world.adopt(ada, 'bot');
  expect(next.slug).not.toBe(bot.slug);
  const entries = await world.call(ada, 'GET', `/certs/sync?slugs=${bot.slug}`);
  const kinds = (entries.body.entries as Json[]).map(({ kind }) => kind);
  expect(kinds).toContain('operator_revocation');
  expect((await retire(ada, bot)).status, 'asked for again').toBe(200);
  const again = await world.call(ada, 'GET', `/certs/sync?slugs=${bot.slug}`);
  expect(again.body.entries).toEqual(entries.body.entries);
});

test('A space owned by a retired agent passes to the agent’s operator', async () => {
  const space = await world.space(bot);
  expect((await retire(ada, bot)).status).toBe(200);
  expect(await membersOf(ada, space.spaceId)).toEqual([`${ada.slug} owner`]);
  const channels = await world.call(ada, 'GET', `/spaces/${space.spaceId}/channels`);
  expect(channels.body.channels).toHaveLength(1);
});

test('T7: Only the operator can retire its agent, with its own root key, the matching slug and a current date', async () => {
  const bob = await world.join('bob');
  const other = await world.adopt(bob, 'other');
  const future = revocation(ada, bot, world.clock.now() + 3_600_000);
  expect((await retire(bob, bot)).status).toBe(404);
  expect((await retire(bot, bot)).status).toBe(404);
  expect((await retire(bob, bot, revocation(ada, bot))).status).toBe(404);
  expect((await retire(ada, bot, revocation(bob, bot))).status).toBe(400);
  expect((await retire(ada, bot, revocation(ada, other))).status).toBe(400);
  expect((await retire(ada, bot, future)).status).toBe(400);
  expect((await retire(ada, bot, { ...revocation(ada, bot), issued_at: 1 })).status).toBe(400);
  expect((await retire(ada, bot, {})).status).toBe(400);
  expect((await world.call(bot, 'GET', '/spaces')).status, 'it works on').toBe(200);
});
