import { expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { type DemoHost, eachTestWithDemo } from './demo-rig.ts';
import { answerTo, type TestHost, until } from './host-rig.ts';

let restart: DemoHost['restart'];
let kennel: TestHost;
let guide: string;

eachTestWithDemo((demo) => {
  ({ kennel, guide, restart } = demo);
});

const say = async (to: string, text: string) => (await kennel.call('chat.send', { to, text })).messageId;
const why = async (message: string) => inEnglish(await kennel.call('chat.why', { message })).agents;

it('The search finds messages of the operator and agents in one room or all, page by page', async () => {
  const first = await say('guide', 'plan a birthday for Zoë');
  await answerTo(kennel, guide, first);
  const second = await say('#general', 'the birthday is on Friday');
  const all = await kennel.call('chat.search', { words: 'birthday zoe' });
  expect(all.hits.map(({ id }) => id)).toContain(first);
  expect(all.hits.map(({ id }) => id)).not.toContain(second);
  const newest = await kennel.call('chat.search', { words: 'birthday', limit: 1 });
  expect(newest).toMatchObject({
    hits: [{ id: second, roomName: '#general', excerpt: 'the birthday is on Friday' }],
    hasMore: true,
  });
  const rest = await kennel.call('chat.search', { words: 'birthday', before: second });
  expect(rest.hits.at(-1)).toMatchObject({ id: first, roomName: 'Guide' });
  const there = await kennel.call('chat.search', { words: 'birthday', room: '#general' });
  expect(there.hits.map(({ id }) => id)).toEqual([second]);
  const its = await until('the message in the store of the agent', async () => {
    const { hits } = await kennel.call('chat.search', { words: '"on friday"', agent: 'guide' });
    return hits.length > 0 && hits;
  });
  expect(its.map(({ id }) => id)).toEqual([second]);
});

it('The search filters by sender, room, day and file, with or without words', async () => {
  const first = await say('guide', 'plan a birthday');
  await answerTo(kennel, guide, first);
  const second = await say('#general', 'another birthday');
  const ids = async (words: string) => (await kennel.call('chat.search', { words })).hits.map(({ id }) => id);
  expect(await ids('birthday from:me')).toEqual([second, first]);
  expect(await ids('von:ich birthday in:#general')).toEqual([second]);
  const fromGuide = await kennel.call('chat.search', { words: 'from:Guide' });
  expect(new Set(fromGuide.hits.map(({ senderName }) => senderName))).toEqual(new Set(['Guide']));
  expect(await ids('birthday from:nobody')).toEqual([]);
  expect(await ids('birthday before:2000-01-01')).toEqual([]);
  expect(await ids('from:me after:2000-01-01')).toEqual([second, first]);
  expect(await ids('has:file')).toEqual([]);
  expect(await kennel.tryCall('chat.search', { words: 'x in:#nowhere' })).toMatchObject({ ok: false });
});

it('T25: Search input is not parsed as query syntax; unsupported searches are rejected', async () => {
  await say('#general', 'alpha OR beta');
  const odd = await kennel.call('chat.search', { words: 'alpha" OR NEAR(x' });
  expect(odd.hits).toEqual([]);
  expect((await kennel.call('chat.search', { words: '(alpha) OR' })).hits).toHaveLength(1);
  for (const input of [{ words: '***' }, { words: 'x', room: '#nowhere' }, { words: 'x', agent: 'nobody' }]) {
    expect((await kennel.tryCall('chat.search', input)).ok).toBe(false);
  }
});

it('Each agent in the room gives the reason why it answered or not', async () => {
  const asked = await say('guide', 'hello');
  await answerTo(kennel, guide, asked);
  expect(await why(asked)).toMatchObject([
    { agentId: 'guide', name: 'Guide', state: 'done', text: 'answered: it was written to directly.' },
  ]);
  const said = await say('#general', 'nobody in particular');
  const reasons = await until('both agents to have decided', async () => {
    const all = await why(said);
    return all.length === 2 && all.every(({ state }) => state === 'silent' || state === 'done') && all;
  });
  expect(Object.fromEntries(reasons.map(({ agentId, text }) => [agentId, text]))).toEqual({
    checker: 'did not answer: it wasn’t mentioned.',
    guide: 'answered: no one else was mentioned.',
  });
  await kennel.call('agents.pause', { agent: 'checker' });
  const later = await say('#general', 'and now?');
  const paused = await until('the paused agent', async () =>
    (await why(later)).find(({ agentId, state }) => agentId === 'checker' && state === 'unseen'),
  );
  expect(paused.text).toMatch(/^is paused/);
  expect((await kennel.tryCall('chat.why', { message: 'msg_none' })).ok).toBe(false);
});

it('F1: A message to an agent that was away is answered on its return or listed with the reason', async () => {
  await kennel.call('agents.pause', { agent: 'checker' });
  const checker = (await kennel.call('agents.get', { agent: 'checker' })).slug;
  const asked = await say('#general', `@${checker} echo first`);
  const away = await kennel.call('chat.missed', {});
  expect(away).toMatchObject({ missed: [], closed: [{ agentId: 'checker', state: 'unseen' }] });
  await kennel.stop();
  kennel = await restart();
  await kennel.call('agents.resume', { agent: 'checker' });
  const room = (await kennel.call('chat.search', { words: 'echo first' })).hits[0]?.roomId ?? '';
  await until('the room', async () => (await kennel.call('chat.rooms', {})).rooms[room]);
  expect(await answerTo(kennel, room, asked)).toMatchObject({ text: 'first' });
  expect((await kennel.call('chat.missed', { agent: 'checker' })).missed).toEqual([]);
  await kennel.call('agents.setRuntime', { agent: 'checker', onMention: false });
  const ignored = await say('#general', `@${checker} echo second`);
  const listed = await until('the reason', async () => {
    const { missed } = await kennel.call('chat.missed', { agent: 'checker' });
    return missed.length > 0 && missed;
  });
  expect(listed).toMatchObject([
    {
      message: { id: ignored },
      state: 'silent',
      text: { text: 'did not answer: it does not answer mentions.' },
    },
  ]);
  const { messages } = await kennel.call('chat.history', { room, limit: 50 });
  expect(messages.filter(({ threadRootId, own }) => threadRootId === asked && !own)).toHaveLength(1);
}, 60_000);

it("A message older than the agent's limit is not answered, and the reason is listed", async () => {
  await kennel.call('agents.pause', { agent: 'checker' });
  const { slug } = await kennel.call('agents.get', { agent: 'checker' });
  const late = await say('#general', `@${slug} echo late`);
  const { yaml } = await kennel.call('agents.readConfig', { agent: 'checker' });
  const within = `${yaml}answer_within_hours: 0.0001\n`.replace('state: paused', 'state: running');
  await new Promise((resolve) => setTimeout(resolve, 400));
  await kennel.call('agents.writeConfig', { agent: 'checker', yaml: within });
  const why = await until('the reason', async () => {
    const { missed } = await kennel.call('chat.missed', { agent: 'checker' });
    return missed.find(({ message }) => message.id === late);
  });
  expect(englishText(why.text)).toBe('did not answer: the message is older than its settings allow.');
});
