/** People and agents: finding them, and writing to them. */
import { findViolations } from './axe.ts';
import { demoRooms, room } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { safetyNumber } from './fake-spaces.ts';
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
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('new message');
  await expect(page.getByRole('option', { name: 'New message', exact: true })).toBeVisible();
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

test('The directory leads to a person, whose safety number is compared and marked', async ({
  page,
  open,
}) => {
  const { host } = await open({ rooms: crowd() }, '#/chat/ch_general');
  await page.getByRole('button', { name: 'People', exact: true }).click();
  const list = page.getByRole('list', { name: 'People' });
  await expect(list.getByRole('listitem')).toHaveCount(5);
  await takePicture(page, 'people-all');
  await page.getByRole('radio', { name: 'People' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Name or handle' }).fill('0b0b');
  await list.getByRole('button', { name: '@ada-0b0b' }).click();
  await expect(page.getByRole('heading', { name: 'Ada' })).toBeVisible();
  await expect(page.locator('.safety-digits')).toHaveText(safetyNumber.replaceAll(' ', ''));
  await expect(page.getByRole('img', { name: 'QR code of the safety number' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark as verified' }).click();
  await expect(page.locator('.trust-chip')).toHaveText('verified');
  await takePicture(page, 'people-person');
  expect(host.calls.find(({ method }) => method === 'people.verify')?.input).toEqual({
    who: 'ada-0b0b',
    safetyNumber,
  });
  await page.getByRole('button', { name: 'Remove mark' }).click();
  await expect(page.getByRole('button', { name: 'Mark as verified' })).toBeVisible();
});

test('Enter in "New message" opens nobody who was found for an earlier text', async ({ page, open }) => {
  const { host } = await open({ rooms: crowd() }, '#/chat/ch_general');
  await page.getByRole('button', { name: 'New message' }).click();
  await field(page).fill('scout');
  await expect(page.getByRole('option')).toHaveCount(1);
  let answer = (): void => undefined;
  host.held.set(
    'people.find',
    new Promise((done) => {
      answer = done;
    }),
  );
  await field(page).fill('ada-77aa');
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  answer();
  await expect(page.getByRole('option', { name: '@ada-77aa' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ada', level: 1 })).toBeVisible();
});

test('T7: an agent has no safety number to compare', async ({ page, open }) => {
  const rooms = { ...crowd(), trust: { 'scout-5b5b': 'verified' as const } };
  await open({ rooms }, '#/people/scout-5b5b');
  await expect(page.getByRole('heading', { name: 'Scout' })).toBeVisible();
  // A mark of an earlier version can be removed.
  await page.getByRole('button', { name: 'Remove mark' }).click();
  await expect(page.locator('.trust-chip')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove mark' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Safety number' })).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'QR code of the safety number' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Mark as verified' })).toHaveCount(0);
});

test('T7: the lost mark of an agent can be removed, and nothing offers to compare', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { rooms: { ...crowd(), trust: { 'scout-5b5b': 'lost' } } },
    '#/chat/dm%3Ascout-5b5b',
  );
  await expect(page.getByText('Agents have no safety number to compare.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare…' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove mark' }).click();
  await expect(page.getByText('Agents have no safety number to compare.')).toHaveCount(0);
  expect(host.calls.find(({ method }) => method === 'people.unverify')?.input).toEqual({ who: 'scout-5b5b' });
});

test('An agent of someone else that follows a script wears its badge', async ({ page, open }) => {
  const rooms = { ...crowd(), scripts: ['scout-5b5b'] };
  await open({ rooms }, '#/people/scout-5b5b');
  await expect(page.locator('.person-page .chip.is-scripted')).toHaveText('scripted');
});

test('The verified mark can be removed while the server cannot be reached', async ({ page, open }) => {
  const rooms = { ...crowd(), trust: { 'ada-77aa': 'lost' as const } };
  const fill = (house: FakeHost): void =>
    void house.failing.set('people.show', { code: 'unavailable', message: 'The server does not answer.' });
  const { host } = await open({ rooms, fill }, '#/people/ada-77aa');
  await expect(page.getByRole('alert')).toContainText('The server does not answer.');
  await page.getByRole('button', { name: 'Remove mark' }).click();
  await expect(page.getByRole('button', { name: 'Remove mark' })).toHaveCount(0);
  expect(host.calls.find(({ method }) => method === 'people.unverify')?.input).toEqual({ who: 'ada-77aa' });
});

test('T7: a changed identity key takes the verified mark away, and the chat says so', async ({
  page,
  open,
}) => {
  const rooms = { ...crowd(), trust: { 'ada-77aa': 'verified' as const } };
  const { host } = await open({ rooms }, '#/chat/dm%3Aada-77aa');
  const chip = page.locator('.chat-head .trust-chip');
  await expect(chip).toHaveText('verified');
  const turn = (value: string) => host.feed.patch('rooms', { op: 'set', path: ['trust', 'ada-77aa'], value });
  turn('changed');
  await expect(chip).toHaveText('new identity key');
  await expect(page.getByText('The server offers another identity key for Ada.')).toBeVisible();
  turn('lost');
  await expect(page.getByText('The identity key of Ada changed since you verified it.')).toBeVisible();
  await takePicture(page, 'people-lost');
  await page.getByRole('button', { name: 'Compare…' }).click();
  await expect(page.locator('.person-page .trust-chip')).toHaveText('no longer verified');
  await expect(page.getByRole('button', { name: 'Remove mark' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare…' }), 'it leads to this page').toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as verified' }).click();
  await expect(page.locator('.person-page .trust-chip')).toHaveText('verified');
});

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 900],
  ['dark', 360],
] as const) {
  test(`People and a person are accessible and fit at ${width} px, ${scheme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme });
    const { host } = await open({ rooms: { ...crowd(), trust: { 'ada-77aa': 'lost' } } }, '#/people');
    const show = async (name: string) => {
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await takePicture(page, `people-${name}-${scheme}-${width}`);
    };
    await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(5);
    await show('all');
    await page.getByRole('button', { name: '@ada-77aa' }).click();
    await expect(page.locator('.safety-digits')).toBeVisible();
    await show('person');
    expect(host.calls.map(({ method }) => method)).toContain('people.show');
  });
}

test('Lists label an agent that follows a script: rooms, people, members and a new message', async ({
  page,
  open,
}) => {
  const rooms = { ...crowd(), scripts: ['scout-5b5b'] };
  await open({ rooms }, '#/chat/ch_general');
  const list = page.locator('.list');
  await expect(list.getByRole('button', { name: 'Guide scripted' })).toBeVisible();
  await takePicture(page, 'scripted-rooms');
  await page.getByRole('button', { name: /members/ }).click();
  await expect(
    page.locator('.inspector .person', { hasText: 'Scout' }).locator('.is-scripted'),
  ).toBeVisible();
  await expect(page.locator('.inspector .person', { hasText: '@ada-77aa' }).locator('.chip')).toHaveCount(0);
  await page.getByRole('button', { name: 'New message' }).click();
  await field(page).fill('scout');
  await expect(page.getByRole('option', { name: '@scout-5b5b · scripted' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(page.url().replace(/#.*/, '#/people'));
  await expect(page.locator('.people-row', { hasText: 'Scout' }).locator('.is-scripted')).toHaveText(
    'scripted',
  );
  await takePicture(page, 'scripted-people');
});
