/** Ctrl+K and the shortcuts: each page and action by its name, and the keys of the shortcut table. */
import { expectAccessible } from './axe.ts';
import { demoRooms, room } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

test('The palette opens pages, rooms, agents, actions and messages by keyboard', async ({ page, open }) => {
  await open({}, '#/home');
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const chosen = palette.locator('[aria-selected=true]');
  const begin = async (typed: string) => {
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
  };
  await begin('check');
  await expect(chosen).toHaveText('Checker');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /Checker/ })).toBeVisible();
  await begin('gen');
  await expect(chosen).toHaveText('#general');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/chat\/ch_general/);
  await begin('theme dark');
  await takePicture(page, 'palette');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await begin('settings budget');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/settings\/budget/);
  await begin('picnic');
  await expect(chosen).toHaveText('Search messages for “picnic”');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Words to search for')).toHaveValue('picnic');
  await page.keyboard.press('Escape');
  await begin('');
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toContainText('Chat');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(chosen, 'round the end').not.toContainText('Home');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
});

test('"?" shows all shortcuts, except in a text field', async ({ page, open }) => {
  await open({}, '#/home');
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  await page.keyboard.press('Shift+?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(sheet).toContainText('Ctrl+K');
  await expect(sheet).toContainText('Alt+6');
  await expectAccessible(page);
  await takePicture(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+2');
  const box = page.getByLabel('Message #general');
  await expect(box).toBeFocused();
  await page.keyboard.type('really?');
  await expect(box).toHaveValue('really?');
  await expect(sheet).toHaveCount(0);
});

test('Shortcuts work as listed, and none of them while a dialog is open', async ({ page, open }) => {
  await open(
    { rooms: { ...demoRooms(), rooms: { ch_general: room('ch_general', { unread: 2 }) } } },
    '#/home',
  );
  await expect(page.getByRole('button', { name: /Chat 2 unread/ })).toBeVisible();
  await page.keyboard.press('Alt+u');
  await expect(page).toHaveURL(/#\/chat\/ch_general/);
  await page.keyboard.press('Alt+5');
  await expect(page).toHaveURL(/#\/work/);
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('dialog', { name: 'New agent' })).toBeVisible();
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page).toHaveURL(/#\/agents/);
});
