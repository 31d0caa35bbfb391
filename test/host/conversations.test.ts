import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoomsView } from '../../src/contract/model.ts';
import { ChatPeer } from '../peers/chat-peer.ts';
import { type DemoHost, eachTestWithDemo } from './demo-rig.ts';
import { answerTo, type TestHost, until } from './host-rig.ts';
import { agentOnline, IdentityTown, operatorOnline } from './identity-rig.ts';

const conversationsWith = ({ rooms }: RoomsView, room: string) =>
  Object.values(rooms).filter(({ id }) => id.startsWith(`${room}~`));
const texts = async (kennel: TestHost, room: string): Promise<readonly string[]> => {
  const found = await kennel.tryCall('chat.history', { room, limit: 200 });
  return found.ok ? found.value.messages.map(({ text }) => text) : [];
};

describe('Conversations with an agent of this host', () => {
  let restart: DemoHost['restart'];
  let kennel: TestHost;
  let guide: string;

  eachTestWithDemo((demo) => {
    ({ kennel, guide, restart } = demo);
  });

  const say = async (to: string, text: string) => {
    const { messageId, roomId } = await kennel.call('chat.send', { to, text });
    await answerTo(kennel, roomId, messageId);
    return messageId;
  };

  it('Each has its own messages, answers, unread count, title and transcript; a restart keeps them', async () => {
    await say('guide', 'echo first topic');
    const { roomId } = await kennel.call('chat.newConversation', { room: 'guide' });
    expect((await kennel.call('chat.newConversation', { room: 'guide' })).roomId).toBe(roomId);
    await say(roomId, 'echo second topic');
    expect(await texts(kennel, roomId)).toEqual(['echo second topic', 'second topic']);
    expect(await texts(kennel, guide)).not.toContain('second topic');
    await until('the unread answer', async () => {
      const room = (await kennel.call('chat.rooms', {})).rooms[roomId];
      return room?.unread === 1 && room.conversation?.title === 'echo second topic';
    });
    await kennel.call('chat.markRead', { room: roomId });
    await kennel.call('chat.renameConversation', { room: roomId, title: 'Topic two' });

    const { turns } = await kennel.call('work.turns', { agent: 'guide', room: roomId });
    expect(turns).toMatchObject([{ roomId }]);
    const detail = await kennel.call('work.turn', { agent: 'guide', turn: turns[0]?.id ?? '' });
    expect(JSON.stringify(detail)).toContain('second topic');
    expect(JSON.stringify(detail)).not.toContain('first topic');

    await kennel.stop();
    kennel = await restart();
    await agentOnline(kennel, 'guide');
    const room = (await kennel.call('chat.rooms', {})).rooms[roomId];
    expect(room).toMatchObject({ unread: 0, conversation: { title: 'Topic two', archived: false } });
    await say(roomId, 'echo after the restart');
    expect(await texts(kennel, roomId)).toContain('after the restart');
  }, 90_000);

  it('One is archived until a message arrives, and deleted here only; the main one stays', async () => {
    const { roomId } = await kennel.call('chat.newConversation', { room: 'guide', title: 'Secret' });
    await say(roomId, 'echo swordfish');
    await kennel.call('chat.archiveConversation', { room: roomId });
    const archived = async () => (await kennel.call('chat.rooms', {})).rooms[roomId]?.conversation?.archived;
    expect(await archived()).toBe(true);
    await say(roomId, 'echo again');
    expect(await archived()).toBe(false);
    await until('the messages to be sent', async () => {
      return (await kennel.tryCall('chat.deleteConversation', { room: roomId })).ok;
    });
    expect(conversationsWith(await kennel.call('chat.rooms', {}), guide)).toEqual([]);
    expect((await kennel.call('chat.search', { words: 'swordfish' })).hits).toEqual([]);
    const agents = await kennel.call('chat.search', { words: 'swordfish', agent: 'guide' });
    expect(agents.hits.length).toBeGreaterThan(0);
    for (const method of ['chat.archiveConversation', 'chat.deleteConversation'] as const)
      expect(await kennel.tryCall(method, { room: 'guide' })).toMatchObject({ error: { code: 'conflict' } });
    expect(await kennel.tryCall('chat.newConversation', { room: '#general' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
  }, 60_000);

  it('T8: An approval asked in one refers to it, and its answer comes there', async () => {
    const { roomId } = await kennel.call('chat.newConversation', { room: 'guide' });
    await kennel.call('chat.send', { to: roomId, text: 'write trip.md' });
    const approval = await until('the approval', async () =>
      (await kennel.call('approvals.list', {})).approvals.find(({ state }) => state === 'waiting'),
    );
    expect(approval.roomId).toBe(roomId);
    const { id, digest } = approval;
    await kennel.call('approvals.decide', {
      id,
      digest,
      answer: { type: 'allow', scope: 'once' },
      surface: 'window',
    });
    await until('the answer', async () => (await texts(kennel, roomId)).length > 1);
    expect((await texts(kennel, guide)).join('\n')).not.toContain('trip.md');
  }, 60_000);

  it('A task given in one reports its end there, and a search finds it there', async () => {
    const { roomId } = await kennel.call('chat.newConversation', { room: 'guide' });
    await kennel.call('chat.send', { to: roomId, text: '/task echo the tide table' });
    await until('the end of the task', async () =>
      (await texts(kennel, roomId)).some((text) => text.includes('is done')),
    );
    expect((await texts(kennel, guide)).join('\n')).not.toContain('Task');
    const { tasks } = await kennel.call('tasks.list', {});
    expect(tasks[0]).toMatchObject({ roomId });
    const found = await kennel.call('chat.search', { words: 'tide', room: roomId });
    expect(found.hits.map((hit) => hit.roomId)).toContain(roomId);
    expect((await kennel.call('chat.search', { words: 'tide', room: 'guide' })).hits).toEqual([]);
  }, 90_000);

  it('A mute of direct messages holds for all conversations', async () => {
    await kennel.call('chat.mute', { room: 'guide', mentions: false });
    const { roomId } = await kennel.call('chat.newConversation', { room: 'guide' });
    await say(roomId, 'echo quiet');
    const counted = async () => (await kennel.call('chat.rooms', {})).counted[roomId];
    await until('the unread answer', async () => (await counted()) === 0);
  }, 60_000);
});

describe('Conversations between computers', () => {
  let town: IdentityTown;
  beforeEach(async () => {
    town = new IdentityTown();
    await town.openRelay();
  });
  afterEach(() => town.end());

  it('An agent of another host answers in the conversation, and both sides agree where it begins', async () => {
    const ada = await town.resident('ada');
    const ben = await town.resident('ben');
    await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    await agentOnline(ada, 'bot');
    const { slug } = await ada.call('agents.get', { agent: 'bot' });
    if (slug === null) throw new Error('The agent has no handle.');
    await ada.call('contacts.accept', { slug: ben.slug });
    const main = await ben.call('chat.send', { to: slug, text: 'echo in the main one' });
    await answerTo(ben, main.roomId, main.messageId);
    const { roomId } = await ben.call('chat.newConversation', { room: slug });
    const sent = await ben.call('chat.send', { to: roomId, text: 'echo in the new one' });
    const answer = await answerTo(ben, roomId, sent.messageId);
    expect(answer.text).toContain('in the new one');
    expect(await texts(ben, main.roomId)).toEqual(['echo in the main one', expect.any(String)]);
    const { turns } = await ada.call('work.turns', { agent: 'bot' });
    expect(turns).toHaveLength(2);
  }, 120_000);

  it('An old client on the other side: its answer joins the conversation, its own message the main one', async () => {
    const ada = await town.resident('ada');
    const paula = await ChatPeer.signUp(town.url, await town.invite(), 'paula');
    await paula.connect();
    try {
      const { roomId } = await ada.call('chat.newConversation', { room: paula.slug, title: 'Trip' });
      const sent = await ada.call('chat.send', { to: roomId, text: 'Where to?' });
      const told = await until('the message', () => paula.told.find(({ id }) => id === sent.messageId));
      expect(told).toMatchObject({ content: 'Where to?', threadRoot: null });
      await paula.say({ dm: ada.slug }, 'To the sea.', { thread: told.id });
      await paula.say({ dm: ada.slug }, 'Something else.');
      await until('the answer', async () => (await texts(ada, roomId)).includes('To the sea.'));
      const main = `dm:${paula.slug}`;
      await until('the other message', async () => (await texts(ada, main)).includes('Something else.'));
      expect(await texts(ada, roomId)).toEqual(['Where to?', 'To the sea.']);
    } finally {
      paula.close();
    }
  }, 60_000);

  it('A second computer of the same person shows the same conversations', async () => {
    const ada = await town.resident('ada');
    const ben = await town.resident('ben');
    const desk = await town.host(town.newHome());
    const begun = await desk.call('devices.enrolBegin', { serverUrl: town.url });
    await ada.call('devices.enrolApprove', { code: begun.code, words: begun.words });
    await until('the approval', async () => (await desk.call('devices.enrolWait', {})).state === 'ready');
    await desk.call('devices.enrolFinish', { accept: true });
    await operatorOnline(desk);
    await ben.call('contacts.accept', { slug: ada.slug });
    const { roomId } = await ada.call('chat.newConversation', { room: ben.slug });
    await ada.call('chat.send', { to: roomId, text: 'one plan' });
    const same = `dm:${ada.slug}${roomId.slice(`dm:${ben.slug}`.length)}`;
    await until('the message', async () => (await texts(ben, same)).includes('one plan'));
    await ben.call('chat.send', { to: same, text: 'agreed' });
    await until(
      'both on the second computer',
      async () => (await texts(desk, roomId)).join() === 'one plan,agreed',
    );
  }, 60_000);
});
