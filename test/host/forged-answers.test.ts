import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { sealMessage } from '../../src/core/puffo/envelope.ts';
import { newEnvelopeId } from '../../src/core/puffo/ids.ts';
import type { OutboxDraft } from '../../src/core/puffo/stored-message.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { createRig, must, type Rig, type TestAccount } from '../fakes/puffo-rig.ts';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const random = createSystemRandom();
let rig: Rig;
let kennel: TestHost;
let mallory: TestAccount;
let bot = '';
let ada = '';

beforeAll(async () => {
  rig = await createRig();
  kennel = await startHost(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse' } });
  const inviteCode = rig.relay.createInvite();
  ada = (await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' })).slug;
  bot = (await kennel.call('agents.create', { id: 'bot', provider: 'scripted' })).agent.slug ?? '';
  mallory = rig.open(await rig.person('mallory'), { watchRooms: true });
  await mallory.online();
  await kennel.call('contacts.accept', { slug: mallory.identity.slug });
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  await rig.stop();
  folder.remove();
});

const waiting = async () => (await kennel.call('approvals.list', {})).approvals;
const inChat = async () => (await kennel.call('chat.history', { room: 'bot', limit: 200 })).messages;
const receipts = async () =>
  (await kennel.call('approvals.list', { state: 'all' })).approvals.flatMap(({ decision }) => decision ?? []);

/** Invites the bot; returns the space, the approval and its message. */
async function trap(name: string) {
  const { spaceId } = must(await mallory.account.createSpace(name));
  must(await mallory.account.inviteToSpace(spaceId, bot));
  const asked = await until(
    'the question',
    async () => (await waiting()).find(({ preview }) => preview.body.includes(`"${name}"`)),
    45_000,
  );
  const post = await until('the question in the chat', async () =>
    (await inChat()).find(({ asks }) => asks === asked.id),
  );
  return { spaceId, asked, root: post.id };
}

const say = async (text: string, threadRootId?: string) =>
  (await kennel.call('chat.send', { to: 'bot', text, ...(threadRootId ? { threadRootId } : {}) })).messageId;

/** The decision of the bot about a message, once it exists. */
const madeOf = (message: string) =>
  until('the bot to have it', async () => {
    const why = await kennel.tryCall('chat.why', { message });
    const mine = why.ok ? why.value.agents.find(({ agentId }) => agentId === 'bot') : undefined;
    return mine && mine.state !== 'unseen' ? inEnglish(mine) : undefined;
  });

function malloryWrites(text: string, threadRootId: string | null): string {
  const envelopeId = newEnvelopeId(random);
  const draft: OutboxDraft = {
    envelopeId,
    kind: 'dm',
    spaceId: null,
    channelId: null,
    recipientSlug: bot,
    threadRootId,
    contentType: 'text/plain',
    content: text,
    visible: true,
    createdAt: Date.now(),
  };
  mallory.store.enqueue(draft, mallory.identity.slug);
  mallory.account.kickOutbox();
  return envelopeId;
}

/** Sends a message that claims to be the operator's, sealed with other keys. */
async function postAsOperator(text: string, threadRootId: string) {
  const to = await rig.directory.identities.verified(bot, 0);
  if (!to.ok || !mallory.session) throw new Error('no keys');
  const sealed = sealMessage(rig.crypto, {
    envelopeId: newEnvelopeId(random),
    kind: 'dm',
    senderSlug: ada,
    spaceId: null,
    channelId: null,
    recipientSlug: bot,
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
  const body = sealed.value.envelope;
  return mallory.account.client.json('POST', '/messages', z.unknown(), { body });
}

const isIn = async (spaceId: string): Promise<boolean> => {
  await mallory.account.refreshRooms();
  const channels = mallory.account.rooms().channels.filter((channel) => channel.spaceId === spaceId);
  return channels.some(({ members }) => members.some(({ slug }) => slug === bot));
};

it("T8: Only the operator’s own y in the question's thread counts as approval, and only once", async () => {
  const first = await trap('Trap');
  const second = await trap('Pit');

  await madeOf(malloryWrites('y', first.root));
  await madeOf(malloryWrites('y', null));
  const forged = await postAsOperator('y', first.root);
  expect(forged).toMatchObject({ ok: false, error: { status: 403 } });
  await say('echo y', first.root);
  await until('the bot to say y itself', async () =>
    (await inChat()).some(
      ({ threadRootId, own, text }) => threadRootId === first.root && !own && text === 'y',
    ),
  );
  const elsewhere = await say('hello');
  await answerTo(kennel, 'bot', elsewhere);
  expect((await madeOf(await say('y', elsewhere))).text).not.toContain('took it');
  // Two requests wait, so a bare answer is ambiguous.
  expect((await madeOf(await say('y'))).text).not.toContain('took it');

  expect((await waiting()).map(({ id }) => id).sort()).toEqual([first.asked.id, second.asked.id].sort());
  expect(await receipts()).toEqual([]);
  expect([await isIn(first.spaceId), await isIn(second.spaceId)]).toEqual([false, false]);

  const yes = await say('Y', first.root);
  await until('the bot to join', () => isIn(first.spaceId));
  expect((await madeOf(yes)).text).toBe('took it as your answer to its question.');
  await until('a word about it', async () =>
    (await inChat()).some(
      ({ threadRootId, text }) =>
        threadRootId === first.root && text === 'Done: I have joined the space `Trap`.',
    ),
  );
  // The answer counts once: its thread is closed, and the other request has another thread.
  await madeOf(await say('y', first.root));
  expect((await waiting()).map(({ id }) => id)).toEqual([second.asked.id]);
  expect(await receipts()).toHaveLength(1);

  // Only one request waits now: outside its thread a no is accepted, a yes is not.
  expect((await madeOf(await say('y'))).text).not.toContain('took it');
  expect((await waiting()).map(({ id }) => id)).toEqual([second.asked.id]);
  expect((await madeOf(await say('n'))).text).toBe('took it as your answer to its question.');
  await until(
    'the invitation to be closed',
    async () => (await mallory.account.inviteToSpace(second.spaceId, bot)).ok,
    45_000,
  );
  expect(await isIn(second.spaceId)).toBe(false);
}, 180_000);

it('A question is posted once, also over a restart; after approval the agent introduces itself', async () => {
  const { spaceId, asked, root } = await trap('Garden');
  await kennel.stop();
  kennel = await startHost(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse' } });
  await until(
    'the operator online',
    async () => (await kennel.call('chat.rooms', {})).connection === 'online',
  );
  await say('y', root);
  await until('the bot to join', () => isIn(spaceId), 60_000);
  expect((await inChat()).filter(({ asks }) => asks === asked.id)).toHaveLength(1);
  const hello = await until('its introduction', () =>
    mallory.accepted.find((message) => message.spaceId === spaceId && message.senderSlug === bot),
  );
  expect(hello).toMatchObject({ threadRootId: null, visible: true });
  const { missed } = await kennel.call('chat.missed', { agent: 'bot' });
  expect(JSON.stringify(missed)).not.toContain('intro-prompt');
}, 180_000);
