import { afterAll, beforeAll, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { type AudienceWorld, audienceWorld, heardFrom, until } from './audience-rig.ts';
import { answerTo } from './host-rig.ts';

let world: AudienceWorld;

beforeAll(async () => {
  world = await audienceWorld();
  expect(await world.kennel.call('config.get', {})).toMatchObject({ senderMessages: 40 });
  await world.kennel.call('config.set', { senderMessages: 3 });
}, 60_000);
afterAll(() => world.stop());

const whyOf = (message: string) =>
  until('what the bot made of it', async () => {
    const why = await world.kennel.tryCall('chat.why', { message });
    const mine = why.ok ? why.value.agents.find(({ agentId }) => agentId === 'bot') : undefined;
    return mine && mine.state !== 'unseen' && englishText(mine.text);
  });

it('T27 A sender over the hourly limit is notified once, and the operator sees who it is', async () => {
  const eve = await world.person('eve');
  const heard = () => heardFrom(eve, world.bot);
  for (const n of [1, 2, 3]) {
    eve.say({ dm: world.bot }, `question ${n}`);
    await until(`answer ${n}`, () => heard().length === n);
  }
  expect(await whyOf(eve.say({ dm: world.bot }, 'question 4'))).toContain('reached the hourly limit');
  const notice = await until('the notice', () => heard()[3]);
  expect(notice).toMatch(
    /^I answer at most 3 messages of one person in an hour.* Write again in (59|60) minutes\.$/,
  );

  await world.restart();
  expect(await whyOf(eve.say({ dm: world.bot }, 'question 5'))).toContain('reached the hourly limit');
  expect(heard()).toHaveLength(4);
  expect(world.askedWith('question 4')).toEqual([]);

  // Other senders are not limited.
  const { messageId } = await world.kennel.call('chat.send', { to: 'bot', text: 'and me?' });
  await answerTo(world.kennel, 'bot', messageId);
  const bob = await world.person('bob');
  bob.say({ dm: world.bot }, 'and me?');
  await until('the answer to Bob', () => heardFrom(bob, world.bot).length === 1);

  const { lines } = await world.kennel.call('audit.list', { agent: 'bot', limit: 100 });
  const limited = lines.filter(({ kind }) => kind === 'brake');
  expect(limited).toMatchObject([
    { agentId: 'bot', outcome: eve.identity.slug, detail: 'more than 3 messages in an hour' },
  ]);
});
