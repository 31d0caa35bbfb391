import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRig, must, type Rig, type TestAccount } from '../fakes/puffo-rig.ts';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const env = { KENNEL_PASSPHRASE: 'correct horse' };
let rig: Rig;
let kennel: TestHost;
let stranger: TestAccount;
let bot = '';

beforeAll(async () => {
  rig = await createRig();
  kennel = await startHost(folder.home, { env });
  const inviteCode = rig.relay.createInvite();
  await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' });
  const { agent } = await kennel.call('agents.create', { id: 'bot', provider: 'scripted' });
  bot = agent.slug ?? '';
  stranger = rig.open(await rig.person('mallory'), { watchRooms: true });
  await stranger.online();
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  await rig.stop();
  folder.remove();
});

const waiting = async () => (await kennel.call('approvals.list', {})).approvals;

async function inviteInto(name: string) {
  const { spaceId } = must(await stranger.account.createSpace(name));
  must(await stranger.account.inviteToSpace(spaceId, bot));
  const asked = await until('the question', async () =>
    (await waiting()).find(({ preview }) => preview.body.includes(name)),
  );
  return { spaceId, asked };
}

const isIn = async (spaceId: string): Promise<boolean> => {
  await stranger.account.refreshRooms();
  const channels = stranger.account.rooms().channels.filter((channel) => channel.spaceId === spaceId);
  return channels.some(({ members }) => members.some(({ slug }) => slug === bot));
};

it('A stranger’s invitation waits for the operator, also over a restart, and is accepted on approval (T8)', async () => {
  const { spaceId, asked } = await inviteInto('Garden');
  expect(asked).toMatchObject({ kind: 'invitation', agentId: 'bot', state: 'waiting' });
  expect(asked.offers.map(({ scope }) => scope)).toEqual(['once']);
  expect(await isIn(spaceId)).toBe(false);

  await kennel.stop();
  kennel = await startHost(folder.home, { env });
  expect((await waiting()).map(({ id }) => id)).toEqual([asked.id]);
  const { id, digest } = asked;
  const answer = { type: 'allow', scope: 'once' } as const;
  await kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
  await until('the bot to join', () => isIn(spaceId));
  expect(await waiting()).toEqual([]);
}, 120_000);

it('A denied invitation is rejected and the agent does not join', async () => {
  const { spaceId, asked } = await inviteInto('Trap');
  const { id, digest } = asked;
  const answer = { type: 'deny', reason: '' } as const;
  await kennel.call('approvals.decide', { id, digest, answer, surface: 'window' });
  // The invitation is rejected at the server: it can be repeated, which an open one does not allow.
  await until(
    'the invitation to be closed',
    async () => (await stranger.account.inviteToSpace(spaceId, bot)).ok,
  );
  expect(await isIn(spaceId)).toBe(false);
}, 120_000);

it('T8: An approval given while the server was down survives a restart and is not asked again', async () => {
  const { spaceId, asked } = await inviteInto('Attic');
  await rig.stopRelay();
  const { id, digest } = asked;
  const answer = { type: 'allow', scope: 'once' } as const;
  await kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
  await kennel.stop();
  await rig.startRelay();
  kennel = await startHost(folder.home, { env });
  await until('the bot to join', () => isIn(spaceId), 60_000);
  const { approvals } = await kennel.call('approvals.list', { state: 'all' });
  expect(approvals.filter(({ preview }) => preview.body.includes('"Attic"'))).toHaveLength(1);
}, 120_000);

it('An agent invited by its operator joins at once and introduces itself once', async () => {
  const { spaceId, channelId } = await kennel.call('spaces.create', { name: 'Workshop' });
  await kennel.call('invites.send', { space: spaceId, who: 'bot' });
  const said = async () =>
    (await kennel.call('chat.history', { room: channelId, limit: 50 })).messages.filter(({ own }) => !own);
  const [hello] = await until('its introduction', async () => {
    const messages = await said();
    return messages.length > 0 && messages;
  });
  expect(hello).toMatchObject({ senderSlug: bot, threadRootId: null, visible: true });
  const isMember = async () =>
    (await kennel.call('chat.rooms', {})).rooms[channelId]?.members.some(({ slug }) => slug === bot) ?? false;
  await kennel.call('spaces.remove', { space: spaceId, who: 'bot' });
  await until('the bot to be out', async () => !(await isMember()));
  await kennel.call('invites.send', { space: spaceId, who: 'bot' });
  await until('the bot to be in again', isMember);
  // Messages keep their order: a second introduction would come before this answer.
  const { messageId } = await kennel.call('chat.send', { to: channelId, text: `@${bot} echo still here` });
  await answerTo(kennel, channelId, messageId);
  const roots = (await said()).filter(({ threadRootId }) => threadRootId === null);
  expect(roots.map(({ id }) => id)).toEqual([hello?.id]);
}, 120_000);
