/** Task history: search for past tasks, and statistics. */
import { expectAccessible } from './axe.ts';
import { busyAgents, now } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, test } from './open-page.ts';
import { schedules } from './schedule-data.ts';
import { stats, steps, task, tasks } from './task-data.ts';

const world: World = {
  agents: busyAgents(),
  fill: (host) => {
    host.tasks.show(tasks());
    host.tasks.stats = stats();
  },
};

test('All tasks can be searched by text and status, page by page', async ({ page, open }) => {
  const { host } = await open({}, '#/work');
  const many = Array.from({ length: 70 }, (_, index) =>
    task(index + 1, { status: 'done', goal: `Water plant ${index + 1}`, updatedAt: now - 1_000_000 }),
  );
  host.tasks.show([...many, task(71, { status: 'error', goal: 'Paint the fence' })]);
  await page.getByRole('radio', { name: 'History' }).click();
  const list = page.getByRole('list', { name: 'All tasks' });
  // Only rows near the visible ones are rendered; each tells the number of all.
  const first = list.getByRole('listitem').first();
  await expect(first).toHaveAttribute('aria-setsize', '50');
  await page.getByRole('button', { name: 'Show earlier tasks' }).click();
  await expect(first).toHaveAttribute('aria-setsize', '71');
  host.tasks.change(71, { status: 'pending', failure: null });
  await expect(first).toContainText('to do');
  await expect(first).toHaveAttribute('aria-setsize', '71');
  await page.getByLabel('Find').fill('plant 7');
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Status', { exact: true }).selectOption('failed');
  await expect(page.getByText('No tasks match.')).toBeVisible();
  const cancelled = { kind: 'cancelled', message: 'You cancelled it.' } as const;
  host.tasks.change(7, { status: 'error', failure: cancelled });
  await page.getByLabel('Status', { exact: true }).selectOption('cancelled');
  await expect(list.getByRole('listitem')).toHaveText([/Water plant 7/]);
});

test('Finished tasks are archived together, undone at once, filtered and brought back', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/work');
  host.tasks.show([
    task(1, { status: 'done', goal: 'Water the plants' }),
    task(2, { status: 'done', goal: 'Paint the fence' }),
    task(3, { status: 'pending', goal: 'Mow the lawn' }),
  ]);
  await page.getByRole('radio', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'All tasks' }).getByRole('listitem');
  const archiveAll = async (): Promise<void> => {
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
  };
  await expect(rows).toHaveCount(3);
  await archiveAll();
  await expect(page.getByText('2 tasks archived.')).toBeVisible();
  await expect(rows).toHaveText([/Mow the lawn/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(3);
  await archiveAll();
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Find').fill('fence');
  await expect(rows).toHaveText([/Paint the fence.*archived/]);
  await page.getByLabel('Find').fill('');
  await page.getByLabel('Status', { exact: true }).selectOption('archived');
  await expect(rows).toHaveText([/Paint the fence/, /Water the plants/]);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await expect(page.getByText('2 tasks are back in the lists.')).toBeVisible();
  await expect(rows).toHaveCount(0);
});

test('Statistics are shown as a chart, a sentence and a table', async ({ page, open }) => {
  const { host } = await open(world, '#/work');
  await page.getByRole('radio', { name: 'Statistics' }).click();
  await expect(page.getByText('Tallest bar:')).toHaveText(['Tallest bar: 4', 'Tallest bar: 3']);
  await expect(
    page.getByRole('img', { name: /^Tasks per day: 48 tasks done, 3 failed in 30 days/ }),
  ).toBeVisible();
  const waits = page.getByRole('region', { name: 'How long questions waited' });
  await expect(waits).toContainText('8 answered questions; half of them waited less than 4 min');
  await waits.getByText('As a table').click();
  await expect(waits.getByRole('row', { name: /10 to 60 min/ })).toContainText('2');
  await expectAccessible(page);
  host.failing.set('tasks.stats', { code: 'internal', message: 'The numbers cannot be read.' });
  host.tasks.change(3, { status: 'done' });
  await expect(page.getByRole('alert')).toContainText('The numbers cannot be read.');
});

test('Empty statistics say so and show no chart', async ({ page, open }) => {
  await open({}, '#/work');
  await page.getByRole('radio', { name: 'Statistics' }).click();
  await expect(page.getByText('No answered questions yet.')).toBeVisible();
  await expect(page.getByText('No tasks added or done in the last 30 days.')).toBeVisible();
  await expect(page.getByText('Tallest bar:')).toHaveCount(0);
});

test('A board column counts tasks that are only in the history, and links to them', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/work');
  const done = page.getByRole('region', { name: /^done/ });
  await expect(done).toContainText('1');
  host.feed.patch('tasks', { op: 'set', path: ['counts', 'done'], value: 300 });
  await expect(done).toContainText('300');
  await done.getByRole('button', { name: 'All 300 in the history' }).click();
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('done');
  await expect(page.getByRole('list', { name: 'All tasks' }).getByRole('listitem')).toHaveCount(1);
});

for (const theme of ['dark', 'contrast'] as const)
  test(`Board, task and schedules pass axe, ${theme}`, async ({ page, open }) => {
    test.setTimeout(90_000);
    await page.addInitScript(
      (look) => localStorage.setItem('kennel.look', JSON.stringify({ theme: look })),
      theme,
    );
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
    const { host, url } = await open(world, '#/work');
    host.tasks.schedules.show(schedules());
    host.tasks.setSteps(2, steps());
    for (const [hash, ready] of [
      ['#/work', 'Translate the handbook'],
      ['#/work/task:2', 'Why it ended'],
      ['#/work/schedules', 'Morning summary'],
    ]) {
      await page.goto(`${url}${hash}`);
      await expect(page.getByText(ready ?? '').first()).toBeVisible();
      await expectAccessible(page);
    }
  });
