import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.remove());

it('A host killed while an agent waits in two rooms asks nothing twice and finishes both turns (F1, F25)', async () => {
  const door = await desk.start();
  const { channelId: channel } = await door.call('setup.tryDemo', {});
  const { slug } = await door.call('agents.get', { agent: 'guide' });
  const direct = (await desk.say('write note1.md')) ?? '';
  await until('the first question', async () => (await desk.questions('note1.md')).length > 0);
  const sent = await door.call('chat.send', { to: channel, text: `@${slug} write note2.md` });
  await until('the second question', async () => (await desk.questions('note2.md')).length > 0);
  await desk.restart();
  await until('both to wait', async () => (await desk.guide()).waiting === 2);
  // Approves one call and kills the host at the same moment.
  await desk.allow('note2.md');
  await desk.restart();
  await until('the rooms', async () => channel in (await desk.door.call('chat.rooms', {})).rooms);
  await until('the second to be done', async () => {
    const { messages } = await desk.door.call('chat.history', { room: channel, limit: 50 });
    return messages.find(({ id }) => id === sent.messageId)?.marks.some(({ state }) => state === 'done');
  });
  expect(existsSync(desk.workspace('note2.md'))).toBe(true);
  expect(await desk.questions('note2.md')).toHaveLength(1);
  expect((await desk.guide()).waiting).toBe(1);
  await desk.writtenOnce('note1.md', direct, 'after two kills');
  await desk.idle();
  await desk.holds();
});
