import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, RelayWorld } from '../../test/fakes/relay-world.ts';

describe('First messages from a stranger', () => {
  let world: RelayWorld;
  let ada: Person;
  let bob: Person;
  beforeEach(async () => {
    world = await new RelayWorld({ heldPerStranger: 5 }).start();
    ada = await world.join('ada');
    bob = await world.join('bob');
  });
  afterEach(() => world.end());

  const write = (from: Person, to: Person, text = 'hello') =>
    world.call(from, 'POST', '/messages', world.seal(from, { dm: to.slug }, text, [from, to]));
  const guard = (who: Person) => world.call(who, 'PATCH', '/allowlists', { hold_first_contact: true });

  it('are delivered to recipients who do not hold first contacts', async () => {
    const sent = await write(ada, bob);
    expect(sent.body).not.toHaveProperty('held');
    expect(await world.pending(bob)).toHaveLength(1);
  });

  it('are held across a restart and delivered in order once the stranger is accepted', async () => {
    await guard(bob);
    const listening = await world.subscribe(bob);
    expect((await write(ada, bob, 'one')).body).toMatchObject({ held: true, missing_devices: [] });
    expect((await write(ada, bob, 'two')).body).toMatchObject({ held: true });
    expect(await listening.frame(({ type }) => type === 'contact_request')).toEqual({
      type: 'contact_request',
      slug: ada.slug,
    });
    expect(await world.pending(bob)).toEqual([]);
    expect(await world.pending(ada)).toHaveLength(2);
    await world.stop();
    await world.start();
    expect((await world.call(bob, 'GET', '/allowlists')).body).toMatchObject({
      hold_first_contact: true,
      waiting: [{ slug: ada.slug, messages: 2 }],
    });
    const letIn = await world.call(bob, 'POST', '/allowlists', { slug: ada.slug });
    expect(letIn.body).toMatchObject({ released: 2 });
    const seqs = (await world.pending(bob)).map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(seqs).toHaveLength(2);
    expect((await write(ada, bob)).body).not.toHaveProperty('held');
  });

  it('T7: A blocked sender’s invitation is not delivered, and the sender is not told', async () => {
    const { spaceId } = await world.space(ada);
    await world.call(bob, 'POST', '/blocklists', { slug: ada.slug });
    const listening = await world.subscribe(bob);
    expect((await world.invite(ada, spaceId, bob.slug)).status).toBe(200);
    expect((await world.call(bob, 'GET', '/invites?direction=received')).body).toEqual({ invites: [] });
    await world.call(bob, 'DELETE', `/blocklists/${ada.slug}`);
    expect((await world.invite(ada, spaceId, bob.slug)).status).toBe(200);
    await listening.frame(({ type }) => type === 'event');
    expect(listening.frames.filter(({ type }) => type === 'event')).toHaveLength(1);
  });

  it('T24: are held up to a limit, and the sender cannot see which were dropped', async () => {
    await guard(bob);
    const answers = [];
    for (let at = 0; at < 8; at += 1) answers.push((await write(ada, bob, `${at}`)).body);
    for (const { held, devices_queued, missing_devices } of answers) {
      expect([held, devices_queued, missing_devices]).toEqual([true, 2, []]);
    }
    expect((await world.call(bob, 'GET', '/allowlists')).body).toMatchObject({ waiting: [{ messages: 5 }] });
    expect((await world.call(bob, 'POST', '/allowlists', { slug: ada.slug })).body).toMatchObject({
      released: 5,
    });
    expect(await world.pending(bob)).toHaveLength(5);
    expect(await world.pending(ada)).toHaveLength(8);
  });

  it('T7: cause no processing notifications while held or blocked', async () => {
    await guard(bob);
    const listening = await world.subscribe(bob);
    const run = async (id: string) => {
      const base = `/messages/${id}/processing`;
      const started = await world.call(ada, 'POST', `${base}/start`, { run_id: `run-${id}` });
      const end = { run_id: `run-${id}`, succeeded: false, error_text: 'read me all the same' };
      const ended = await world.call(ada, 'POST', `${base}/end`, end);
      return [started.status, ended.status];
    };
    const held = await write(ada, bob);
    expect(await run(String(held.body.envelope_id))).toEqual([200, 200]);
    await world.call(bob, 'POST', '/blocklists', { slug: ada.slug });
    const blocked = await write(ada, bob);
    expect(await run(String(blocked.body.envelope_id))).toEqual([200, 200]);
    await world.call(bob, 'POST', '/allowlists', { slug: ada.slug });
    const open = await write(ada, bob);
    expect(await run(String(open.body.envelope_id))).toEqual([200, 200]);
    const { envelope_id: id } = open.body;
    await listening.frame(({ type, ended_at }) => type === 'processing' && typeof ended_at === 'number');
    const told = listening.frames.filter(({ type }) => type === 'processing');
    expect(told.map(({ message_id }) => message_id)).toEqual([id, id]);
  });

  it('from a blocked sender are dropped, and the sender cannot tell', async () => {
    await guard(bob);
    const held = await write(ada, bob);
    await world.call(bob, 'POST', '/blocklists', { slug: ada.slug });
    const blocked = await write(ada, bob);
    expect(Object.keys(blocked.body).sort()).toEqual(Object.keys(held.body).sort());
    expect(blocked.body).toMatchObject({ held: true, devices_queued: held.body.devices_queued });
    expect((await world.call(bob, 'GET', '/allowlists')).body).toMatchObject({ waiting: [] });
    expect((await world.call(bob, 'GET', '/blocklists')).body).toMatchObject({ slugs: [ada.slug] });
    await world.call(bob, 'DELETE', `/blocklists/${ada.slug}`);
    await world.call(bob, 'POST', '/allowlists', { slug: ada.slug });
    expect(await world.pending(bob)).toEqual([]);
  });

  it('are not held if the recipient wrote to the sender before or owns the sending agent', async () => {
    await guard(bob);
    await write(ada, bob, 'waiting');
    await write(bob, ada, 'hello back');
    expect(await world.pending(bob)).toHaveLength(2);
    expect((await write(ada, bob)).body).not.toHaveProperty('held');
    const helper = await world.adopt(bob, 'helper');
    expect((await write(helper, bob)).body).not.toHaveProperty('held');
    const foreign = await world.adopt(ada, 'foreign');
    expect((await write(foreign, bob)).body).toMatchObject({ held: true });
  });

  it('to an agent are not held by the relay', async () => {
    const helper = await world.adopt(bob, 'helper');
    expect((await guard(helper)).status).toBe(403);
    expect((await write(ada, helper)).body).not.toHaveProperty('held');
    expect(await world.pending(helper)).toHaveLength(1);
  });
});

describe('Contact lists of clients from version 1.1', () => {
  let world: RelayWorld;
  let ada: Person;
  let bob: Person;
  beforeEach(async () => {
    world = await new RelayWorld().start();
    ada = await world.join('ada');
    bob = await world.join('bob');
  });
  afterEach(() => world.end());

  it('allow lists accept and return several slugs, idempotently', async () => {
    const list = { slugs: [ada.slug, 'deleted-0000', ada.slug] };
    expect((await world.call(bob, 'POST', '/allowlists', list)).status).toBe(200);
    expect((await world.call(bob, 'POST', '/allowlists', list)).status).toBe(200);
    const read = await world.call(bob, 'GET', '/allowlists');
    expect(read.body).toMatchObject({ entries: [{ peer_slug: ada.slug }], slugs: [ada.slug] });
    const nobody = await world.call(bob, 'POST', '/allowlists', { slugs: ['deleted-0000'] });
    expect(nobody.status).toBe(404);
    const left = await world.call(bob, 'DELETE', '/allowlists', { slugs: [ada.slug] });
    expect([left.status, left.body]).toEqual([204, {}]);
    expect((await world.call(bob, 'GET', '/allowlists')).body).toMatchObject({ entries: [], slugs: [] });
  });

  it('block lists accept a target, and DELETE has a signed body', async () => {
    const block = { target: 'user', id: ada.slug };
    expect((await world.call(bob, 'POST', '/blocklists', block)).status).toBe(200);
    expect((await world.call(bob, 'GET', '/blocklists')).body).toEqual({
      slugs: [ada.slug],
      blocks: [block],
    });
    await world.call(ada, 'POST', '/messages', world.seal(ada, { dm: bob.slug }, 'hello', [ada, bob]));
    expect(await world.pending(bob)).toEqual([]);
    const lifted = await world.call(bob, 'DELETE', '/blocklists', { id: ada.slug });
    expect([lifted.status, lifted.body]).toEqual([204, {}]);
    expect((await world.call(bob, 'GET', '/blocklists')).body).toEqual({ slugs: [], blocks: [] });
    const other = await world.call(bob, 'POST', '/blocklists', { target: 'space', id: ada.slug });
    expect(other.status).toBe(400);
  });

  it('T7: allow and block lists do not change each other', async () => {
    await world.call(bob, 'POST', '/blocklists', { slug: ada.slug });
    await world.call(bob, 'DELETE', `/allowlists/${ada.slug}`);
    await world.call(bob, 'DELETE', '/allowlists', { slugs: [ada.slug] });
    expect((await world.call(bob, 'GET', '/blocklists')).body).toMatchObject({ slugs: [ada.slug] });
    await world.call(bob, 'POST', '/allowlists', { slug: ada.slug });
    await world.call(bob, 'DELETE', '/blocklists', { id: ada.slug });
    expect((await world.call(bob, 'GET', '/allowlists')).body).toMatchObject({ slugs: [ada.slug] });
  });
});
