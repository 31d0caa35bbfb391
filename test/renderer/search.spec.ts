/** Search in the chat, the jump to a result, and positions in a long room. */

import { foundParts, searchedWords } from '../../src/renderer/search/found-parts.ts';
import { demoRooms, greeting, message, now, room } from './fake-data.ts';
import { expect, nextPaint, takePicture, test } from './open-page.ts';

const long = Array.from({ length: 600 }, (_, n) =>
  message(`m${n}`, {
    text: n === 120 ? 'the <b>blanket</b> is blue' : `number ${n} about picnics`,
    sentAt: now - (600 - n) * 60_000,
  }),
);

test('Matches are marked at the start of words; phrases match as a whole and syntax has no effect', () => {
  expect(searchedWords('"bring a" plan* x')).toEqual(['bring a', 'plan', 'x']);
  const parts = foundParts('A plan, an airplane, Planning (x+y)', 'plan* (x+');
  expect(parts.filter((part) => part.found).map((part) => part.text)).toEqual(['plan', 'Plan', '(x+']);
  expect(parts.map((part) => part.text).join('')).toBe('A plan, an airplane, Planning (x+y)');
});

test('Ctrl+Shift+F finds old messages; Enter opens and marks one; a button returns to the latest', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: long.slice(-50) }, '#/chat/ch_general');
  host.history = long;
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+Shift+f');
  await expect(page.getByText('words that start with it')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Words to search for' })).toBeFocused();
  await page.keyboard.type('blanket');
  const hits = page.getByRole('list', { name: 'Messages found' });
  await expect(hits.locator('mark')).toHaveText('blanket');
  await expect(hits, 'text is text').toContainText('<b>blanket</b>');
  await page.keyboard.press('Enter');
  const found = page.locator('.message.is-target');
  await expect(found).toContainText('is blue');
  await expect(found).toBeInViewport();
  await expect(found).toBeFocused();
  await expect(page.getByText('number 599 about')).toHaveCount(0);
  await page.getByRole('button', { name: 'Latest messages' }).click();
  await expect(page.getByText('number 599 about')).toBeInViewport();
});

test('Later messages load from a past position to the present without a gap', async ({ page, open }) => {
  const { host } = await open({ messages: long.slice(-50) }, '#/chat/ch_general');
  host.history = long;
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('radio', { name: '#general' })).toBeChecked();
  await expect(page.getByRole('searchbox', { name: 'Words to search for' })).toBeFocused();
  await page.keyboard.type('number 520 ');
  const found = page.getByRole('list', { name: 'Messages found' }).getByRole('button');
  await expect(found).toHaveCount(1);
  await found.click();
  await expect(page.locator('.message.is-target')).toContainText('number 520');
  const list = page.getByRole('region', { name: 'Messages', exact: true });
  // Each scroll to the end loads one page of later messages.
  await expect
    .poll(async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      return page.getByText('number 599 about').count();
    })
    .toBe(1);
  await expect(page.getByRole('button', { name: 'Show later messages' })).toHaveCount(0);
  const ids = await page
    .locator('.timeline [data-message]')
    .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.message?.slice(1))));
  const first = ids[0] ?? 0;
  // A section keeps at most 120 messages, so it may lose its earliest ones.
  expect(first).toBeLessThan(520);
  expect(ids).toEqual(Array.from({ length: 600 - first }, (_, n) => first + n));
});

test('Enter opens the first result of the words in the field, also before the answer arrives', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: long.slice(-50) }, '#/chat/ch_general');
  host.history = long;
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+Shift+f');
  await expect(page.getByRole('searchbox', { name: 'Words to search for' })).toBeFocused();
  await page.keyboard.type('picnics');
  await expect(page.getByRole('list', { name: 'Messages found' }).getByRole('listitem')).toHaveCount(30);
  let answer: () => void = () => undefined;
  host.held.set(
    'chat.search',
    new Promise((done) => {
      answer = done;
    }),
  );
  await page.getByLabel('Words to search for').fill('number 470');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.calls.filter(({ method }) => method === 'chat.search').at(-1)?.input)
    .toMatchObject({ words: 'number 470' });
  await expect(page.getByRole('dialog')).toBeVisible();
  answer();
  await expect(page.locator('.message.is-target')).toContainText('number 470');
});

test('A slow answer to older words does not hide the results of the words in the field', async ({
  page,
  open,
}) => {
  await page.clock.install();
  const { host } = await open({ messages: long.slice(-50) }, '#/chat/ch_general');
  host.history = long;
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+Shift+f');
  host.held.set('chat.search', new Promise(() => undefined));
  await page.getByLabel('Words to search for').fill('picnics');
  await expect.poll(() => host.calls.some(({ method }) => method === 'chat.search')).toBe(true);
  host.held.clear();
  await page.getByLabel('Words to search for').fill('number 470');
  const hits = page.getByRole('list', { name: 'Messages found' }).getByRole('listitem');
  await expect(hits).toHaveCount(1);
  await page.clock.fastForward(2_000);
  await nextPaint(page);
  await expect(hits).toHaveCount(1);
});

test('A found reply is shown in its thread, even if it was folded', async ({ page, open }) => {
  const replies = Array.from({ length: 6 }, (_, n) =>
    message(`r${n}`, { threadRootId: 'msg_greet', text: `reply ${n}`, sentAt: now - 1000 * (10 - n) }),
  );
  await open({ messages: [greeting, ...replies] }, '#/chat/ch_general');
  await expect(page.getByRole('button', { name: '4 earlier replies' })).toBeVisible();
  await page.getByRole('button', { name: 'Search this room' }).click();
  await expect(page.getByRole('searchbox', { name: 'Words to search for' })).toBeFocused();
  await page.keyboard.type('reply 2');
  await page.getByRole('button', { name: /reply 2/ }).click();
  await expect(page.locator('.message.is-target')).toContainText('reply 2');
  await expect(page.getByRole('button', { name: '2 earlier replies' })).toBeVisible();
});

test('Older results load by page; an empty result gives a hint, and an error is shown', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: long.slice(-50) }, '#/chat/ch_general');
  host.history = long;
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+Shift+f');
  await expect(page.getByRole('searchbox', { name: 'Words to search for' })).toBeFocused();
  await page.keyboard.type('picnics');
  const hits = page.getByRole('list', { name: 'Messages found' }).getByRole('listitem');
  await expect(hits).toHaveCount(30);
  await page.getByRole('button', { name: 'Show older messages' }).click();
  await expect(hits).toHaveCount(60);
  await page.getByLabel('Words to search for').fill('zebra');
  await expect(page.getByText('No results.')).toBeVisible();
  host.failing.set('chat.search', { code: 'corrupt', message: 'The messages cannot be read.' });
  await page.getByLabel('Words to search for').fill('horse');
  await expect(page.getByRole('alert')).toContainText('The messages cannot be read.');
});

test('Messages new at opening are below a line that stays', async ({ page, open }) => {
  const rooms = { ...demoRooms(), rooms: { ch_general: room('ch_general', { unread: 3 }) } };
  const { host } = await open({ messages: long.slice(0, 10), rooms }, '#/chat/ch_general');
  const line = page.locator('.new-line');
  await expect(line).toBeVisible();
  await expect.poll(() => host.calls.some((call) => call.method === 'chat.markRead')).toBe(true);
  await expect(
    page.locator('.new-line + * [data-message], .new-line + [data-message]').first(),
  ).toHaveAttribute('data-message', 'm7');
});

test('A thread loads its root when the message window no longer contains it', async ({ page, open }) => {
  const root = message('old', { text: 'where it all began', sentAt: 1000 });
  const reply = message('new', { text: 'and its answer', threadRootId: 'old' });
  const { host } = await open({ messages: [reply] }, '#/chat/ch_general');
  host.history = [root, reply];
  await page.locator('[data-message=new]').hover();
  await page.getByRole('button', { name: 'Reply in a thread' }).click();
  await expect(page.getByRole('complementary', { name: 'Thread' })).toContainText('where it all began');
});

test('The filter buttons put their words into the field, which goes to the host', async ({ page, open }) => {
  const { host } = await open({ messages: long.slice(-5) }, '#/chat/ch_general');
  await expect(page.getByText('number 599 about')).toBeVisible();
  await page.keyboard.press('Control+Shift+f');
  const field = page.getByRole('searchbox', { name: 'Words to search for' });
  await expect(page.getByText('from:guide in:#general')).toBeVisible();
  await field.fill('number');
  await page.getByRole('button', { name: 'From…' }).click();
  await expect(field).toHaveValue('number from:');
  await expect(field).toBeFocused();
  await field.pressSequentially('guide');
  await page.getByRole('button', { name: 'With file' }).click();
  await takePicture(page, 'search-filters');
  const words = () =>
    host.calls.filter(({ method }) => method === 'chat.search').map(({ input }) => Object(input).words);
  await expect.poll(() => words().at(-1)).toBe('number from:guide has:file');
});
