/** Lazy loading: little script before the first paint, the rest during idle time, and never a blank page. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expectAccessible } from './axe.ts';
import { busyAgents, conversation, demoRooms } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const dist = fileURLToPath(new URL('../../dist/renderer/', import.meta.url));
const busy: World = { agents: busyAgents(), rooms: demoRooms(), messages: conversation() };

/** Bytes of script before the first paint: React, the English texts, the frame. */
const firstBudget = 458_000;
/** Chunks that a page loads only if it needs them. */
const apart = /german|licences/;

const scripts = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.split('/').pop() ?? '';
    if (name.endsWith('.js')) asked.push(name);
  });
  return asked;
};

/** Disables loading during idle time. */
const neverIdle = (page: Page) =>
  page.addInitScript(() => Reflect.set(globalThis, 'requestIdleCallback', () => 0));

test('The initial scripts stay within their size budget, with a single stylesheet', () => {
  const html = readFileSync(`${dist}index.html`, 'utf8');
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '');
  expect(first).not.toEqual([]);
  expect(first.reduce((sum, file) => sum + statSync(`${dist}${file}`).size, 0)).toBeLessThan(firstBudget);
  // One stylesheet for all chunks, so that the load order does not change the order of its rules.
  expect(html.match(/rel="stylesheet"/g)).toHaveLength(1);
});

test('An English Home page loads the other pages when idle, but neither German nor licences', async ({
  page,
  open,
}) => {
  const asked = scripts(page);
  await open(busy);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const places = readdirSync(`${dist}assets`).filter((name) => /^(settings|work-page|palette)-/.test(name));
  await expect
    .poll(() => places.some((name) => asked.includes(name) && name.startsWith('settings')))
    .toBe(true);
  await expect.poll(() => asked.some((name) => name.startsWith('make-real'))).toBe(true);
  expect(asked.filter((name) => apart.test(name))).toEqual([]);
});

const rail = ['Home', 'Chat', 'Agents', 'Inbox', 'Work', 'Settings'];

test('After idle loading no page requests a file or shows a loading state', async ({ page, open }) => {
  const asked = scripts(page);
  await open(busy);
  const parts = ['chat-route', 'agents-list', 'inbox', 'work-page', 'settings', 'palette', 'make-real'];
  const missing = () => parts.filter((part) => !asked.some((name) => name.startsWith(`${part}-`)));
  await expect.poll(missing).toEqual([]);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    Reflect.set(globalThis, 'waited', 0);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element && node.textContent?.includes('Opening…'))
            Reflect.set(globalThis, 'waited', 1);
    }).observe(document.body, { childList: true, subtree: true });
  });
  asked.length = 0;
  for (const name of rail) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
    await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'waited'))).toBe(0);
  expect(asked).toEqual([]);
});

test('Each page and dialog opens without preloading', async ({ page, open }) => {
  await neverIdle(page);
  const asked = scripts(page);
  await open(busy);
  for (const name of rail) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
    await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
  }
  for (const [keys, dialog, file] of [
    ['Control+k', /./, 'palette'],
    ['Control+Shift+F', 'Search messages', 'search-dialog'],
    ['Alt+n', /agent/i, 'create-agent'],
  ] as const) {
    expect(asked.some((name) => name.startsWith(file))).toBe(false);
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    expect(asked.some((name) => name.startsWith(file))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

for (const hash of ['#/home', '#/chat/ch_general', '#/agents/guide', '#/inbox', '#/work', '#/settings']) {
  test(`A page opened at ${hash} is shown`, async ({ page, open }) => {
    await neverIdle(page);
    await open(busy, hash);
    await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
    await expect(page.getByText('Opening…')).toHaveCount(0);
  });
}

test('A page that finishes loading while a dialog is open does not take the focus', async ({
  page,
  open,
}) => {
  await neverIdle(page);
  await open(busy);
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const typed = page.getByRole('dialog').getByRole('combobox');
  await expect(typed).toBeFocused();
  await page.keyboard.press('Escape');
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/chat-place-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('Control+k');
  await expect(typed).toBeFocused();
  release();
  await expect(page.getByPlaceholder('Message #general')).toBeAttached();
  await expect(typed).toBeFocused();
});

test('A page whose file is missing shows an error, and works after a reload', async ({ page, open }) => {
  await neverIdle(page);
  await open(busy);
  await page.route('**/assets/settings-*.js', (route) => route.abort('connectionrefused'));
  await page.route('**/assets/palette-*.js', (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Settings' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('could not be loaded');
  for (const [width, height] of [
    [1280, 800],
    [900, 600],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `part-missing-${width}-${colorScheme}`);
    }
  await expectAccessible(page);
  // The rest of the page still works.
  await page.getByRole('button', { name: 'Inbox' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(alert).toContainText('could not be loaded');
  await takePicture(page, 'part-missing-dialog');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.locator('main').getByRole('button', { name: 'Reload' })).toBeVisible();
  await page.unroute('**/assets/settings-*.js');
  await page.unroute('**/assets/palette-*.js');
  await page.locator('main').getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

/** Delays the file of one chunk; returns the function that releases it. */
async function heldBack(page: Page, part: string): Promise<() => void> {
  let letThrough = (): void => {};
  const opened = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(new RegExp(`/${part}-[^/]*\\.js$`), async (route) => {
    await opened;
    await route.continue();
  });
  return letThrough;
}

test('Text typed before a dialog has loaded appears in that dialog only', async ({ page, open }) => {
  await neverIdle(page);
  const come = await heldBack(page, 'palette');
  await open(busy, '#/chat/ch_general');
  const composer = page.locator('main textarea').first();
  await composer.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('setx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(composer).toHaveValue('');
  come();
  await expect(page.getByRole('combobox')).toHaveValue('set');
  await page.keyboard.type('t');
  await expect(page.getByRole('combobox')).toHaveValue('sett');
  await expect(composer).toHaveValue('');
});

test('A dialog dismissed before it has loaded does not open', async ({ page, open }) => {
  await neverIdle(page);
  const asked = scripts(page);
  const come = await heldBack(page, 'palette');
  await open(busy);
  await page.getByRole('button', { name: 'Inbox' }).click();
  await page.keyboard.press('Control+k');
  await expect.poll(() => asked.some((name) => name.startsWith('palette'))).toBe(true);
  await page.keyboard.type('se');
  await page.keyboard.press('Escape');
  const here = page.waitForEvent('requestfinished', (request) => /palette-[^/]*\.js$/.test(request.url()));
  come();
  await here;
  // Long enough for the dialog to open and to stay open.
  await page.waitForTimeout(500);
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toHaveValue('');
});
