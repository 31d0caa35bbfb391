import { afterAll, beforeAll, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { createRig, must, type Rig, until as soon, type TestAccount } from '../fakes/puffo-rig.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const env = { KENNEL_PASSPHRASE: 'correct horse' };
const ids = ['answers', 'ignores', 'poor', 'late', 'rests'] as const;
const slugs: Record<string, string> = {};
let rig: Rig;
let kennel: TestHost;
let bob: TestAccount;
let place: { readonly spaceId: string; readonly channelId: string };

const appended: Readonly<Record<string, string>> = {
  poor: 'policy: {mode: unattended}\nbudget: {tokens_per_day: 0}\n',
  late: 'answer_within_hours: 0.0001\n',
};

beforeAll(async () => {
  rig = await createRig();
  kennel = await startHost(folder.home, { env });
  const inviteCode = rig.relay.createInvite();
  await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' });
  for (const id of ids) {
    slugs[id] = (await kennel.call('agents.create', { id, provider: 'scripted' })).agent.slug ?? '';
    const { yaml } = await kennel.call('agents.readConfig', { agent: id });
    if (appended[id]) await kennel.call('agents.writeConfig', { agent: id, yaml: yaml + appended[id] });
  }
  await kennel.call('agents.setRuntime', { agent: 'ignores', onMention: false });
  await kennel.call('agents.pause', { agent: 'rests' });
  bob = rig.open(await rig.person('bob'), { watchRooms: true });
  await bob.online();
  const [space] = (await kennel.call('chat.rooms', {})).spaces;
  await kennel.call('invites.send', { space: space?.id, who: bob.identity.slug });
  must(await bob.account.answerInvite(await soon('the invitation', () => bob.invites[0]), true));
  const channel = await soon('the channel', () =>
    bob.account.rooms().channels.find(({ members }) => members.length >= ids.length + 2),
  );
  place = { spaceId: channel.spaceId, channelId: channel.id };
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  await rig.stop();
  folder.remove();
});

it('Each mention during a downtime is answered once or listed with its reason', async () => {
  await kennel.stop();
  const sent = bob.say(place, `${ids.map((id) => `@${slugs[id]}`).join(' ')} echo hello`);
  await soon('it to be sent', () => bob.settled.some(({ id, state }) => id === sent && state === 'sent'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  kennel = await startHost(folder.home, { env });

  const replies = () => bob.accepted.filter((message) => message.threadRootId === sent);
  await soon('the answer', () => replies().length > 0);
  const listed = await until(
    'the reasons',
    async () => {
      const { missed, closed } = await kennel.call('chat.missed', {});
      return missed.length === 3 && missed.every(({ state }) => state !== 'queued') && { missed, closed };
    },
    30_000,
  );
  const reasons = Object.fromEntries(
    [...listed.missed, ...listed.closed].map(({ agentId, text }) => [agentId, englishText(text)]),
  );
  expect(reasons).toEqual({
    ignores: 'did not answer: it does not answer mentions.',
    late: 'did not answer: the message is older than its settings allow.',
    poor: expect.stringMatching(/^could not answer: .*budget/i),
    rests: 'is paused. It reads new messages once it runs again.',
  });
  const { agents } = await kennel.call('chat.why', { message: sent });
  expect(agents.find(({ agentId }) => agentId === 'answers')).toMatchObject({ state: 'done' });
  expect(new Set(agents.map(({ agentId }) => agentId))).toEqual(new Set(ids));

  // The agent that was paused answers after its resume, and none answers twice.
  await kennel.call('agents.resume', { agent: 'rests' });
  await soon('the late answer', () => replies().some(({ senderSlug }) => senderSlug === slugs.rests));
  await kennel.stop();
  kennel = await startHost(folder.home, { env });
  await until('all to be at work again', async () => {
    const agentsNow = await kennel.call('agents.list', {});
    return agentsNow.agents.every(({ connection }) => connection === 'online');
  });
  expect(
    replies()
      .map(({ senderSlug }) => senderSlug)
      .sort(),
  ).toEqual([slugs.answers, slugs.rests].sort());
}, 120_000);
