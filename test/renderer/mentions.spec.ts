/** Mentions in the composer and in messages: by name, as chips, and ambiguous names. */

import { demoRooms, member, message, room } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

const twoGuides = () => {
  const rooms = demoRooms();
  const { members } = room('ch_general');
  const second = member('guide-9f9f', 'guide', true);
  return { ...rooms, rooms: { ch_general: room('ch_general', { members: [...members, second] }) } };
};

test('The list of people to mention has names, agents before the operator', async ({ page, open }) => {
  await open({}, '#/chat/ch_general');
  await page.getByLabel('Message #general').pressSequentially('@');
  const options = page.getByRole('option');
  await expect(options).toHaveText([
    'Checkerscripted@checker-1c2d',
    'Guidescripted@guide-1c2d',
    'You@you-3f9a',
  ]);
});

test('A mention is a chip with the name; its handle shows on hover', async ({ page, open }) => {
  const text = '@guide-1c2d and @Checker: see `@Guide help`, not @nobody-1234 or @Checkers';
  await open({ messages: [message('m1', { text })] }, '#/chat/ch_general');
  const chips = page.locator('.mention-chip');
  await expect(chips).toHaveText(['@Guide', '@Checker']);
  await expect(chips.first()).toHaveAttribute('title', '@guide-1c2d');
  await expect(chips.last()).toHaveAttribute('title', '@checker-1c2d');
  await takePicture(page, 'mention-chips');
});

test('T9 A name of two members is no mention, and the composer says so', async ({ page, open }) => {
  await open({ rooms: twoGuides(), messages: [message('m1', { text: '@Guide hi' })] }, '#/chat/ch_general');
  await expect(page.locator('.message').getByText('@Guide hi')).toBeVisible();
  await expect(page.locator('.mention-chip')).toHaveCount(0);
  const box = page.getByLabel('Message #general');
  await box.fill('@Guide write hello.md');
  await expect(page.getByText('More than one member is called “Guide”')).toBeVisible();
  await takePicture(page, 'mention-ambiguous');
  await box.fill('');
  await box.pressSequentially('@gui');
  await page.getByRole('option', { name: /@guide-9f9f/ }).click();
  await expect(box).toHaveValue('@guide-9f9f ');
  await expect(page.getByText('More than one member')).toHaveCount(0);
});
