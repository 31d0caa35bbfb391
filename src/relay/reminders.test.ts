import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';

const path = '/v2/agent-runtime/reminder-occurrences';
const world = new RelayWorld({ remindersPerAgent: 8, reminderLeaseMs: 6_000 });
let agent: Person;
let other: Person;
beforeAll(async () => {
  await world.start();
  const alice = await world.join('alice');
  agent = await world.adopt(alice, 'guide');
  other = await world.adopt(alice, 'other');
});
afterAll(() => world.end());

const row = (change: Json = {}): Json => ({
  revision: 1,
  reminder_id: 'rem_1',
  due_at: '2026-12-01T10:00:00.000Z',
  lifecycle: 'scheduled',
  lifecycle_at: '2026-11-22T10:00:00.000Z',
  payload_format: 'puffo-reminder-aead-v1',
  opaque_payload: 'c2VhbGVk',
  ...change,
});
const cancelled = row({ revision: 2, lifecycle: 'cancelled', lifecycle_at: '2026-11-22T11:00:00.000Z' });
const put = (by: Person, id: string, value: Json) => world.call(by, 'PUT', `${path}/${id}`, value);
const claim = (by: Person, id: string, claimId: string) =>
  world.call(by, 'POST', `${path}/${id}/delivery-claim`, { revision: 1, claim_id: claimId });
const list = async (by: Person, query = '?limit=100') => (await world.call(by, 'GET', path + query)).body;

test('The relay answers an agent without reminders with an empty list', async () => {
  expect(await list(other)).toEqual({ occurrences: [], next_after: null });
});

test('The relay stores a reminder unchanged and once, visible only to its own agent', async () => {
  const stored = { occurrence_id: 'occ_1', ...row() };
  expect(await put(agent, 'occ_1', row())).toEqual({ status: 200, body: stored });
  expect(await put(agent, 'occ_1', row())).toEqual({ status: 200, body: stored });
  expect((await put(agent, 'occ_1', row({ opaque_payload: 'b3RoZXI' }))).status).toBe(409);
  expect((await list(agent)).occurrences).toEqual([stored]);
  expect((await list(other)).occurrences).toEqual([]);
});

test('A cancelled reminder keeps no payload and cannot be scheduled or claimed again', async () => {
  await put(agent, 'occ_2', row());
  const { opaque_payload: _, ...ended } = cancelled;
  expect((await put(agent, 'occ_2', cancelled)).body).toEqual({ occurrence_id: 'occ_2', ...ended });
  expect((await put(agent, 'occ_2', row())).status).toBe(409);
  expect((await claim(agent, 'occ_2', 'c1')).body).toEqual({
    occurrence_id: 'occ_2',
    revision: 2,
    lifecycle: 'cancelled',
    status: 'terminal',
  });
});

test('Only one claim holds a reminder; the holder may renew it, and a cancel after the claim is too late', async () => {
  await put(agent, 'occ_3', row());
  const first = await claim(agent, 'occ_3', 'c1');
  expect(first.body).toMatchObject({ status: 'acquired', revision: 1, lifecycle: 'scheduled' });
  expect(Date.parse(String(first.body.lease_expires_at)) - world.clock.now()).toBeGreaterThan(4_000);
  const held = await claim(agent, 'occ_3', 'c2');
  expect(held.body).toEqual({
    occurrence_id: 'occ_3',
    revision: 1,
    lifecycle: 'scheduled',
    status: 'held',
  });
  expect((await claim(agent, 'occ_3', 'c1')).body).toMatchObject({ status: 'acquired' });
  expect(await put(agent, 'occ_3', cancelled)).toMatchObject({ status: 409, body: { error: 'too_late' } });
  const delivered = { ...cancelled, lifecycle: 'delivered', delivery_claim_id: 'c1' };
  expect((await put(agent, 'occ_3', delivered)).body).toMatchObject({ lifecycle: 'delivered', revision: 2 });
  expect((await claim(agent, 'nowhere', 'c1')).status).toBe(404);
});

test('Replacing a reminder cancels it and schedules another; a repeated call returns the same response', async () => {
  await put(agent, 'occ_4', row());
  const replacement = row({ reminder_id: 'rem_2', due_at: '2026-12-02T10:00:00.000Z' });
  const replace = () =>
    world.call(agent, 'POST', `${path}/occ_4/replace`, {
      expected_revision: 1,
      cancelled_at: '2026-11-22T12:00:00.000Z',
      replacement_occurrence_id: 'occ_5',
      replacement,
    });
  const first = await replace();
  expect(first.body).toMatchObject({
    cancelled: { occurrence_id: 'occ_4', lifecycle: 'cancelled', revision: 2 },
    replacement: { occurrence_id: 'occ_5', ...replacement },
  });
  expect(await replace()).toEqual(first);
});

test('Reminder pages are ordered by id, have no empty last page, and survive a restart', async () => {
  await world.stop();
  await world.start();
  const one = await list(agent, '?limit=2');
  expect((one.occurrences as Json[]).map((each) => each.occurrence_id)).toEqual(['occ_1', 'occ_2']);
  expect(one.next_after).toBe('occ_2');
  const two = await list(agent, '?limit=3&after=occ_2');
  expect((two.occurrences as Json[]).map((each) => each.occurrence_id)).toEqual(['occ_3', 'occ_4', 'occ_5']);
  expect(two.next_after).toBeNull();
});

test('T24: The relay refuses malformed reminders and reminders beyond the quota', async () => {
  const odd: Json[] = [
    row({ opaque_payload: 'x'.repeat(60_000) }),
    row({ revision: 2 }),
    row({ due_at: 'tomorrow' }),
    row({ payload_format: 'text' }),
  ];
  for (const value of odd) expect((await put(agent, 'occ_9', value)).status).toBe(400);
  const statuses: unknown[] = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await put(agent, `more_${n}`, row())).body.error ?? 'kept');
  expect(statuses).toEqual(['kept', 'kept', 'kept', 'QUOTA_EXCEEDED', 'QUOTA_EXCEEDED']);
});

test('The relay accepts a batch of runtime events idempotently and refuses batches that are invalid or too large', async () => {
  const event = (n: number) => ({
    version: 1,
    event_id: `ev_${n}`,
    agent_id: 'guide',
    session_ref: 's',
    turn_ref: 't',
    scope: { kind: 'operator' },
    type: 'turn.started',
    occurred_at: '2026-11-22T10:00:00Z',
    payload: {},
  });
  const append = (events: unknown[]) =>
    world.call(agent, 'POST', '/v2/agent-runtime/events:append', { events });
  const accepted = { accepted: [{ event_id: 'ev_1' }, { event_id: 'ev_2' }] };
  expect(await append([event(1), event(2)])).toEqual({ status: 200, body: accepted });
  expect((await append([event(1), event(2)])).body).toEqual(accepted);
  expect((await append(Array.from({ length: 51 }, (_, n) => event(n)))).status).toBe(400);
  expect((await append([{ ...event(1), type: 'secret.told' }])).status).toBe(400);
  expect((await append([{ ...event(1), payload: { pad: 'x'.repeat(300_000) } }])).status).toBe(413);
});

test('Unknown routes return a JSON 404', async () => {
  for (const target of [
    '/v2/machines',
    '/v2/skill-templates/x',
    '/v2/mcp-templates/x',
    '/v2/cloud-agents/x',
  ]) {
    expect(await world.call(agent, 'GET', target)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND' },
    });
  }
});

test('A replacement that is refused leaves the first reminder scheduled', async () => {
  await put(other, 'occ_5', row());
  await put(other, 'occ_6', row());
  const refused = await world.call(other, 'POST', `${path}/occ_6/replace`, {
    expected_revision: 1,
    cancelled_at: '2026-11-22T12:00:00.000Z',
    replacement_occurrence_id: 'occ_5',
    replacement: row({ opaque_payload: 'b3RoZXI' }),
  });
  expect(refused.status).toBe(409);
  const { occurrences } = await list(other);
  expect(occurrences).toContainEqual(
    expect.objectContaining({ occurrence_id: 'occ_6', lifecycle: 'scheduled' }),
  );
});
