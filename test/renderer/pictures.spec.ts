/**
 * Parts of the page against pictures of them that are kept, in light and dark. They tell of what no other test sees:
 * a colour, a gap, a thing that is gone. Times are left out; with the fonts of another machine nothing is compared.
 * After a change that is meant: `npx playwright test -c test/renderer/playwright.config.ts pictures --update-snapshots`,
 * and look at them.
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

/** Wide as it is with the fonts of Debian (DejaVu Sans); elsewhere letters differ, and so would every picture. */
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

/** How long ago something was changes by the minute, and the width of its words with it. */
const withoutTimes = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('time { display: none }');
    document.adoptedStyleSheets = [sheet];
  });

/** A part takes the focus some time after it was drawn. */
const withoutFocus = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    HTMLElement.prototype.focus = () => undefined;
  });

for (const scheme of ['light', 'dark'] as const) {
  test(`looks as it is kept, in ${scheme}`, async ({ page, open }) => {
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
      // What stands there decides, not the pointer and the focus.
      await page.mouse.move(0, 0);
      await expect.soft(shown).toHaveScreenshot(`${name}-${scheme}.png`, {
        animations: 'disabled',
        caret: 'hide',
        // Edges of letters and of curves differ between versions of the browser; a colour or a gap is more than that.
        threshold: 0.15,
        maxDiffPixelRatio: 0.005,
      });
    }
  });
}
