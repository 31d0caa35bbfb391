import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from './host-rig.ts';
import { agentOnline, IdentityTown, operatorOnline } from './identity-rig.ts';

let town: IdentityTown;
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
});
afterEach(() => town.end());

it('An agent that follows a script says so on the computer of another person, also after a restart', async () => {
  const ada = await town.resident('ada');
  const home = town.newHome();
  const ben = await town.resident('ben', home);
  await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
  await agentOnline(ada, 'bot');
  const { slug } = await ada.call('agents.get', { agent: 'bot' });
  if (slug === null) throw new Error('The agent has no handle.');
  await ada.call('contacts.accept', { slug: ben.slug });

  expect((await ben.call('chat.rooms', {})).scripts).toEqual([]);
  const { roomId } = await ben.call('chat.send', { to: slug, text: 'echo hello there' });
  await until('the answer', async () => {
    const { messages } = await ben.call('chat.history', { room: roomId });
    return messages.some(({ senderSlug, text }) => senderSlug === slug && text.includes('hello there'));
  });
  expect((await ben.call('chat.rooms', {})).scripts).toEqual([slug]);

  await ben.stop();
  const again = await town.host(home);
  await operatorOnline(again);
  expect((await again.call('chat.rooms', {})).scripts).toEqual([slug]);
}, 120_000);
