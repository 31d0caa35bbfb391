import { afterEach, beforeEach, expect, it } from 'vitest';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.remove());

const none = { tokensPerDay: null, tokensPerMonth: null, usdPerDay: null, usdPerMonth: null };
const asked = async () => {
  const { approvals } = await desk.door.call('approvals.list', { state: 'all', limit: 20 });
  return approvals.filter(({ kind }) => kind === 'spending');
};
const answered = (messageId: string) =>
  until('an answer', async () => (await desk.answers(messageId)).length > 0);
const used = async (): Promise<number> =>
  (await desk.door.call('usage.get', { agent: 'guide', days: 1 })).today.tokens;

it('F1 Across host kills a budget question is asked once and its approval persists', async () => {
  await desk.start();
  const first = (await desk.say('echo one')) ?? '';
  await answered(first);
  await desk.idle();
  const budget = { ...none, tokensPerDay: Math.max(1, await used()) };
  await desk.door.call('usage.setBudget', { agent: 'guide', budget });
  const second = (await desk.say('echo two')) ?? '';
  await until('the question', async () => (await asked()).length === 1);
  const [before] = await asked();

  await desk.restart();
  await until('the turn to wait again', async () => (await desk.guide()).waiting === 1);
  expect((await asked()).map(({ id, state }) => [id, state])).toEqual([[before?.id, 'waiting']]);
  const { id = '', digest = '' } = before ?? {};
  const answer = { type: 'allow', scope: 'once' } as const;
  await desk.door.call('approvals.decide', { id, digest, answer, surface: 'terminal' });

  await desk.restart();
  await answered(second);
  await desk.idle();
  expect((await asked()).map((one) => [one.id, one.state])).toEqual([[id, 'allowed']]);
  const view = await desk.door.call('usage.get', { agent: 'guide', days: 1 });
  // The second turn has the first in its history and may cost more. Each is counted once.
  const max = 2 * budget.tokensPerDay;
  expect(view.used).toMatchObject([{ limit: 'tokensPerDay', max, share: view.today.tokens / max }]);
  expect(view.days).toMatchObject([{ calls: 2 }]);
}, 180_000);
