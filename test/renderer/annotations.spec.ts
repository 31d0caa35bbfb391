/** Reactions, pins, deleted copies and "Edit and resend": by pointer, keyboard and context menu. */

import { expectAccessible } from './axe.ts';
import { message, mine } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const world = () => ({
  messages: [
    message('m1', { text: 'The plan is ready', sentAt: 1_000_000 }),
    mine('m2', 'Thank you, **Guide**', { sentAt: 1_400_000 }),
    message('m3', { text: 'You are welcome', threadRootId: 'm2', sentAt: 1_500_000 }),
    message('m4', { text: 'The password is swordfish', sentAt: 2_000_000 }),
  ],
});
const row = (page: Page, id: string) => page.locator(`[data-message="${id}"]`);
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

test('A reaction is added with the pointer, says that it stays here, and goes by a click', async ({
  page,
  open,
}) => {
  const { host } = await open(world(), '#/chat/ch_general');
  await row(page, 'm1').hover();
  await row(page, 'm1').getByRole('button', { name: 'Add a reaction' }).click();
  await expect(page.getByRole('menu')).toContainText('Only on this computer');
  await takePicture(page, 'message-reactions');
  await item(page, 'React with 🎉').click();
  const chip = row(page, 'm1').getByRole('button', { name: 'Remove 🎉' });
  await expect(chip).toHaveAttribute('title', 'Only on this computer');
  await chip.click();
  await expect(chip).toHaveCount(0);
  const sent = host.calls.filter(({ method }) => method === 'chat.react').map(({ input }) => input);
  expect(sent).toEqual([
    { message: 'm1', emoji: '🎉', on: true },
    { message: 'm1', emoji: '🎉', on: false },
  ]);
  expect(host.calls.some(({ method }) => method === 'chat.send')).toBe(false);
});

test('Any emoji can be typed, and nothing else', async ({ page, open }) => {
  await open(world(), '#/chat/ch_general');
  await row(page, 'm1').click({ button: 'right' });
  await item(page, 'Another emoji…').click();
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add a reaction' });
  await page.getByLabel('Emoji').fill('not one');
  await expect(add).toBeDisabled();
  await page.getByLabel('Emoji').fill('🦊');
  await add.click();
  await expect(row(page, 'm1').getByRole('button', { name: 'Remove 🦊' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Keyboard: Enter on a message opens its menu, Escape returns to the message', async ({ page, open }) => {
  await open(world(), '#/chat/ch_general');
  await page.getByLabel('Message #general').press('ArrowUp');
  await expect(row(page, 'm4')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(row(page, 'm4')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item(page, 'Pin')).toBeVisible();
  await page.keyboard.press('p');
  await expect(item(page, 'Pin')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 'm4')).toContainText('Pinned');
});

test('Pins are a list at the top of the room; a click shows the message', async ({ page, open }) => {
  const { host } = await open(world(), '#/chat/ch_general');
  const bar = page.locator('.pin-bar');
  await expect(page.getByText('The plan is ready')).toBeVisible();
  await expect(bar).toHaveCount(0);
  host.annotations.note('ch_general', 'm1', { pinnedAt: 5 });
  host.annotations.note('ch_general', 'm4', { pinnedAt: 7, reactions: ['👍', '✅'] });
  await expect(bar).toContainText('2 pinned messages');
  await bar.click();
  const list = page.getByRole('list', { name: 'Pinned messages' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('swordfish');
  await takePicture(page, 'message-pins');
  await expectAccessible(page);
  await list.getByRole('button', { name: /The plan is ready/ }).click();
  await expect(row(page, 'm1')).toBeFocused();
  await list.getByRole('button', { name: 'Unpin' }).last().click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(bar).toContainText('1 pinned message');
});

test('Deleting asks first, says that others keep their copy, and empties the row', async ({ page, open }) => {
  await open(world(), '#/chat/ch_general');
  await row(page, 'm4').click({ button: 'right' });
  await takePicture(page, 'message-menu');
  await expectAccessible(page);
  await item(page, 'Delete here…').click();
  await expect(page.getByRole('dialog')).toContainText(
    'Everyone else, your agents included, keeps their copy',
  );
  await takePicture(page, 'message-delete');
  await page.getByRole('button', { name: 'Delete here', exact: true }).click();
  await expect(row(page, 'm4')).toHaveCount(0);
  await row(page, 'm2').click({ button: 'right' });
  await item(page, 'Delete here…').click();
  await page.getByRole('button', { name: 'Delete here', exact: true }).click();
  await expect(row(page, 'm2')).toContainText('You deleted this message on this computer.');
  await expect(row(page, 'm3')).toBeVisible();
});

test('Edit and resend puts the text after an unsent one, in an own message only', async ({ page, open }) => {
  await open(world(), '#/chat/ch_general');
  await page.getByLabel('Message #general').fill('Half a thought');
  await row(page, 'm2').click({ button: 'right' });
  await item(page, 'Edit and resend').click();
  await expect(page.getByLabel('Message #general')).toHaveValue('Half a thought\nThank you, **Guide**');
  await expect(page.getByLabel('Message #general')).toBeFocused();
  await expect(page.getByText('Sending it makes a new message')).toBeVisible();
  await row(page, 'm1').click({ button: 'right' });
  await expect(item(page, 'Pin')).toBeVisible();
  await expect(item(page, 'Edit and resend')).toHaveCount(0);
});
