/** Several conversations with an agent: bar, list, new, switch, rename, archive, delete. */
import { expectAccessible } from './axe.ts';
import { demoRooms, member, message, now, room } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const main = 'dm:guide-1c2d';
const trip = `${main}~cv_trip00001`;
const notes = `${main}~cv_notes0001`;
const members = [member('you-3f9a', 'You', false), member('guide-1c2d', 'Guide', true)];
const direct = (id: string, change: Parameters<typeof room>[1] = {}) =>
  room(id, { kind: 'dm', name: 'Guide', spaceId: null, members, ...change });
const at = (id: string): string => `#/chat/${encodeURIComponent(id)}`;

const world = () => {
  const rooms = demoRooms();
  const lastMessageAt = now - 60_000;
  return {
    rooms: {
      ...rooms,
      rooms: {
        ...rooms.rooms,
        [main]: direct(main, { lastMessageAt: now - 600_000, lastText: 'Hello, I am Guide.' }),
        [trip]: direct(trip, {
          unread: 2,
          lastMessageAt,
          lastText: 'The train leaves at nine.',
          conversation: { title: 'Plan the trip to the sea', startedAt: now - 300_000, archived: false },
        }),
        [notes]: direct(notes, {
          lastText: 'Done.',
          lastMessageAt: now - 900_000,
          conversation: { title: 'Release notes', startedAt: now - 900_000, archived: true },
        }),
      },
    },
    fill: (host: FakeHost): void => {
      host.putRoom(main, [message('m1', { roomId: main, text: 'Hello, I am Guide.' })]);
      host.putRoom(trip, [message('m2', { roomId: trip, text: 'The train leaves at nine.' })]);
      host.putRoom(notes, [message('m3', { roomId: notes, text: 'Done.' })]);
    },
  };
};
const bar = (page: Page) => page.locator('.conversation-bar');
const list = (page: Page) => page.getByRole('complementary', { name: 'Conversations' });
const inputs = (host: FakeHost, method: string): unknown[] =>
  host.calls.filter((call) => call.method === method).map(({ input }) => input);

test('The list of rooms has one row per person; the bar names the conversation and lists all', async ({
  page,
  open,
}) => {
  await open(world(), at(main));
  const row = page.locator('.list').getByRole('button', { name: /Guide/ });
  await expect(row).toHaveCount(1);
  await expect(row.locator('.badge')).toHaveText('2 unread');
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(bar(page)).toContainText('Main conversation');
  await bar(page)
    .getByRole('button', { name: /list of conversations/ })
    .click();
  const rows = list(page).getByRole('listitem');
  await expect(rows).toHaveText([
    /Main conversation/,
    /Plan the trip to the sea.*2 unread/s,
    /Release notes/,
  ]);
  await expectAccessible(page);
  await takePicture(page, 'conversations-1280-light');
  await list(page)
    .getByRole('button', { name: /Plan the trip/ })
    .first()
    .click();
  await expect(page.getByText('The train leaves at nine.').first()).toBeVisible();
  await expect(bar(page)).toContainText('Plan the trip to the sea');
  await expect(page).toHaveTitle(/Guide: Plan the trip to the sea/);
  await expect(row).toHaveAttribute('aria-current', 'true');
});

test('A click on the person opens the conversation with unread messages', async ({ page, open }) => {
  await open(world(), '#/chat/ch_general');
  await page.locator('.list').getByRole('button', { name: /Guide/ }).click();
  await expect(bar(page)).toContainText('Plan the trip to the sea');
});

test('A new conversation is empty, says what the agent reads, and takes the next message', async ({
  page,
  open,
}) => {
  const { host } = await open(world(), at(main));
  await bar(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByRole('heading', { name: 'New conversation with Guide' })).toBeVisible();
  await expect(page.getByText('does not read the earlier messages')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'conversations-new');
  const composer = page.locator('.composer textarea');
  await composer.fill('Start over');
  await composer.press('Enter');
  await expect
    .poll(() => inputs(host, 'chat.send'))
    .toEqual([expect.objectContaining({ to: `${main}~cv_made0001`, text: 'Start over' })]);
});

test('/new in the composer starts one and keeps the text behind it as the draft', async ({ page, open }) => {
  const { host } = await open(world(), at(main));
  const composer = page.locator('.composer textarea');
  await composer.fill('/new Where shall we go?');
  await composer.press('Enter');
  await expect(page.getByRole('heading', { name: 'New conversation with Guide' })).toBeVisible();
  await expect(composer).toHaveValue('Where shall we go?');
  expect(inputs(host, 'chat.send')).toEqual([]);
});

test('The palette starts one, and finds the others by their titles', async ({ page, open }) => {
  await open(world(), at(main));
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const chosen = palette.locator('[aria-selected=true]');
  await palette.getByRole('combobox').fill('plan trip');
  await expect(chosen).toHaveText('Guide: Plan the trip to the sea');
  await palette.getByRole('combobox').fill('new conversation');
  await expect(chosen).toHaveText('New conversation');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'New conversation with Guide' })).toBeVisible();
});

test('One is renamed, archived, brought back and deleted; the main one can only be renamed', async ({
  page,
  open,
}) => {
  const { host } = await open(world(), at(trip));
  await bar(page)
    .getByRole('button', { name: /list of conversations/ })
    .click();
  const menu = (title: string) => list(page).getByRole('button', { name: `Conversation ${title}` });
  await menu('Main conversation').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Rename…']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await menu('Plan the trip to the sea').click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Trip');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(bar(page)).toContainText('Trip');
  await menu('Trip').click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(list(page).getByRole('list', { name: 'Archived' }).getByRole('listitem')).toHaveCount(2);
  await menu('Trip').click();
  await page.getByRole('menuitem', { name: 'Unarchive' }).click();
  await expect(list(page).getByRole('list', { name: 'Archived' }).getByRole('listitem')).toHaveCount(1);
  await menu('Trip').click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(page.getByRole('dialog')).toContainText('The other side keeps its copy');
  await page.getByRole('button', { name: 'Delete on this computer' }).click();
  await expect(bar(page)).toContainText('Main conversation');
  expect(inputs(host, 'chat.renameConversation')).toEqual([{ room: trip, title: 'Trip' }]);
  expect(inputs(host, 'chat.deleteConversation')).toEqual([{ room: trip }]);
});

test.describe('In German', () => {
  test.use({ locale: 'de-DE' });
  for (const [width, height] of [
    [900, 600],
    [360, 700],
  ] as const)
    test(`Bar and list fit at ${width} px, in German and dark`, async ({ page, open }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await open(world(), at(trip));
      await expect(bar(page)).toContainText('Plan the trip');
      const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(await isWider()).toBe(false);
      await takePicture(page, `conversations-bar-${width}-dark`);
      await bar(page).locator('.conversation-open').click();
      await expect(page.locator('.inspector')).toBeVisible();
      expect(await isWider()).toBe(false);
      await takePicture(page, `conversations-${width}-dark`);
    });
});
