/** First use: empty states that lead on, forms with help, and a window that shows its location. */
import { agent, demoAgents, demoRooms, greeting, message } from './fake-data.ts';
import { expect, restingPlace, test } from './open-page.ts';

const nobody = { agents: {}, rooms: { ...demoRooms(), rooms: {}, spaces: [] } };

for (const place of ['home', 'chat', 'agents'])
  test(`Without agents, ${place} opens the form for the first one`, async ({ page, open }) => {
    await open(nobody, `#/${place}`);
    await page.getByRole('button', { name: 'Create an agent' }).click();
    await expect(page.getByRole('dialog', { name: 'New agent' }).getByLabel('Name')).toBeFocused();
  });

test('An agent with a name in any script gets a unique Latin ID', async ({ page, open }) => {
  const { host } = await open({ agents: { ...demoAgents(), agent: agent('agent') } }, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('محرر النصوص');
  await expect(page.getByText('Its folder and id will be agent-2.')).toBeVisible();
  await page.getByLabel('Name').fill('Ünal der Große');
  await expect(page.getByText('Its folder and id will be unal-der-grosse.')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect
    .poll(() => host.calls.findLast((call) => call.method === 'agents.create')?.input)
    .toMatchObject({ id: 'unal-der-grosse', displayName: 'Ünal der Große' });
});

test('The window title shows the page and the unread count', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page).toHaveTitle('#general · Kennel');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page).toHaveTitle('Settings · Kennel');
  host.feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_general', 'unread'], value: 3 });
  await expect(page).toHaveTitle('(3) Settings · Kennel');
});

test('A draft that ended without a message does not reappear', async ({ page, open }) => {
  const { host } = await open({ messages: [greeting] }, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  const draft = {
    turnId: 't1',
    agentId: 'guide',
    slug: 'guide-4a8e',
    name: 'Guide',
    text: 'I begin a sentence',
    threadRootId: null,
    startedAt: Date.now(),
    steps: [],
  };
  host.feed.patch('room:ch_general', { op: 'set', path: ['drafts', 't1'], value: draft });
  await expect(page.locator('.is-draft')).toContainText('I begin a sentence');
  host.feed.patch('room:ch_general', { op: 'delete', path: ['drafts', 't1'] });
  await expect(page.locator('.is-draft')).toHaveCount(0, { timeout: 4000 });
  await page.getByText('What the server sees').click();
  await page.getByText('What you see').click();
  await expect(page.getByText('a scripted helper')).toBeVisible();
  await expect(page.locator('.is-draft')).toHaveCount(0, { timeout: 1 });
});

test('Earlier messages of a long room load without moving the visible ones', async ({ page, open }) => {
  const all = Array.from({ length: 2000 }, (_, index) =>
    message(`msg_${index}`, {
      text: `number ${index} says something`,
      sentAt: 1_700_000_000_000 + index * 60_000,
    }),
  );
  const { host } = await open({ messages: all.slice(-100) }, '#/chat/ch_general');
  host.feed.patch('room:ch_general', { op: 'set', path: ['hasMore'], value: true });
  host.history = all;
  const list = page.getByRole('region', { name: 'Messages', exact: true });
  await expect(page.getByText('number 1999 says')).toBeInViewport();
  for (let from = 1900; from > 1700; from -= 50) {
    const first = page.getByText(`number ${from} says`);
    let answer = () => {};
    host.held.set('chat.history', new Promise((resolve) => (answer = resolve)));
    await list.evaluate((box) => box.scrollTo(0, 0));
    // Rows that scroll into view first take their real height.
    const before = await restingPlace(first);
    answer();
    await expect(page.getByText(`number ${from - 50} says`)).toBeAttached();
    const moved = async () => Math.abs(((await first.boundingBox())?.y ?? 0) - before);
    await expect.poll(moved, { message: `message ${from} moved`, intervals: [150] }).toBeLessThan(8);
  }
});

test('The model settings state that no key is stored, or name the provider and its source', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/models');
  host.models.keys = { anthropic: 'none', openai: 'none', google: 'none' };
  await page.reload();
  await expect(page.getByText('No keys stored')).toBeVisible();
  host.models.keys = { anthropic: 'none', openai: 'environment' };
  await page.reload();
  await expect(page.getByText('Keys: OpenAI (from the environment).')).toBeVisible();
});

test('An agent picture is scaled down, previewed, saved and shown beside its messages', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: [greeting] }, '#/agents/guide');
  await page.getByRole('tab', { name: 'Personality' }).click();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  const file = (name: string, body: Buffer) => ({ name, mimeType: 'image/png', buffer: body });
  await page.getByLabel('Picture').setInputFiles(file('no.png', Buffer.from('not a picture')));
  await expect(page.getByText('This file is not a picture.')).toBeVisible();
  const large = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 900;
    canvas.height = 400;
    canvas.getContext('2d')?.fillRect(0, 0, 900, 400);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await page.getByLabel('Picture').setInputFiles(file('large.png', Buffer.from(large, 'base64')));
  await expect(page.getByAltText('Chosen picture')).toBeVisible();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save profile' }).click();
  const shown = page.locator('.page-head .avatar img');
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight])).toEqual([
    256, 256,
  ]);
  expect(host.pictures.guide?.length).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Chat' }).click();
  await expect(page.locator('article.message .avatar img').first()).toBeVisible();
});
