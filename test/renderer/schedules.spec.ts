/** Automatic starts: the list with its next times, and the form. */
import { expectAccessible } from './axe.ts';
import { demoAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, test } from './open-page.ts';
import { schedule, schedules } from './schedule-data.ts';

test.use({ timezoneId: 'UTC' });

const world: World = { fill: (host) => host.tasks.schedules.show(schedules()) };
const rows = (page: Page) => page.getByRole('list', { name: 'Schedules' }).getByRole('listitem');
const last = (host: { calls: { method: string; input: unknown }[] }, method: string) =>
  host.calls.findLast((call) => call.method === method)?.input;

test('A schedule shows when and what it starts; it can be disabled, run now, caught up and removed', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/work/schedules');
  await expect(rows(page)).toHaveCount(5);
  const morning = rows(page).filter({ hasText: 'Morning summary' });
  await expect(morning).toContainText('Monday to Friday at 9:00 AM (Europe/Berlin)');
  await expect(morning).toContainText('task “Write the morning summary” for Guide');
  await expect(morning).toContainText('next in 14 h');
  await expect(rows(page).filter({ hasText: 'Odd times' })).toContainText('cron */20 8-18 * * * · task');
  await expect(rows(page).filter({ hasText: 'New notes' })).toContainText('below /home/ada/notes changes');
  await expect(rows(page).filter({ hasText: 'Weekly review' })).toContainText(
    'There is no file review.puppy.',
  );
  await expectAccessible(page);
  await expect(morning).toContainText('Missed 2 times');
  await page.getByRole('button', { name: 'Run now: Morning summary' }).click();
  await expect(page.getByText('Morning summary started.')).toBeVisible();
  await expect(morning).not.toContainText('Missed');
  expect(last(host, 'schedules.runNow')).toEqual({ id: 's1', missed: schedules()[0]?.missed[0] });
  const on = page.getByRole('switch', { name: /^New notes/ });
  await on.press('Space');
  await expect(on).not.toBeChecked();
  await page.getByRole('button', { name: 'More for Odd times' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(rows(page)).toHaveCount(4);
});

test('A new schedule is entered in plain terms and previews its next times', async ({ page, open }) => {
  const { host } = await open({}, '#/work/schedules');
  await page.getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toHaveText('Enter what needs doing.');
  await form.getByLabel('What needs doing?').fill('Water the plants');
  await form.getByLabel('How often').selectOption('every week');
  await form.getByLabel('On', { exact: true }).selectOption('Friday');
  await form.getByLabel('At', { exact: true }).fill('17:30');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await expect(form.getByText('That is every Friday at 5:30 PM.')).toBeVisible();
  await expect(form.locator('.cron-times li')).toHaveCount(5);
  await expect(form.locator('.cron-times li').first()).toContainText('Monday, May 4, 2026 at 9:00 AM');
  await expectAccessible(page);
  await form.getByLabel('How often').selectOption('cron expression');
  const expression = form.getByLabel('Cron expression', { exact: true });
  await expect(expression).toHaveValue('30 17 * * 5');
  await expression.fill('nonsense');
  await expect(form.getByText('"nonsense" is no cron expression.')).toBeVisible();
  await expression.fill('30 17 * * 5');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Water the plants saved.')).toBeVisible();
  expect(last(host, 'schedules.add')).toMatchObject({
    name: 'Water the plants',
    when: { kind: 'cron', expression: '30 17 * * 5', timeZone: 'Europe/Berlin' },
    starts: { kind: 'task', goal: 'Water the plants', agent: null },
    catchUp: 'show',
  });
});

test('A file schedule keeps its other fields when edited; a rejected change stays in the form', async ({
  page,
  open,
}) => {
  const watch = schedule('s4', {
    name: 'New notes',
    next: null,
    when: { kind: 'file', path: '/home/ada/notes', glob: '**/*.md', restMs: 2_500 },
  });
  const fill: World['fill'] = (host) => host.tasks.schedules.show([watch]);
  const { host } = await open({ agents: demoAgents(), fill }, '#/work/schedules');
  await page.getByRole('button', { name: 'More for New notes' }).click();
  await page.getByRole('menuitem', { name: 'Change…' }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByText('{{path}} in the text becomes the path of the changed file.')).toBeVisible();
  await form.getByLabel('File or folder').fill('notes');
  host.failing.set('schedules.set', { code: 'invalid_input', message: 'The path must be whole.' });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('The path must be whole.');
  host.failing.clear();
  await form.getByLabel('File or folder').fill('/home/ada/letters');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(rows(page)).toContainText('below /home/ada/letters changes');
  expect(last(host, 'schedules.set')).toMatchObject({
    id: 's4',
    when: { kind: 'file', path: '/home/ada/letters', glob: '**/*.md', restMs: 2_500 },
    starts: watch.starts,
  });
});
