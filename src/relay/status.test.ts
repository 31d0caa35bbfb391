import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Listener, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { createVirtualClock } from '../../test/fakes/virtual-clock.ts';

const clock = createVirtualClock(Date.now());
const world = new RelayWorld({}, clock);
let alice: Person;
let bob: Person;
let eve: Person;
let guide: Person;
let other: Person;

beforeAll(async () => {
  await world.start();
  alice = await world.join('alice');
  bob = await world.join('bob');
  eve = await world.join('eve');
  guide = await world.adopt(alice, 'guide');
  other = await world.adopt(bob, 'other');
  const { spaceId } = await world.space(alice);
  for (const { slug } of [guide, bob, other]) await world.invite(alice, spaceId, slug);
  const invites = await world.call(bob, 'GET', '/invites?direction=received');
  const [invite] = invites.body.invites as Json[];
  const accepted = {
    space_id: spaceId,
    invitation_event_id: invite?.invitation_event_id,
    accepted_at: clock.now(),
  };
  const joined = await world.post(bob, 'accept_space_invite', accepted);
  expect(joined.status).toBe(200);
});
afterAll(() => world.end());

const told = ({ frames }: Listener): readonly Json[] => frames.filter(({ type }) => type === 'agent_status');
const beat = (who: Person, value: Json) => world.call(who, 'POST', '/agents/me/heartbeat', value);

describe('Agent status', () => {
  test('is sent to the operator and people who share a space, only on change: not to strangers or agents', async () => {
    const all = await Promise.all([alice, bob, eve, other].map((who) => world.subscribe(who)));
    const [hears, shares, stranger, agent] = all as [Listener, Listener, Listener, Listener];
    await beat(guide, { status: 'idle' });
    await hears.frame(({ status }) => status === 'idle');
    await clock.advance(60_000);
    await beat(guide, { status: 'idle' });
    await beat(guide, { status: 'error', error_text: 'timeout: It took too long.' });
    await shares.frame(({ status }) => status === 'error');
    await hears.frame(({ status }) => status === 'error');
    expect(told(hears)).toMatchObject([
      { slug: guide.slug, status: 'idle', error_text: null, last_heartbeat_at: expect.any(Number) },
      { slug: guide.slug, status: 'error', error_text: 'timeout: It took too long.' },
    ]);
    expect(told(shares)).toHaveLength(2);
    expect([told(stranger), told(agent)]).toEqual([[], []]);
  });

  test('is sent when work starts and ends, and when the agent returns after two minutes of silence', async () => {
    const hears = await world.subscribe(alice);
    const envelope = world.seal(alice, { dm: guide.slug }, 'work', [alice, guide]);
    await world.call(alice, 'POST', '/messages', envelope);
    const base = `/messages/${envelope.envelope_id}/processing`;
    await world.call(guide, 'POST', `${base}/start`, { run_id: 'run_1' });
    await world.call(guide, 'POST', `${base}/start`, { run_id: 'run_1' });
    await world.call(guide, 'POST', `${base}/end`, { run_id: 'run_1', succeeded: true });
    await hears.frame(({ type, status }) => type === 'agent_status' && status === 'idle');
    expect(told(hears).map(({ status }) => status)).toEqual(['busy', 'idle']);
    await clock.advance(150_000);
    await beat(guide, { status: 'idle' });
    await expect.poll(() => told(hears).length).toBe(3);
  });

  test('is never sent for a person', async () => {
    const hears = await world.subscribe(alice);
    await beat(bob, { status: 'busy' });
    await beat(guide, { status: 'busy' });
    await hears.frame(({ type }) => type === 'agent_status');
    expect(told(hears).map(({ slug }) => slug)).toEqual([guide.slug]);
  });
});
