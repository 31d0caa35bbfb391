/**
 * Compares parts of the page with stored pictures, in light and dark. They show changes that no other test
 * sees: a colour, a gap, a missing element. Times are hidden; the test is skipped on machines with other
 * fonts. After an intended change: `npx playwright test -c test/renderer/playwright.config.ts pictures
 * --update-snapshots`, and look at the pictures.
 */
import { approval } from './ask-data.ts';
import { asking } from './asking-world.ts';
import { agent, conversation, demoRooms } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, test } from './open-page.ts';

const calm: World = { agents: { guide: agent('guide') }, messages: conversation(), rooms: demoRooms() };

const parts: readonly (readonly [name: string, world: World, hash: string, part: string])[] = [
  ['first-run', { host: { firstRun: true } }, '', '.welcome-card'],
  ['question', { ...asking, approvals: [approval('ap1')] }, '#/inbox', '[data-ask]'],
  ['message', calm, '#/chat/ch_general', '.message >> nth=0'],
  ['appearance', calm, '#/settings/appearance', '.settings-stack'],
  ['fields', calm, '#/settings/profile', '.settings-stack'],
];

/** Text width in pixels with the fonts of Debian (DejaVu Sans); with other fonts every picture differs. */
const probe = 'Kennel, agents and people: 0123456789 — ÄÖÜß';
const probeWidth = 397;

const widthOf = (page: Page): Promise<number> =>
  page.evaluate((text) => {
    const span = document.createElement('span');
    span.textContent = text;
    span.style.cssText = 'position: absolute; white-space: nowrap; font: 16px system-ui';
    document.body.append(span);
    const { width } = span.getBoundingClientRect();
    span.remove();
    return Math.round(width);
  }, probe);

/** Hides relative times, whose text and width change by the minute. */
const withoutTimes = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('time { display: none }');
    document.adoptedStyleSheets = [sheet];
  });

/** Disables focus, because elements take it some time after they are drawn. */
const withoutFocus = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    HTMLElement.prototype.focus = () => undefined;
  });

for (const scheme of ['light', 'dark'] as const) {
  test(`Parts of the page match their stored screenshots, ${scheme}`, async ({ page, open }) => {
    test.setTimeout(60_000);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await withoutFocus(page);
    for (const [name, world, hash, part] of parts) {
      await open(world, hash);
      const width = await widthOf(page);
      test.skip(width !== probeWidth, `other fonts here: ${width} instead of ${probeWidth} wide`);
      const shown = page.locator(part);
      await expect(shown).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      await withoutTimes(page);
      // The content decides, not hover or focus.
      await page.mouse.move(0, 0);
      await expect.soft(shown).toHaveScreenshot(`${name}-${scheme}.png`, {
        animations: 'disabled',
        caret: 'hide',
        // Edges of letters and curves differ between browser versions; colours and gaps differ more.
        threshold: 0.15,
        maxDiffPixelRatio: 0.005,
      });
    }
  });
}
