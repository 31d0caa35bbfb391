import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRig, must, type Rig, type TestAccount } from '../../../test/fakes/puffo-rig.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { ok } from '../../contract/result.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import type { OpenParts, OperatorSession } from '../operator.ts';
import type { PendingRetirement } from './pending-retirements.ts';
import { createServerRetirement } from './server-retirement.ts';

let rig: Rig;
let alice: TestAccount;
beforeEach(async () => {
  rig = await createRig();
  alice = rig.open(await rig.person('alice'));
  await alice.online();
});
afterEach(() => rig.stop());

const keys = {
  seal: (label: string, bytes: Uint8Array) => ok(`${label} ${Buffer.from(bytes).toString('base64')}`),
  unseal: (_label: string, text: string) =>
    ok(new Uint8Array(Buffer.from(text.split(' ')[1] ?? '', 'base64'))),
};

function retirementBy(session: OperatorSession | null) {
  const parts = {
    keys,
    crypto: rig.crypto,
    servers: { directory: () => ok(rig.directory) },
    currentUrl: (url: string) => url,
  };
  return createServerRetirement({
    session: () => session,
    openParts: async () => ok(parts as unknown as OpenParts),
    clock: rig.clock,
    random: createSystemRandom(),
    log: createRecordingLog(),
  });
}

it('A retired agent leaves its spaces and revokes its device with sealed keys, without the operator (T7)', async () => {
  const identity = await rig.agent(alice, 'helper');
  const helper = rig.open(identity);
  await helper.online();
  const { spaceId } = must(await alice.account.createSpace('Home'));
  must(await alice.account.inviteToSpace(spaceId, identity.slug));
  const { slug, serverUrl } = identity;
  const members = async () => must(await alice.account.spaces.members(spaceId)).map((one) => one.slug);
  await expect.poll(members, { timeout: 60_000 }).toContain(slug);
  await helper.account.stop();

  const retirement = retirementBy(null);
  const sealedKeys = await retirement.sealKeys(identity);
  const pending: PendingRetirement = { slug, serverUrl, agentRootPublicKey: '', at: 0, sealedKeys };
  expect(await retirement.leave(pending)).toBe(true);
  expect(await members()).not.toContain(slug);
  const known = await rig.directory.identities.verified(slug, 0);
  expect(known.ok && known.value.devices.map(({ revokedFrom }) => revokedFrom)).toEqual([expect.any(Number)]);
  expect(await retirement.revoke(pending)).toBe('not_here');
});

it('A retirement reports failure while the server is unreachable, to be repeated', async () => {
  const identity = await rig.agent(alice, 'helper');
  await rig.stopRelay();
  const retirement = retirementBy(null);
  const sealedKeys = await retirement.sealKeys(identity);
  const { slug, serverUrl } = identity;
  expect(await retirement.leave({ slug, serverUrl, agentRootPublicKey: '', at: 0, sealedKeys })).toBe(false);
});
