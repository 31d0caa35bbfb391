/** Accessibility checks beyond those that `screens.spec.ts` runs on every screen. */
import { busyAgents, conversation } from './fake-data.ts';
import { expect, test } from './open-page.ts';

test('Each state dot has a text label and its own shape, not only a color', async ({ page, open }) => {
  await open({ agents: busyAgents() }, '#/agents');
  const dots = page.locator('.agent-row .state-dot');
  await expect(dots).toHaveCount(5);
  const names = await dots.evaluateAll((all) => all.map((dot) => dot.getAttribute('aria-label')));
  expect(new Set(names)).toEqual(new Set(['idle', 'working', 'needs you', 'failed', 'offline']));
  const shapes = await dots.evaluateAll((all) => all.map((dot) => dot.innerHTML));
  expect(new Set(shapes).size).toBe(5);
});

test('A working dot is animated, except with reduced motion', async ({ page, open }) => {
  await open({ agents: busyAgents() }, '#/agents');
  const breath = () =>
    page.locator('.agent-row .breathe').evaluate((dot) => getComputedStyle(dot).animationName);
  expect(await breath()).toBe('breathe');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await breath()).toBe('none');
});

test('A new message is announced politely to screen readers', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  host.add({ ...conversation()[2]!, id: 'msg_new', threadRootId: null, text: 'The kettle is on.' });
  await expect(page.getByRole('status')).toHaveText('Guide: The kettle is on.');
});

test('Closing a dialog returns the focus to the button that opened it', async ({ page, open }) => {
  await open({}, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'New agent' })).toBeFocused();
});
