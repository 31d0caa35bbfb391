import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJumpingClock } from '../../../test/fakes/jumping-clock.ts';
import { createRig, must, type Rig, until } from '../../../test/fakes/puffo-rig.ts';
import { createDeviceRevocation } from '../../core/puffo/certificates.ts';
import { revokeDevice } from './device-enrolment.ts';
import { revokesDevice } from './own-revocation.ts';

describe('Revoked own device', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await createRig();
  });
  afterEach(() => rig.stop());

  it('reports the revocation, and stays blocked across reconnects and a restart', async () => {
    const { crypto, clock } = rig;
    // Shortens its waits between attempts.
    const hurried = createJumpingClock(5, clock.now());
    const ada = rig.open(await rig.person('ada'), { clock: hurried });
    await ada.online();
    const { identity, account } = ada;
    must(
      await revokeDevice(
        { crypto, clock },
        { identity, client: account.client, aheadMs: 0 },
        identity.deviceId,
      ),
    );
    const blocked = await until('it is blocked', () => ada.states.find(({ state }) => state === 'blocked'));
    expect(blocked.detail).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('revoked') as string,
      hint: expect.stringContaining('enrol') as string,
    });
    const tries = (): number =>
      ada.logged.lines.filter(({ event }) => event === 'account.not_connected').length;
    const before = tries();
    await until('it tries again', () => tries() > before + 1);
    const since = ada.states.slice(ada.states.indexOf(blocked)).map(({ state }) => state);
    expect(new Set(since)).toEqual(new Set(['blocked']));
    await account.stop();
    const later = rig.open(identity, { store: ada.store, session: ada.session, clock: hurried });
    later.account.start();
    const again = await until('it is blocked', () => later.states.find(({ state }) => state === 'blocked'));
    expect(again.detail?.message, 'remembered over a restart').toBe(blocked.detail?.message);
  });

  it('T7: accepts a revocation only for itself, signed by its account’s root key', async () => {
    const { crypto } = rig;
    const own = await rig.person('ada');
    const other = await rig.person('bob');
    const rootOf = ({ secrets }: typeof own) => crypto.ed25519KeyPair(secrets.root);
    const device = {
      deviceId: own.deviceId,
      rootPublicKey: Buffer.from(rootOf(own).public).toString('base64url'),
      operatorRootPublicKey: Buffer.from(rootOf(other).public).toString('base64url'),
    };
    const entry = (by: typeof own, deviceId: string) => ({
      seq: 9,
      kind: 'device_revocation',
      slug: own.slug,
      cert: createDeviceRevocation(crypto, rootOf(by), { deviceId, effectiveFrom: 1, issuedAt: 1 }),
    });
    expect(revokesDevice(crypto, device, entry(own, own.deviceId))).toBe(true);
    expect(revokesDevice(crypto, device, entry(other, own.deviceId))).toBe(false);
    expect(revokesDevice(crypto, device, entry(own, other.deviceId))).toBe(false);
    const { cert, ...rest } = entry(own, own.deviceId);
    expect(revokesDevice(crypto, device, { ...rest, cert: { ...cert, effective_from: 2 } })).toBe(false);
    expect(revokesDevice(crypto, device, { ...rest, kind: 'device_cert', cert })).toBe(false);
    expect(revokesDevice(crypto, device, null)).toBe(false);
  });
});
