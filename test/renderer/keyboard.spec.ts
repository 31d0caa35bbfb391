/** The main path by keyboard alone, and the announcements for screen readers. */

import { approval } from './ask-data.ts';
import { demoRooms } from './fake-data.ts';
import { expect, type Page, settle, test } from './open-page.ts';

/** Presses Tab or Shift+Tab until an element with this name has the focus. */
async function walkTo(page: Page, key: 'Tab' | 'Shift+Tab', name: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
    });
  for (let step = 0; step < 30; step += 1) {
    if (name.test(await focused())) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reached ${name}; the last was "${await focused()}"`);
}

test('First run, a message, an answer in the room and further writing work by keyboard alone', async ({
  page,
  open,
}) => {
  const { host } = await open({
    host: { firstRun: true, demo: false, relay: { embedded: false, url: null }, operator: null },
    agents: {},
    messages: [],
    rooms: { ...demoRooms(), rooms: {} },
  });
  await expect(page.getByRole('radio', { name: /Try it now/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const box = page.getByLabel('Message #general');
  await expect(box).toBeFocused();
  await page.keyboard.type('Please write hello.md');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please write hello.md')).toBeVisible();
  await expect(box).toBeFocused();

  host.consent.ask(approval('ap1'));
  await expect(page.getByRole('status').filter({ hasText: 'Guide wants to write hello.md' })).toHaveText(
    /question is in the inbox/,
  );
  await expect(box, 'a question takes nobody’s hands from the keys').toBeFocused();
  await settle(page);
  await walkTo(page, 'Shift+Tab', /^Allow once$/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Allowed once in the window: Guide wants to write hello.md')).toBeVisible();
  expect(host.calls.filter((call) => call.method === 'approvals.decide')).toHaveLength(1);
  await expect(page.locator('.settled'), 'the answer takes the focus of the card').toBeFocused();

  await walkTo(page, 'Tab', /^Message #general$/);
  await page.keyboard.type('Thank you');
  await expect(box).toHaveValue('Thank you');
});
