import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Approval } from '../../src/contract/approvals.ts';
import type { ChannelId, SpaceId } from '../../src/contract/room-id.ts';
import { sealMessage } from '../../src/core/puffo/envelope.ts';
import { newEnvelopeId } from '../../src/core/puffo/ids.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createRig, type Rig, type TestAccount } from '../fakes/puffo-rig.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

// Two people with a host each, and a stranger in the same channel, over a real relay.

const folders = [newHome(), newHome()] as const;
const env = { KENNEL_PASSPHRASE: 'correct horse' };
const random = createSystemRandom();
let rig: Rig;
let ada: TestHost;
let bob: TestHost;
let mallory: TestAccount;
let [adaSlug, bobSlug, spaceId, office, kitchen] = ['', '', '', '', ''];

async function signedUp(home: string, username: string): Promise<readonly [TestHost, string]> {
  const kennel = await startHost(home, { env });
  const inviteCode = rig.relay.createInvite();
  const { slug } = await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username });
  await until('the account', async () => (await kennel.call('chat.rooms', {})).connection === 'online');
  return [kennel, slug];
}

async function comesIn(channel: string): Promise<void> {
  await ada.call('invites.send', { channel, who: bobSlug });
  const invite = await until('an invitation', async () =>
    (await bob.call('chat.rooms', {})).invites.find(({ channelId }) => channelId === channel),
  );
  await bob.call('invites.answer', { invite: invite.id, accept: true });
  await until('both to see it', async () => {
    const seen = [
      (await ada.call('chat.rooms', {})).rooms[channel],
      (await bob.call('chat.rooms', {})).rooms[channel],
    ];
    return seen.every((room) => room?.members.some(({ slug }) => slug === bobSlug));
  });
}

beforeAll(async () => {
  rig = await createRig();
  [[ada, adaSlug], [bob, bobSlug]] = await Promise.all([
    signedUp(folders[0].home, 'ada'),
    signedUp(folders[1].home, 'bob'),
  ]);
  await ada.call('agents.create', { id: 'clerk', provider: 'scripted' });
  spaceId = (await ada.call('spaces.create', { name: 'Shop' })).spaceId;
  office = (await ada.call('channels.create', { space: spaceId, name: 'office' })).channelId;
  kitchen = (await ada.call('channels.create', { space: spaceId, name: 'kitchen' })).channelId;
  await ada.call('invites.send', { channel: office, who: 'clerk' });
  await ada.call('invites.send', { channel: kitchen, who: 'clerk' });
  mallory = rig.open(await rig.person('mallory'), { watchRooms: true });
  await mallory.online();
}, 120_000);
afterAll(async () => {
  await Promise.all([ada?.stop(), bob?.stop()]);
  await rig.stop();
  for (const folder of folders) folder.remove();
});

const done = (name: string): string => join(folders[0].home, 'workflows', `${name}.txt`);
const workflow = (name: string, rule: string): string =>
  `name: ${name}\nsteps:\n  - id: ask\n    approval:\n      prompt: Ship ${name}?\n      items: ["v1", "v2"]\n${rule}\n  - id: ship\n    run: echo shipped >> ${name}.txt\n`;

async function ask(name: string, rule: string): Promise<{ run: string; asked: Approval }> {
  const { id: run } = await ada.call('runs.start', { text: workflow(name, rule) });
  const asked = await until('the question', async () =>
    (await ada.call('approvals.list', { kind: 'workflow' })).approvals.find(
      ({ gate }) => gate?.runId === run,
    ),
  );
  return { run, asked };
}

const messages = async (kennel: TestHost, room: string) =>
  (await kennel.call('chat.history', { room, limit: 200 }).catch(() => ({ messages: [] }))).messages;
/** Opening text of a run's gate in the chat. */
const opening = (name: string): string => `Workflow \`${name}\` asks:\n\`\`\`\nShip ${name}?`;
/** Waits until a message with this text is in one of the channels. */
const reads = (kennel: TestHost, what: string) =>
  until(`"${what}" to be read`, async () => {
    const { rooms } = await kennel.call('chat.rooms', {});
    for (const room of Object.keys(rooms)) {
      const found = (await messages(kennel, room)).find(({ text }) => text.includes(what));
      if (found && !room.startsWith('dm:')) return { room, ...found };
    }
    return undefined;
  });
const bobSays = async (text: string, threadRootId: string | undefined, to: string): Promise<string> =>
  (await bob.call('chat.send', { to, text, ...(threadRootId ? { threadRootId } : {}) })).messageId;
const arrived = (message: string) =>
  until('the agent to have it', async () => {
    const why = await ada.tryCall('chat.why', { message });
    return why.ok && why.value.agents.some(({ agentId, state }) => agentId === 'clerk' && state !== 'unseen');
  });
const ended = (run: string) =>
  until('the end', async () => {
    const found = (await ada.call('runs.get', { run })).run;
    return found.endedAt === null ? undefined : found;
  });
const stateOf = async (id: string) => (await ada.call('approvals.get', { id })).approval;
const votes = async (id: string) => (await stateOf(id)).gate?.votes;

/** Sends a message that mallory signed and that claims to be bob's. */
async function postAsBob(text: string, threadRootId: string, channelId: string) {
  const clerk = (await ada.call('agents.get', { agent: 'clerk' })).slug ?? '';
  const to = await rig.directory.identities.verified(clerk, 0);
  if (!to.ok || !mallory.session) throw new Error('no keys');
  const sealed = sealMessage(rig.crypto, {
    envelopeId: newEnvelopeId(random),
    kind: 'channel',
    senderSlug: bobSlug,
    spaceId: spaceId as SpaceId,
    channelId: channelId as ChannelId,
    recipientSlug: null,
    sentAt: Date.now(),
    threadRootId,
    replyToId: null,
    contentType: 'text/plain',
    content: text,
    visible: true,
    session: mallory.session,
    recipients: to.value.devices.map(({ deviceId, kemPublicKey }) => ({ deviceId, kemPublicKey })),
  });
  if (!sealed.ok) throw new Error(sealed.error.message);
  return mallory.account.client.json('POST', '/messages', z.unknown(), { body: sealed.value.envelope });
}

it('A named approver without a shared channel is asked once one exists; until then the inbox alone asks', async () => {
  const { run, asked } = await ask('early', `      required_approver: "@${bobSlug}"`);
  expect(asked).toMatchObject({ state: 'waiting', gate: { named: [bobSlug] } });
  await ada.call('invites.send', { space: spaceId, who: bobSlug });
  const toSpace = await until('an invitation', async () => (await bob.call('chat.rooms', {})).invites[0]);
  await bob.call('invites.answer', { invite: toSpace.id, accept: true });
  await comesIn(office);
  const { id, room } = await reads(bob, opening('early'));
  await bobSays('y', id, room);
  expect((await ended(run)).status).toBe('ok');
  expect((await stateOf(asked.id)).decision).toMatchObject({ surface: 'chat', by: bobSlug, as: 'approve' });
  const direct = (await messages(ada, 'clerk')).map(({ text }) => text);
  expect(direct.join('\n'), 'no uninvolved agent asks in a direct message').not.toContain(opening('early'));
}, 120_000);

it('Two of two approvers agree once each; the log has both with the digest, and Bob sees the result (T8)', async () => {
  await comesIn(kitchen);
  const { run, asked } = await ask('both', `      approvers: ["${adaSlug}", "${bobSlug}"]\n      needed: 2`);
  const question = await reads(bob, opening('both'));
  // The request shows all details of the gate.
  for (const part of ['"v1"', '"v2"', adaSlug, '2 of them must agree', 'Answer **y** or **n**'])
    expect(question.text).toContain(part);
  const elsewhere = question.room === kitchen ? office : kitchen;

  // Answers from a room without the request, outside its thread, and with other keys.
  expect(
    await bob.tryCall('chat.send', { to: elsewhere, text: 'y', threadRootId: question.id }),
  ).toMatchObject({ ok: false, error: { code: 'not_found' } });
  await arrived(await bobSays('y', undefined, question.room));
  expect(await postAsBob('y', question.id, question.room)).toMatchObject({ ok: false });
  expect(await votes(asked.id)).toEqual([]);

  await bobSays('y', question.id, question.room);
  await until('his vote', async () => (await votes(asked.id))?.length === 1);
  await arrived(await bobSays('yes', question.id, question.room));
  expect(await votes(asked.id)).toEqual([bobSlug]);
  // The same envelope again is the same message.
  await rig.stopRelay();
  await rig.startRelay();
  await until('everybody back', async () => (await bob.call('chat.rooms', {})).connection === 'online');
  expect(await votes(asked.id)).toEqual([bobSlug]);
  expect(existsSync(done('both'))).toBe(false);

  const edited = await ada.tryCall('approvals.decide', {
    id: asked.id,
    answer: { type: 'allow', scope: 'once' },
    digest: `${asked.digest.startsWith('0') ? '1' : '0'}${asked.digest.slice(1)}`,
    surface: 'window',
  });
  expect(edited).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await ada.call('approvals.decide', {
    id: asked.id,
    answer: { type: 'allow', scope: 'once' },
    digest: asked.digest,
    surface: 'window',
  });
  expect((await ended(run)).status).toBe('ok');
  const inThread = await until('the outcome', async () => {
    const said = (await messages(bob, question.room)).filter(
      ({ threadRootId, own }) => threadRootId === question.id && !own,
    );
    return said.length >= 2 && said.map(({ text }) => text);
  });
  expect(inThread).toEqual([
    `\`${bobSlug}\` agreed. One more must agree.`,
    `Approved by \`${bobSlug}\`, \`${adaSlug}\`. The run goes on.`,
  ]);
  // An answer after the decision changes nothing, and its sender is notified.
  await bobSays('n', question.id, question.room);
  await until('a word about it', async () =>
    (await messages(bob, question.room)).some(({ text }) => text.startsWith('Your answer came too late')),
  );
  expect((await ada.call('runs.get', { run })).run.status).toBe('ok');
  expect(readFileSync(done('both'), 'utf8')).toBe('shipped\n');
  const { lines } = await ada.call('audit.list', { limit: 50 });
  const about = lines
    .filter(({ detail }) => detail.includes(asked.id))
    .map(({ outcome, digest, detail }) => ({ outcome, digest, who: detail.split(' ').at(-1) }));
  expect(about).toEqual([
    { outcome: 'allowed', digest: asked.digest, who: adaSlug },
    { outcome: 'agreed', digest: asked.digest, who: bobSlug },
  ]);
}, 120_000);

it('The starter of a run cannot decide it and gets a reason; a stranger in the channel is ignored (T8)', async () => {
  const { run, asked } = await ask(
    'other',
    `      approvers: ["${adaSlug}", "${bobSlug}"]\n      require_different_approver: true`,
  );
  const { id, room } = await reads(ada, opening('other'));
  await ada.call('chat.send', { to: room, text: 'y', threadRootId: id });
  await until('why not', async () =>
    (await messages(ada, room)).find(
      ({ threadRootId, text, own }) =>
        threadRootId === id && !own && /someone else|Another person|Only/.test(text),
    ),
  );
  expect((await stateOf(asked.id)).state).toBe('waiting');
  await bobSays('n, the tests are red', id, room);
  expect((await ended(run)).status).not.toBe('ok');
  expect((await stateOf(asked.id)).decision).toMatchObject({
    by: bobSlug,
    as: 'reject',
    reason: 'the tests are red',
  });
  expect(existsSync(done('other'))).toBe(false);
}, 120_000);
