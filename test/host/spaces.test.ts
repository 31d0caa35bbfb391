import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoomsView } from '../../src/contract/model.ts';
import { englishText } from '../../src/language/host-message.ts';
import { createRig, type Rig } from '../fakes/puffo-rig.ts';
import { follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folders = [newHome(), newHome()] as const;
const env = { KENNEL_PASSPHRASE: 'correct horse' };
let rig: Rig;
let ada: TestHost;
let bob: TestHost;
let [adaSlug, bobSlug, spaceId] = ['', '', ''];

async function signedUp(home: string, username: string): Promise<readonly [TestHost, string]> {
  const kennel = await startHost(home, { env });
  const serverUrl = rig.relay.url;
  const inviteCode = rig.relay.createInvite();
  const displayName = username === 'ada' ? 'Ada' : 'Bob';
  const { slug } = await kennel.call('setup.signUp', { serverUrl, inviteCode, username, displayName });
  await until('the account', async () => (await kennel.call('chat.rooms', {})).connection === 'online');
  return [kennel, slug];
}

beforeAll(async () => {
  rig = await createRig();
  [[ada, adaSlug], [bob, bobSlug]] = await Promise.all([
    signedUp(folders[0].home, 'ada'),
    signedUp(folders[1].home, 'bob'),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all([ada.stop(), bob.stop()]);
  await rig.stop();
  for (const folder of folders) folder.remove();
});

const rooms = (kennel: TestHost) => kennel.call('chat.rooms', {});
const channelOf = (kennel: TestHost, name: string) =>
  until(`#${name}`, async () =>
    Object.values((await rooms(kennel)).rooms).find((room) => room.kind === 'channel' && room.name === name),
  );
const heard = (kennel: TestHost, room: string, text: string) =>
  until(`"${text}"`, async () => {
    const { messages } = await kennel.call('chat.history', { room });
    return messages.find((message) => message.text === text);
  });
const invited = (kennel: TestHost) => until('an invitation', async () => (await rooms(kennel)).invites[0]);
const code = async (answer: ReturnType<TestHost['tryCall']>) => {
  const result = await answer;
  return result.ok ? 'ok' : result.error.code;
};

it('A person invited by slug sees who invites and where, declines once, and then accepts', async () => {
  const made = await ada.call('spaces.create', { name: 'Garden' });
  spaceId = made.spaceId;
  expect((await rooms(ada)).spaces).toEqual([
    { id: spaceId, name: 'Garden', role: 'owner', archived: false },
  ]);
  const screen = follow<RoomsView>(bob.host, 'rooms');
  const sent = await ada.call('invites.send', { space: 'garden', who: bobSlug });
  expect(englishText(sent.note)).toBe(`${bobSlug} is invited to Garden, and has to accept it first.`);
  // The window shows the invitation without a request.
  await until('the card', () => screen.state().invites[0]?.spaceName === 'Garden');
  screen.stop();
  const first = await invited(bob);
  expect(first).toMatchObject({ scope: 'space', spaceName: 'Garden', channelId: null, inviterSlug: adaSlug });
  await until('the name', async () => (await rooms(bob)).invites[0]?.inviterName === 'Ada');
  expect((await bob.call('invites.list', {})).received.map(({ id }) => id)).toEqual([first.id]);

  await bob.call('invites.answer', { invite: first.id, accept: false });
  expect((await rooms(bob)).invites).toEqual([]);
  expect(await code(bob.tryCall('invites.answer', { invite: first.id, accept: true }))).toBe('not_found');
  expect((await rooms(bob)).spaces).toEqual([]);

  await ada.call('invites.send', { space: 'Garden', who: bobSlug });
  const taken = await invited(bob);
  expect((await ada.call('invites.sent', {})).sent).toMatchObject([{ id: taken.id, inviteeSlug: bobSlug }]);
  expect(await code(bob.tryCall('invites.cancel', { invite: taken.id }))).toBe('not_found');
  await ada.call('invites.cancel', { invite: taken.id });
  await until('it to be gone', async () => (await rooms(bob)).invites.length === 0);
  expect((await ada.call('invites.sent', {})).sent).toEqual([]);
  await ada.call('invites.send', { space: 'Garden', who: bobSlug });
  const again = await ada.call('invites.send', { space: 'Garden', who: bobSlug });
  expect(englishText(again.note)).toContain('is invited to Garden');
  const second = await invited(bob);
  await bob.call('invites.answer', { invite: second.id.slice(0, 12), accept: true });
  expect((await rooms(bob)).spaces).toEqual([
    { id: spaceId, name: 'Garden', role: 'member', archived: false },
  ]);
  const { members } = await until('both', async () => {
    const now = await ada.call('spaces.members', { space: spaceId });
    return now.members.length === 2 && now;
  });
  expect(members.map(({ slug, role, agent }) => ({ slug, role, agent }))).toEqual([
    { slug: adaSlug, role: 'owner', agent: false },
    { slug: bobSlug, role: 'member', agent: false },
  ]);
  const third = await ada.call('invites.send', { space: spaceId, who: 'bob' });
  expect(englishText(third.note)).toBe(`Bob (${bobSlug}) is in Garden.`);
  expect(await code(ada.tryCall('invites.send', { space: spaceId, who: 'nobody-0000' }))).toBe('not_found');
}, 60_000);

it('Members chat in an encrypted channel and in an unencrypted one that is marked as such', async () => {
  const { channelId } = await ada.call('channels.create', { space: 'Garden', name: '#beds' });
  const asked = await ada.call('invites.send', { channel: 'Garden/#beds', who: bobSlug });
  expect(englishText(asked.note)).toContain('is invited to #beds');
  const invite = await invited(bob);
  expect(invite).toMatchObject({ scope: 'channel', channelId, channelName: 'beds' });
  await bob.call('invites.answer', { invite: invite.id, accept: true });
  const beds = await channelOf(bob, 'beds');
  expect(beds).toMatchObject({ encrypted: true });
  expect(await code(ada.tryCall('channels.create', { space: 'Garden', name: 'Beds' }))).toBe('conflict');
  await bob.call('chat.send', { to: '#beds', text: 'carrots?' });
  expect(await heard(ada, channelId, 'carrots?')).toMatchObject({ encrypted: true, senderSlug: bobSlug });

  const open = await ada.call('channels.create', { space: 'Garden', name: 'fence', encrypted: false });
  await ada.call('invites.send', { channel: '#fence', who: bobSlug });
  await bob.call('invites.answer', { invite: (await invited(bob)).id, accept: true });
  expect(await channelOf(bob, 'fence')).toMatchObject({ encrypted: false });
  await bob.call('chat.send', { to: '#fence', text: 'hello, everybody' });
  expect(await heard(ada, open.channelId, 'hello, everybody')).toMatchObject({ encrypted: false });
}, 60_000);

it('Actions without permission are rejected with a reason; a role permits them, a display name does not (T9)', async () => {
  const attempts = [
    bob.tryCall('spaces.rename', { space: 'Garden', name: 'Bobs' }),
    bob.tryCall('spaces.archive', { space: 'Garden', archived: true }),
    bob.tryCall('spaces.setRole', { space: 'Garden', who: bobSlug, role: 'admin' }),
    bob.tryCall('spaces.remove', { space: 'Garden', who: adaSlug }),
    bob.tryCall('channels.delete', { channel: '#beds' }),
  ];
  for (const attempt of attempts) {
    const result = await attempt;
    expect(result).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(!result.ok && result.error.message).toMatch(/^Only /);
  }
  expect(await code(ada.tryCall('spaces.leave', { space: 'Garden' }))).toBe('conflict');
  expect(await code(ada.tryCall('spaces.rename', { space: 'Gardn', name: 'x' }))).toBe('not_found');
  // Display names are not unique and not trusted.
  const byName = await ada.tryCall('spaces.setRole', { space: 'Garden', who: 'Bob', role: 'owner' });
  expect(byName).toMatchObject({ error: { code: 'invalid_input', hint: `If you mean ${bobSlug}, say so.` } });
  expect(await code(ada.tryCall('spaces.remove', { space: 'Garden', who: 'bob' }))).toBe('invalid_input');
  await ada.call('spaces.setRole', { space: 'Garden', who: bobSlug, role: 'admin' });
  await until('the role', async () => (await rooms(bob)).spaces[0]?.role === 'admin');
  await bob.call('spaces.rename', { space: 'Garden', name: 'Allotment' });
  await until('the name', async () => (await rooms(ada)).spaces[0]?.name === 'Allotment');
  await ada.call('channels.rename', { channel: '#fence', name: 'gate' });
  await channelOf(bob, 'gate');
  await ada.call('channels.delete', { channel: '#gate' });
  await until(
    'it to be gone',
    async () => !Object.values((await rooms(bob)).rooms).some(({ name }) => name === 'gate'),
  );
}, 60_000);

it('An archived space rejects messages with a reason, and can be restored', async () => {
  await ada.call('spaces.archive', { space: 'Allotment', archived: true });
  await until('bob to see it', async () => (await rooms(bob)).spaces[0]?.archived);
  const { messageId, roomId } = await bob.call('chat.send', { to: '#beds', text: 'too late' });
  const failed = await until('the failure', async () => {
    const { messages } = await bob.call('chat.history', { room: roomId });
    return messages.find(({ id, delivery }) => id === messageId && delivery === 'failed');
  });
  expect(englishText(failed.deliveryError ?? '')).toContain('archived');
  expect(await code(ada.tryCall('channels.create', { space: spaceId, name: 'x' }))).toBe('conflict');
  await ada.call('spaces.archive', { space: spaceId, archived: false });
  await bob.call('chat.send', { to: '#beds', text: 'spring' });
  await heard(ada, roomId, 'spring');
}, 60_000);

it('A removed member cannot read later messages (T7)', async () => {
  const beds = await channelOf(ada, 'beds');
  await ada.call('spaces.remove', { space: spaceId, who: bobSlug });
  await ada.call('chat.send', { to: beds.id, text: 'among ourselves' });
  await until('bob to be out', async () => (await rooms(bob)).spaces.length === 0);
  const sent = await heard(ada, beds.id, 'among ourselves');
  await until('it to be sent', async () => (await heard(ada, beds.id, sent.text)).delivery === 'sent');
  // A later message has arrived, so the earlier one is not in transit.
  await ada.call('chat.send', { to: bobSlug, text: 'sorry' });
  await heard(bob, `dm:${adaSlug}`, 'sorry');
  const { messages } = await bob.call('chat.history', { room: beds.id }).catch(() => ({ messages: [] }));
  expect(messages.map(({ text }) => text)).not.toContain('among ourselves');
  expect(await code(bob.tryCall('spaces.members', { space: spaceId }))).toBe('not_found');
}, 60_000);

it("The operator's agent joins spaces and channels automatically; a paused one joins after resume", async () => {
  const { agent } = await ada.call('agents.create', { id: 'scribe', provider: 'scripted' });
  const { channelId } = await ada.call('channels.create', { space: spaceId, name: 'desk' });
  const settings = { agent: 'scribe', space: spaceId };
  expect(await ada.call('agents.autoAccept', settings)).toEqual({ ownerInvites: true, memberInvites: false });
  const into = await ada.call('invites.send', { channel: channelId, who: 'scribe' });
  expect(englishText(into.note)).toMatch(/^scribe is in #desk\./);
  const desk = await channelOf(ada, 'desk');
  expect(desk.members.map(({ slug }) => slug)).toContain(agent.slug);

  const owns = { space: spaceId, who: 'scribe', role: 'owner' } as const;
  expect(await ada.tryCall('spaces.setRole', owns)).toMatchObject({
    error: { code: 'invalid_input', message: 'An agent cannot own a space. Nothing was changed.' },
  });

  await ada.call('agents.pause', { agent: 'scribe' });
  expect((await ada.call('agents.autoAccept', { ...settings, owner: false })).ownerInvites).toBe(false);
  await ada.call('channels.create', { space: spaceId, name: 'attic' });
  const waits = await ada.call('invites.send', { channel: '#attic', who: 'scribe' });
  expect(englishText(waits.note)).toContain(
    'is invited to #attic, and joins automatically once it is connected',
  );
  await ada.call('agents.resume', { agent: 'scribe' });
  await until(
    'it to join by itself',
    async () => {
      const attic = await channelOf(ada, 'attic');
      return attic.members.some(({ slug }) => slug === agent.slug);
    },
    45_000,
  );
  const refused = await ada.tryCall('agents.autoAccept', { agent: 'scribe', space: 'sp_none', owner: true });
  expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } });
}, 60_000);

it('Changes without a connection are rejected, and the same calls work after reconnecting', async () => {
  await rig.stopRelay();
  const attempts = [
    () => ada.tryCall('invites.send', { space: spaceId, who: bobSlug }),
    () => ada.tryCall('spaces.rename', { space: spaceId, name: 'Field' }),
    () => ada.tryCall('channels.create', { space: spaceId, name: 'rows' }),
  ];
  for (const attempt of attempts) {
    const result = await attempt();
    expect(result).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(!result.ok && result.error.message).toContain('Nothing was changed.');
  }
  await rig.startRelay();
  for (const attempt of attempts) expect(await attempt()).toMatchObject({ ok: true });
}, 60_000);
