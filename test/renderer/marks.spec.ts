/** Elements below and after a message: agent marks, and the draft that becomes the sealed reply. */

import type { RoomView } from '../../src/contract/model.ts';
import { message, mine } from './fake-data.ts';
import { expect, test } from './open-page.ts';

test('Many silent agents are summarized in one line; silence between agents is not shown', async ({
  page,
  open,
}) => {
  const silent = ['a', 'b', 'c', 'd'].map((id) => ({
    agentId: id,
    slug: id,
    state: 'silent' as const,
    reason: 'not_mentioned',
  }));
  await open(
    { messages: [mine('m1', 'hello all', { marks: silent }), message('m2', { text: 'hi', marks: silent })] },
    '#/chat/ch_general',
  );
  await expect(page.getByText('did not answer')).toHaveCount(1);
  await page.getByRole('button', { name: '4 agents did not answer' }).click();
  await expect(page.getByText('did not answer: it wasn’t mentioned')).toHaveCount(4);
});

test('A finished draft stays visible until its sealed message arrives', async ({ page, open }) => {
  let seal = (): void => undefined;
  const sealed = new Promise<void>((resolve) => {
    seal = resolve;
  });
  const { host } = await open({ wordMs: 5, sealed }, '#/chat/ch_general');
  const room = () => host.feed.read<RoomView>('room:ch_general');
  await page.getByLabel('Message #general').fill('hello');
  await page.keyboard.press('Enter');
  await expect.poll(() => Object.keys(room().drafts).length, { intervals: [20] }).toBe(1);
  await expect.poll(() => Object.keys(room().drafts).length, { intervals: [20] }).toBe(0);
  expect(room().messages.at(-1)?.own, 'the sealed message is not there yet').toBe(true);
  await expect(page.locator('.is-draft')).toContainText('That is all I know.');
  seal();
  await expect(page.locator('.is-draft')).toHaveCount(0);
  await expect(page.getByText('That is all I know.', { exact: true })).toHaveCount(1);
});

test('A message to the task list is not marked as unanswered', async ({ page, open }) => {
  const marks = [{ agentId: 'guide', slug: 'guide-1c2d', state: 'silent' as const, reason: 'task' }];
  await open({ messages: [mine('m1', '/task count the notes', { marks })] }, '#/chat/ch_general');
  await expect(page.getByText('Guide took it as an instruction about its tasks')).toBeVisible();
  await expect(page.getByText('did not answer')).toHaveCount(0);
});

test('Hovering or focusing a mark shows its reason; Escape hides it', async ({ page, open }) => {
  const marks = [
    { agentId: 'guide', slug: 'guide-1c2d', state: 'done' as const, reason: '' },
    { agentId: 'checker', slug: 'checker-1c2d', state: 'silent' as const, reason: 'not_mentioned' },
    { agentId: null, slug: 'scout-5b5b', state: 'working' as const, reason: '' },
  ];
  const { host } = await open({ messages: [mine('m1', 'hello', { marks })] }, '#/chat/ch_general');
  const tip = page.getByRole('tooltip');
  await page.getByRole('button', { name: 'Checker did not answer' }).hover();
  await expect(tip).toHaveText('Checker of checker: it was not mentioned');
  expect(host.calls.filter((call) => call.method === 'chat.why').map((call) => call.input)).toEqual([
    { message: 'm1' },
  ]);
  await page.mouse.move(5, 5);
  await expect(tip).toHaveCount(0);
  await page.getByRole('button', { name: 'scout-5b5b is working on it' }).focus();
  await expect(tip).toContainText('someone else’s agent, so its server shows no details');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Guide answered' })).toBeFocused();
  await expect(tip).toContainText('Guide of guide');
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
});
