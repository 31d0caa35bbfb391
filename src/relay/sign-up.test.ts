import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelayWorld } from '../../test/fakes/relay-world.ts';
import { createAttestation, createSlugBinding, createSubkeyCert } from '../core/puffo/certificates.ts';
import { createIdentity } from '../core/puffo/identity.ts';
import { chooseSlug } from './sign-up.ts';

const hour = 3_600_000;

describe('Sign-up and agent registration', () => {
  const world = new RelayWorld();
  beforeAll(() => world.start());
  afterAll(() => world.end());

  const fresh = (type: 'human' | 'agent' = 'human', operatorRootPublicKey: string | null = null) =>
    createIdentity(world.engine, { type, operatorRootPublicKey, now: world.clock.now() });

  const phaseOne = (inviteCode: string, identity = fresh()) =>
    world.open('/signup', {
      invite_code: inviteCode,
      username: 'bob',
      identity_cert: identity.identityCert,
      device_cert: identity.deviceCert,
    });

  test('T24: accepts an invite code once and keeps only the latest sign-up for it open', async () => {
    const code = world.relay.createInvite();
    const [one, two] = [fresh(), fresh()];
    const first = await phaseOne(code, two);
    const second = await phaseOne(` ${code.toUpperCase()} `, one);
    expect([first.status, second.status]).toEqual([201, 201]);
    await expect(world.bind(two, String(first.body.slug), String(first.body.pending_token))).rejects.toThrow(
      'NOT_FOUND',
    );
    const bob = await world.bind(one, String(second.body.slug), String(second.body.pending_token));
    expect((await phaseOne(code)).status).toBe(403);
    expect((await phaseOne('inv-aaaa-aaaa-aaaa-aaaa')).status).toBe(403);
    expect((await world.verified(bob, bob.slug)).rootPublicKey).toBe(one.rootPublicKey);
  });

  test('returns the same response when the second phase is repeated', async () => {
    const identity = fresh();
    const first = await phaseOne(world.relay.createInvite(), identity);
    const [slug, token] = [String(first.body.slug), String(first.body.pending_token)];
    await world.bind(identity, slug, token);
    const root = world.engine.ed25519KeyPair(identity.secrets.root);
    const again = await world.open('/certs/slug_binding', {
      pending_token: token,
      slug_binding: createSlugBinding(world.engine, root, slug, world.clock.now()),
    });
    expect(again).toMatchObject({ status: 200, body: { ok: true, slug } });
  });

  test('refuses a slug binding for another slug or by another root key', async () => {
    const identity = fresh();
    const first = await phaseOne(world.relay.createInvite(), identity);
    const token = String(first.body.pending_token);
    await expect(world.bind(identity, 'bob-ffff0', token)).rejects.toThrow('InvalidInput');
    await expect(world.bind(fresh(), String(first.body.slug), token)).rejects.toThrow('InvalidInput');
  });

  test('T7: refuses forged certificates', async () => {
    const code = world.relay.createInvite();
    const identity = fresh();
    const other = fresh();
    const send = (identityCert: unknown, deviceCert: unknown) =>
      world.open('/signup', {
        invite_code: code,
        username: 'bob',
        identity_cert: identityCert,
        device_cert: deviceCert,
      });
    const swappedId = { ...identity.deviceCert, device_id: other.deviceId };
    const answers = await Promise.all([
      send(identity.identityCert, other.deviceCert),
      send(identity.identityCert, swappedId),
      send({ ...identity.identityCert, identity_type: 'agent' }, identity.deviceCert),
      send(fresh('agent', identity.rootPublicKey).identityCert, identity.deviceCert),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400]);
  });

  test('lets only the attesting operator register an agent, and only for itself', async () => {
    const alice = await world.join('alice');
    const eve = await world.join('eve');
    const agent = fresh('agent', alice.identity.rootPublicKey);
    const signer = (person: typeof alice) => world.engine.ed25519KeyPair(person.identity.secrets.root);
    const send = (by: typeof alice, attester: typeof alice, of = agent) =>
      world.call(by, 'POST', '/agents', {
        username: 'guide',
        identity_cert: of.identityCert,
        device_cert: of.deviceCert,
        attestation: createAttestation(world.engine, signer(attester), of.rootPublicKey, world.clock.now()),
      });
    expect((await send(eve, eve)).status).toBe(403);
    expect((await send(eve, alice)).status).toBe(403);
    expect((await send(alice, eve)).status).toBe(403);
    const guide = await world.adopt(alice, 'guide');
    expect((await send(guide, alice)).status).toBe(403);
    const profile = await world.call(eve, 'GET', `/identities/profiles?slugs=${guide.slug},nobody-0000`);
    expect(profile.body.profiles).toEqual([
      expect.objectContaining({
        slug: guide.slug,
        identity_type: 'agent',
        owner_slug: alice.slug,
        username: 'guide',
      }),
    ]);
  });

  test('registers a root key only once', async () => {
    const identity = fresh();
    const first = await phaseOne(world.relay.createInvite(), identity);
    await world.bind(identity, String(first.body.slug), String(first.body.pending_token));
    expect(await phaseOne(world.relay.createInvite(), identity)).toMatchObject({
      status: 409,
      body: { error: 'CONFLICT' },
    });
  });

  test('T29: accepts subkeys that live less than 48 hours from now and are signed by the device', async () => {
    const carol = await world.join('carol');
    const now = world.clock.now();
    const withLife = (ms: number, secret = carol.identity.secrets.deviceSigning, issuedAt = now) => {
      const session = world.session(carol.identity);
      const pair = world.engine.ed25519KeyPair(session.secret);
      const cert = createSubkeyCert(world.engine, secret, {
        deviceId: carol.identity.deviceId,
        subkeyPublicKey: pair.public,
        issuedAt,
        expiresAt: issuedAt + ms,
      });
      return world.rotate({ ...carol, session: { ...session, cert } });
    };
    await withLife(48 * hour - 1);
    await expect(withLife(48 * hour)).rejects.toThrow('48 hours');
    await expect(withLife(hour, world.session(carol.identity).secret)).rejects.toThrow('InvalidInput');
    // A subkey issued a year ahead would be valid for a year.
    const { deviceSigning } = carol.identity.secrets;
    await expect(withLife(hour, deviceSigning, now + 365 * 24 * hour)).rejects.toThrow('issued later');
    await withLife(hour, deviceSigning, now + hour / 60);
  });

  test('pages certs/sync by seq and sets has_more', async () => {
    const dora = await world.join('dora');
    const page = (since: number) =>
      world.call(dora, 'GET', `/certs/sync?slugs=${dora.slug}&since=${since}&limit=3`);
    const one = await page(0);
    const seqs = (one.body.entries as { seq: number }[]).map((entry) => entry.seq);
    expect(one.body.has_more).toBe(true);
    const two = await page(seqs.at(-1) ?? 0);
    expect(two.body.has_more).toBe(false);
    const kinds = [one, two].flatMap((reply) =>
      (reply.body.entries as { kind: string }[]).map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['identity_cert', 'device_cert', 'slug_binding', 'subkey_cert']);
  });
});

test('A slug is the name plus four hex digits; slug choice gives up if all are taken', () => {
  const bytes =
    (...pairs: number[][]) =>
    () =>
      Uint8Array.from(pairs.shift() ?? [0, 0]);
  expect(chooseSlug('al', bytes([0xa6, 0x2c]), () => false)).toBe('al-a62c');
  expect(chooseSlug('al', bytes([0, 1], [0, 2]), (slug) => slug === 'al-0001')).toBe('al-0002');
  expect(chooseSlug('al', bytes(), () => true)).toBeNull();
});
