/** Opens every screen once: it fits at each size, and axe finds nothing in light, dark and high contrast. */
import { colourRules, findViolations } from './axe.ts';
import { listLooks } from './chat-looks.ts';
import { demoRooms } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';
import { busy, screens } from './screens.ts';
import type { Look } from './work-looks.ts';

const sizes = [
  { width: 900, height: 600 },
  { width: 800, height: 600 },
  { width: 640, height: 900 },
  { width: 1280, height: 800 },
] as const;

const schemes = ['light', 'dark'] as const;

type Open = (world: Look['world'], hash: string) => Promise<unknown>;

async function show(page: Page, open: Open, screen: Look): Promise<void> {
  await open(screen.world, screen.hash);
  await expect(page.getByText(screen.ready).first()).toBeVisible();
  await screen.act?.(page);
}

const expectFits = async (page: Page, { width, height }: (typeof sizes)[number]): Promise<void> => {
  // Parts that depend on the window size update in the next frames.
  const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  await expect.poll(isWider, { message: `wider than ${width}x${height}` }).toBe(false);
};

for (const screen of screens)
  test(`${screen.name} fits at every size and passes axe in every theme`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await show(page, open, screen);
    expect(await findViolations(page), 'light').toEqual([]);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await expectFits(page, size);
      await takePicture(page, `${screen.name}-${size.width}-light`);
    }
    // A screen has the same elements in every theme; only colours differ.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, { rules: colourRules }), 'dark').toEqual([]);
    await takePicture(page, `${screen.name}-1280-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'contrast';
    });
    expect(await findViolations(page, { rules: colourRules }), 'high contrast').toEqual([]);
  });

/** Screens that a narrow window reaches by another way. */
const onlyWide = ['agents', 'create', 'create-program', ...listLooks];

if (process.env.KENNEL_PROOF === '1')
  for (const colorScheme of schemes)
    for (const size of sizes)
      for (const screen of screens.filter(({ name }) => size.width >= 720 || !onlyWide.includes(name)))
        test(`${screen.name} opened at ${size.width}x${size.height}, ${colorScheme}`, async ({
          page,
          open,
        }) => {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize(size);
          await show(page, open, screen);
          await expectFits(page, size);
          expect(await findViolations(page)).toEqual([]);
        });

test('The setup shows its progress', async ({ page, open }) => {
  const host = { firstRun: true, demo: false, operator: null, relay: { embedded: false, url: null } };
  await open({ host, agents: {}, rooms: { ...demoRooms(), rooms: {} } });
  await page.getByRole('button', { name: 'Try it now' }).click();
  await expect(page.locator('.steps .is-done').nth(1)).toBeVisible();
  await takePicture(page, 'progress');
});

test('In a narrow window the lists are separate pages', async ({ page, open }) => {
  await page.setViewportSize({ width: 640, height: 900 });
  const { url } = await open(busy, '#/chat');
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible();
  await takePicture(page, 'rooms-640');
  await page.goto(`${url}#/agents`);
  await expect(page.locator('.agent-row').first()).toBeVisible();
  await takePicture(page, 'agents-640');
});

test('A lost host is reported above the content shown last', async ({ page, open }) => {
  const { host } = await open(busy, '#/chat/ch_general');
  await expect(page.getByText('Nobody yet').first()).toBeVisible();
  await host.stop();
  await expect(page.getByRole('alert')).toBeVisible();
  await takePicture(page, 'lost');
});
