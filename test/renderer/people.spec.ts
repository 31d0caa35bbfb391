/** People and agents: finding them, and writing to them. */
import { demoRooms, room } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const member = (slug: string, displayName: string, agent = false) => ({
  slug,
  displayName,
  agent,
  role: 'member',
});
/** Two people of one name in the demo's channel. */
function crowd() {
  const view = demoRooms();
  const general = view.rooms.ch_general ?? room('ch_general');
  const members = [
    ...general.members,
    member('ada-77aa', 'Ada'),
    member('ada-0b0b', 'Ada'),
    member('scout-5b5b', 'Scout', true),
  ];
  return { ...view, rooms: { ...view.rooms, ch_general: { ...general, members } } };
}
const field = (page: Page) => page.getByRole('combobox', { name: 'Name or handle' });

test('A new message goes to the chosen one of two people with the same name', async ({ page, open }) => {
  const { host } = await open({ rooms: crowd() }, '#/chat/ch_general');
  await page.getByRole('button', { name: 'New message' }).click();
  await takePicture(page, 'people-new');
  await field(page).fill('ada');
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.getByRole('option', { name: '@ada-77aa' }).click();
  await expect(page.getByRole('heading', { name: 'Ada', level: 1 })).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello, the second Ada');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.calls.find(({ method }) => method === 'chat.send')?.input)
    .toMatchObject({ to: 'dm:ada-77aa', text: 'Hello, the second Ada' });
});

test('A stranger is found by the complete handle, with the keyboard alone', async ({ page, open }) => {
  const { host } = await open({}, '#/home');
  host.spaces.strangers = [{ slug: 'zoe-1234', displayName: 'Zoe', agent: false, rooms: [] }];
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new message');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await field(page).fill('zoe');
  await expect(page.getByText('No one of this name shares a room with you.')).toBeVisible();
  await field(page).fill('@zoe-9999');
  await expect(page.getByText('Your server knows no one with the handle @zoe-9999.')).toBeVisible();
  await field(page).fill('@zoe-1234');
  await expect(page.getByRole('option', { name: 'Zoe' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Zoe', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Zoe', level: 1 }), 'after a reload, too').toBeVisible();
});
