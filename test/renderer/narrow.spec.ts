/** A window as narrow as a phone, and scrollbars that take width. */
import { approval } from './ask-data.ts';
import { asking } from './asking-world.ts';
import { findViolations } from './axe.ts';
import { agent, busyAgents } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';
import { logLines, turns } from './turn-data.ts';

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }),
});

for (const language of ['en', 'de'] as const)
  test(`At 360 px what needs you is whole: heading, badge and every entry of the rail (${language})`, async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.addInitScript((chosen) => {
      localStorage.setItem('kennel.look', JSON.stringify({ language: chosen }));
    }, language);
    const approvals = Array.from({ length: 12 }, (_, index) => approval(`ap${index}`));
    await open({ ...asking, approvals }, '#/home');
    const heading = page.getByRole('heading', { name: language === 'en' ? 'Needs you' : 'Braucht dich' });
    await expect(heading).toBeInViewport({ ratio: 1 });
    const badge = page.locator('.rail-inbox .badge');
    await expect(badge).toBeInViewport({ ratio: 1 });
    await expect(badge).toHaveText(/^14/);
    const { height } = (await badge.boundingBox()) ?? { height: 0 };
    expect(height, 'both digits on one line').toBeLessThan(20);
    for (const label of await page.locator('.rail-item').all()) {
      await expect(label).toBeInViewport({ ratio: 1 });
      expect(await label.evaluate((item) => item.scrollWidth <= item.clientWidth)).toBe(true);
    }
    const right = (selector: string): Promise<number> =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    expect(await right('.rail-inbox .badge')).toBeLessThanOrEqual(await right('.rail-inbox'));
    await page.locator('.rail-inbox').click();
    const rows = page.locator('.need-words');
    await expect(rows).toHaveCount(2);
    for (const row of await rows.all())
      expect((await row.boundingBox())?.width, 'the text is beside no button').toBeGreaterThan(220);
    await page.locator('.rail-home').click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `narrow-home-${language}-${colorScheme}`);
    }
  });

test('A page and a list that grow past the window do not move sideways', async ({ page, open }) => {
  const { host } = await open({ agents: { guide: agent('guide') } }, '#/agents');
  const row = page.locator('.agent-row').first();
  await expect(row).toBeVisible();
  const width = (): Promise<number> => row.evaluate((element) => element.getBoundingClientRect().width);
  const before = await width();
  const crowd = Array.from({ length: 40 }, (_, index) => agent(`agent-${index}`));
  host.feed.patch('agents', ...crowd.map((one) => ({ op: 'set' as const, path: [one.id], value: one })));
  const list = page.locator('.list');
  await expect.poll(() => list.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  expect(
    await list.evaluate((box) => box.getBoundingClientRect().width > box.clientWidth + 1),
    'a scrollbar takes width',
  ).toBe(true);
  expect(await width()).toBe(before);
  await page.goto(page.url().replace(/#.*/, '#/inbox'));
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toBeVisible();
  const place = (): Promise<number> => title.evaluate((element) => element.getBoundingClientRect().left);
  const calm = await place();
  for (let index = 0; index < 9; index += 1) host.consent.ask(approval(`ap${index}`));
  const content = page.locator('.page');
  await expect.poll(() => content.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  expect(await place()).toBe(calm);
});

test('At 360 px the filters of the turns stand two in a row', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open({ agents: { guide: agent('guide') }, fill: (host) => host.turns.show(turns()) }, '#/work/turns');
  const fields = page.locator('.filters > .field');
  await expect(fields).toHaveCount(4);
  const boxes = await Promise.all((await fields.all()).map((field) => field.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(2);
  await takePicture(page, 'narrow-turn-filters');
});

for (const hash of ['#/agents', '#/chat'])
  test(`At 360 px the list of ${hash} is the page, with its landmark and heading`, async ({ page, open }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(asking, hash);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  });

test('At 360 px texts beside a button keep their width', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { url } = await open(asking, '#/inbox');
  const widthOf = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.width ?? 0;
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.locator('.grant').first()).toBeVisible();
  expect(await widthOf('.grant > div')).toBeGreaterThan(200);
  await takePicture(page, 'narrow-grants');
  await page.goto(`${url}#/home`);
  await expect(page.locator('.first-step').first()).toBeVisible();
  expect(await widthOf('.first-step:not(.is-done) > div')).toBeGreaterThan(180);
  await page.locator('.first-step').first().scrollIntoViewIfNeeded();
  await takePicture(page, 'narrow-first-steps');
  await page.goto(`${url}#/agents/guide`);
  await page.getByRole('tab', { name: 'Personality' }).click();
  await expect(page.locator('.identity-words')).toBeVisible();
  expect(await widthOf('.identity-words')).toBeGreaterThan(170);
  await takePicture(page, 'narrow-personality');
  await page.goto(`${url}#/settings/security`);
  const out = page.getByRole('button', { name: 'Sign out of all browsers' });
  await out.scrollIntoViewIfNeeded();
  await expect(out).toBeInViewport({ ratio: 1 });
  await takePicture(page, 'narrow-browsers');
});

test('At 360 px the examples of a search stand below each other', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(asking, '#/chat/ch_general');
  await page.getByRole('button', { name: 'Search' }).first().click();
  const meanings = page.locator('.syntax dd');
  await expect(meanings.first()).toBeVisible();
  for (const one of await meanings.all()) expect((await one.boundingBox())?.width).toBeGreaterThan(200);
  await takePicture(page, 'narrow-search');
});

test('At 360 px the sections of the settings are one row, and the open one is in sight', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(asking, '#/settings/security');
  const list = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('list');
  await expect(list.getByRole('link', { name: 'Security' })).toBeInViewport({ ratio: 1 });
  expect((await list.boundingBox())?.height).toBeLessThan(60);
});

for (const [width, height] of [
  [360, 740],
  [900, 600],
] as const)
  test(`The line below the log is in sight at ${width}x${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    const fill = (host: FakeHost): void => {
      host.turns.stored = logLines(-900, 900);
    };
    await open({ agents: busyAgents(), fill }, '#/work/log');
    await expect(page.locator('.log-foot')).toBeInViewport({ ratio: 1 });
  });
