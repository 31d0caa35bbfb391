import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRig, must, type Rig, type TestAccount } from '../../../test/fakes/puffo-rig.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import { createSignedRequests } from '../../services/puffo/signed-requests.ts';
import type { OpenParts, OperatorSession } from './operator.ts';
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
  unseal: (_label: string, text: string): Result<Uint8Array> =>
    ok(new Uint8Array(Buffer.from(text.split(' ')[1] ?? '', 'base64'))),
};

function retirementBy(
  session: OperatorSession | null,
  { directory = rig.directory, unseal = keys.unseal } = {},
) {
  const parts = {
    keys: { ...keys, unseal },
    crypto: rig.crypto,
    servers: { directory: () => ok(directory) },
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

/** The server rejects requests whose target ends like this with a status, until `status` is `null`. */
function refusingServer(refusal: { readonly target: string; status: number | null }): ServerDirectory {
  const { transport } = rig.directory;
  const send: typeof transport.send = async (exchange) => {
    if (refusal.status === null || !exchange.target.endsWith(refusal.target)) return transport.send(exchange);
    const answer = { contentType: 'application/json', body: Buffer.from('{}'), serverTime: null };
    return ok({ ...answer, status: refusal.status, retryAfterMs: null });
  };
  const refusing = { ...transport, send };
  const { crypto, clock } = rig;
  const { skew } = rig.directory;
  const requests = createSignedRequests({ transport: refusing, skew, crypto, clock });
  return { ...rig.directory, transport: refusing, requests };
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
  expect(await retirement.leave(pending)).toBe('left');
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
  expect(await retirement.leave({ slug, serverUrl, agentRootPublicKey: '', at: 0, sealedKeys })).toBe(
    'later',
  );
});

it.each([
  ['listing its spaces', '/spaces', 429, 'later'],
  ['listing channels', '/channels', 503, 'later'],
  ['handing over', '/spaces/events', 503, 'hand_over_later'],
  ['handing over by a rate limit', '/spaces/events', 429, 'later'],
])(
  'A retired agent keeps its device while the server fails %s (T7)',
  async (_name, target, status, result) => {
    const identity = await rig.agent(alice, 'helper');
    const helper = rig.open(identity);
    await helper.online();
    const { spaceId } = must(await helper.account.createSpace('Home'));
    must(await helper.account.inviteToSpace(spaceId, alice.identity.slug));
    await expect.poll(() => alice.invites.length, { timeout: 60_000 }).toBe(1);
    for (const invite of alice.invites) must(await alice.account.answerInvite(invite, true));
    await helper.account.stop();

    const { slug, serverUrl } = identity;
    const refusal: Parameters<typeof refusingServer>[0] = { target, status };
    const operator = { self: { slug: alice.identity.slug } } as OperatorSession;
    const retirement = retirementBy(operator, { directory: refusingServer(refusal) });
    const sealedKeys = await retirement.sealKeys(identity);
    const pending: PendingRetirement = { slug, serverUrl, agentRootPublicKey: '', at: 0, sealedKeys };
    expect(await retirement.leave(pending)).toBe(result);
    refusal.status = null;
    expect(await retirement.leave(pending)).toBe('left');
    const members = must(await alice.account.spaces.members(spaceId));
    expect(members.map((one) => [one.slug, one.role])).toEqual([[alice.identity.slug, 'owner']]);
  },
);

it('A retired agent revokes its device although the server refuses to let it leave for good', async () => {
  const identity = await rig.agent(alice, 'helper');
  const helper = rig.open(identity);
  await helper.online();
  must(await helper.account.createSpace('Home'));
  await helper.account.stop();

  const { slug, serverUrl } = identity;
  const directory = refusingServer({ target: '/spaces/events', status: 403 });
  const retirement = retirementBy(null, { directory });
  const sealedKeys = await retirement.sealKeys(identity);
  expect(await retirement.leave({ slug, serverUrl, agentRootPublicKey: '', at: 0, sealedKeys })).toBe('left');
  const known = await rig.directory.identities.verified(slug, 0);
  expect(known.ok && known.value.devices.map(({ revokedFrom }) => revokedFrom)).toEqual([expect.any(Number)]);
});

it('A retirement gives up on sealed keys that are damaged, and not on keys that are locked', async () => {
  for (const [code, result] of [
    ['corrupt', 'left'],
    ['locked', 'later'],
  ] as const) {
    const retirement = retirementBy(null, { unseal: () => err(textError(code, 'The keys do not open.')) });
    const pending = { slug: 'helper', serverUrl: rig.relay.url, agentRootPublicKey: '', at: 0 };
    expect(await retirement.leave({ ...pending, sealedKeys: 'sealed' }), code).toBe(result);
  }
});
