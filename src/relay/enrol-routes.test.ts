import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, RelayWorld } from '../../test/fakes/relay-world.ts';
import { toBase64Url } from '../core/lib/bytes.ts';
import { createDeviceRevocation, createIdentityCert, createSlugBinding } from '../core/puffo/certificates.ts';
import { admitDevice, takeAdmission } from '../core/puffo/enrolment.ts';
import { createSession } from '../core/puffo/identity.ts';
import { deviceIdOf } from '../core/puffo/ids.ts';

describe('Device enrolment', () => {
  let world: RelayWorld;
  let ada: Person;
  beforeEach(async () => {
    world = await new RelayWorld({
      enrolMs: 2_000,
      failureBurst: 20,
      failuresPerSecond: 1,
      openEnrolments: 5,
      devicesPerIdentity: 3,
    }).start();
    ada = await world.join('ada');
  });
  afterEach(() => world.end());

  function newDevice() {
    const { engine } = world;
    const device = {
      nonce: engine.randomBytes(32),
      signing: engine.ed25519KeyPair(),
      kem: engine.x25519KeyPair(),
    };
    const body = {
      nonce: toBase64Url(device.nonce),
      device_signing_public_key: toBase64Url(device.signing.public),
      device_kem_public_key: toBase64Url(device.kem.public),
    };
    return { device, body };
  }
  type Asked = ReturnType<typeof newDevice>;

  function completion(by: Person, { body }: Asked) {
    const root = world.engine.ed25519KeyPair(by.identity.secrets.root);
    const now = world.clock.now();
    const request = {
      nonce: body.nonce,
      signingPublicKey: body.device_signing_public_key,
      kemPublicKey: body.device_kem_public_key,
    };
    const admitted = admitDevice(world.engine, root, request, now);
    if (!admitted.ok) throw new Error(admitted.error.message);
    return {
      device_cert: admitted.value.deviceCert,
      root_key_envelope: admitted.value.rootKeyEnvelope,
      slug_binding: createSlugBinding(world.engine, root, by.slug, now),
      identity_cert: createIdentityCert(world.engine, root, { type: 'human', operatorRootPublicKey: null }),
      identity_profile: null,
    };
  }

  const look = (nonce: string) => world.raw('GET', `/devices/enroll/${nonce}`, null, {});
  const finish = (by: Person, asked: Asked, body: object) =>
    world.call(by, 'POST', `/devices/enroll/${asked.body.nonce}/complete`, body);

  it('sends the sealed root to the new device, which can sign at once, and announces its certificate', async () => {
    const bob = await world.join('bob');
    await world.call(ada, 'POST', '/messages', world.seal(ada, { dm: bob.slug }, 'hello', [ada, bob]));
    const listening = await world.subscribe(bob);
    const asked = newDevice();
    const begun = await world.open('/devices/enroll/init', asked.body);
    expect(begun).toMatchObject({
      status: 201,
      body: { code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/) },
    });
    const byCode = await world.call(ada, 'GET', `/devices/enroll/${begun.body.code}`);
    expect(byCode.body).toMatchObject({ ...asked.body, state: 'waiting', completion: null });
    expect((await look(String(begun.body.code))).status).toBe(404);

    expect((await finish(ada, asked, completion(ada, asked))).status).toBe(200);
    const done = await look(asked.body.nonce);
    const taken = takeAdmission(world.engine, done.body.completion as object, asked.device);
    if (!taken.ok) throw new Error(taken.error.message);
    expect(taken.value.root.secret).toEqual(ada.identity.secrets.root);
    const deviceId = deviceIdOf(world.engine, asked.device.signing.public);
    const secrets = { root: taken.value.root.secret, deviceSigning: asked.device.signing.secret };
    const second: Person = {
      ...ada,
      identity: { ...ada.identity, deviceId, secrets: { ...secrets, kem: asked.device.kem.secret } },
      session: createSession(world.engine, secrets, deviceId, world.clock.now()),
    };
    await world.rotate(second);
    expect((await world.call(second, 'GET', '/spaces')).status).toBe(200);
    await listening.frame(({ type, entry }) => type === 'cert_update' && isOf(entry, 'device_cert'));

    const root = world.engine.ed25519KeyPair(ada.identity.secrets.root);
    const at = world.clock.now() - 1;
    const revocation = createDeviceRevocation(world.engine, root, {
      deviceId,
      effectiveFrom: at,
      issuedAt: at,
    });
    expect((await world.call(ada, 'POST', `/devices/${deviceId}/revoke`, revocation)).status).toBe(200);
    expect((await world.call(second, 'GET', '/spaces')).status).toBe(401);
    await listening.frame(({ type, entry }) => type === 'cert_update' && isOf(entry, 'device_revocation'));
  });

  it('T5: accepts one completion, and a repeated one adds no second certificate', async () => {
    const asked = newDevice();
    await world.open('/devices/enroll/init', asked.body);
    const first = completion(ada, asked);
    expect((await finish(ada, asked, first)).status).toBe(200);
    expect((await finish(ada, asked, first)).status).toBe(200);
    const bob = await world.join('bob');
    expect((await finish(bob, asked, completion(bob, asked))).status).toBe(409);
    const { entries } = (await world.call(ada, 'GET', `/certs/sync?slugs=${ada.slug}&since=0`)).body;
    const kinds = (entries as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'device_cert')).toHaveLength(2);
  });

  it('T7: refuses certificates of another root or for other keys', async () => {
    const bob = await world.join('bob');
    const [asked, other] = [newDevice(), newDevice()];
    await world.open('/devices/enroll/init', asked.body);
    expect((await finish(bob, asked, completion(ada, asked))).status).toBe(403);
    expect((await finish(ada, asked, completion(ada, other))).status).toBe(400);
    const mixed = { ...completion(ada, asked), root_key_envelope: completion(ada, other).root_key_envelope };
    expect((await finish(ada, asked, mixed)).status).toBe(400);
    expect((await look(asked.body.nonce)).body).toMatchObject({ state: 'waiting' });
  });

  it('expires after its time', async () => {
    const asked = newDevice();
    const begun = await world.open('/devices/enroll/init', asked.body);
    expect((await look(asked.body.nonce)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Number(begun.body.expires_at) - Date.now() + 20));
    expect((await look(asked.body.nonce)).status).toBe(404);
    expect((await finish(ada, asked, completion(ada, asked))).status).toBe(404);
  });

  it('T24: evicts flooding requests before completed and recent ones', async () => {
    const [answered, quick] = [newDevice(), newDevice()];
    await world.open('/devices/enroll/init', answered.body);
    expect((await finish(ada, answered, completion(ada, answered))).status).toBe(200);
    for (let at = 0; at < 8; at += 1) await world.open('/devices/enroll/init', newDevice().body);
    expect((await world.open('/devices/enroll/init', quick.body)).status).toBe(201);
    expect((await look(answered.body.nonce)).body).toMatchObject({ state: 'complete' });
    expect((await finish(ada, quick, completion(ada, quick))).status).toBe(200);
  });

  it('T24: limits the number of active devices per account', async () => {
    const letIn = async () => {
      const asked = newDevice();
      await world.open('/devices/enroll/init', asked.body);
      const answer = await finish(ada, asked, completion(ada, asked));
      return [answer.status, answer.body.device_id];
    };
    expect((await letIn())[0]).toBe(200);
    const [status, second] = await letIn();
    expect([status, (await letIn())[0]]).toEqual([200, 409]);
    const root = world.engine.ed25519KeyPair(ada.identity.secrets.root);
    const at = world.clock.now() - 1;
    const revocation = createDeviceRevocation(world.engine, root, {
      deviceId: String(second),
      effectiveFrom: at,
      issuedAt: at,
    });
    expect((await world.call(ada, 'POST', `/devices/${second}/revoke`, revocation)).status).toBe(200);
    expect((await letIn())[0]).toBe(200);
  });

  it('T24: limits requests per address', async () => {
    const answers = [];
    for (let at = 0; at < 30; at += 1) {
      answers.push((await world.open('/devices/enroll/init', newDevice().body)).status);
    }
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(201));
    expect(answers.slice(-5)).toContain(429);
    expect((await world.open('/devices/enroll/init', { nonce: 'x' })).status).toBe(429);
  });
});

const isOf = (entry: unknown, kind: string): boolean => (entry as { kind?: string }).kind === kind;
