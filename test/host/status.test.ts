import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChatMessage, RoomsView, RoomView } from '../../src/contract/model.ts';
import { createRig, must, type Rig, until as soon, type TestAccount } from '../fakes/puffo-rig.ts';
import { follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const env = { KENNEL_PASSPHRASE: 'correct horse' };
let rig: Rig;
let kennel: TestHost;
let bob: TestAccount;
let parrot: TestAccount;
let bot = '';
let channelId = '';

beforeAll(async () => {
  rig = await createRig();
  kennel = await startHost(folder.home, { env });
  const inviteCode = rig.relay.createInvite();
  await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' });
  bot = (await kennel.call('agents.create', { id: 'bot', provider: 'scripted' })).agent.slug ?? '';
  bob = rig.open(await rig.person('bob'), { watchRooms: true });
  await bob.online();
  parrot = rig.open(await rig.agent(bob, 'parrot'));
  await parrot.online();
  const [space] = (await kennel.call('chat.rooms', {})).spaces;
  await kennel.call('invites.send', { space: space?.id, who: bob.identity.slug });
  const invite = await soon('the invitation', () => bob.invites[0]);
  must(await bob.account.answerInvite(invite, true));
  must(await bob.account.inviteToSpace(invite.spaceId, parrot.identity.slug));
  channelId = await until('all to be there', async () => {
    const { rooms } = await kennel.call('chat.rooms', {});
    const room = Object.values(rooms).find(({ members }) =>
      members.some(({ slug }) => slug === parrot.identity.slug),
    );
    return room?.id;
  });
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  await rig.stop();
  folder.remove();
});

const stateOf = (view: RoomsView, slug: string) => view.presence[slug]?.state;
const theirs = (messages: readonly ChatMessage[], id: string) =>
  messages.find((message) => message.id === id)?.marks.find(({ slug }) => slug === parrot.identity.slug);

it('The rooms topic shows the status of each agent while followed, and sends only changes', async () => {
  const rooms = follow<RoomsView>(kennel.host, 'rooms');
  const { slug } = parrot.identity;
  await until(
    'both to be known',
    () => stateOf(rooms.state(), slug) === 'idle' && stateOf(rooms.state(), bot) === 'idle',
  );
  expect(rooms.state().presence).not.toHaveProperty(bob.identity.slug);
  const said = await kennel.call('chat.send', { to: channelId, text: `@${slug} hello` });
  await until('it to reach the agent', () =>
    parrot.accepted.some(({ envelopeId }) => envelopeId === said.messageId),
  );
  const before = rooms.events.length;
  parrot.account.processingStarted({ runId: 'run_1', messageId: said.messageId });
  await until('busy', () => stateOf(rooms.state(), slug) === 'busy');
  const [run] = [
    { runId: 'run_1', messageId: said.messageId, succeeded: false, errorText: 'timeout: It took too long.' },
  ];
  parrot.account.processingEnded([run]);
  await until('the error', () => stateOf(rooms.state(), slug) === 'error');
  expect(rooms.state().presence[slug]?.errorText).toBe('timeout: It took too long.');
  const patches = rooms.events.slice(before).filter((event) => JSON.stringify(event).includes('"presence"'));
  for (const patch of patches) expect(JSON.stringify(patch)).not.toContain(bot);
  rooms.stop();
}, 60_000);

it("Messages are marked while another person's agent processes them and when done, also after a restart", async () => {
  const { messageId } = await kennel.call('chat.send', { to: channelId, text: 'who knows?' });
  await until('it to reach the agent', () =>
    parrot.accepted.some(({ envelopeId }) => envelopeId === messageId),
  );
  const room = follow<RoomView>(kennel.host, `room:${channelId}`);
  parrot.account.processingStarted({ runId: 'run_2', messageId });
  await until('the mark', () => theirs(room.state().messages, messageId)?.state === 'working');
  parrot.account.processingEnded([{ runId: 'run_2', messageId, succeeded: true }]);
  await until('its end', () => theirs(room.state().messages, messageId)?.state === 'done');
  expect(theirs(room.state().messages, messageId)).toEqual({
    agentId: null,
    slug: parrot.identity.slug,
    state: 'done',
    reason: '',
  });
  const own = room
    .state()
    .messages.find(({ id }) => id === messageId)
    ?.marks.filter(({ slug }) => slug === bot);
  expect(own).toMatchObject([{ agentId: 'bot', state: 'silent' }]);
  room.stop();

  await kennel.stop();
  kennel = await startHost(folder.home, { env });
  const later = follow<RoomView>(kennel.host, `room:${channelId}`);
  await until('the mark of before', () => theirs(later.state().messages, messageId)?.state === 'done');
  later.stop();
}, 60_000);
