/** Tasks outside their own page: home, the status line, commands, an agent's page. */
import type { Problem } from '../../src/contract/model.ts';
import { approval } from './ask-data.ts';
import { busyAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, settle, test } from './open-page.ts';
import { tasks } from './task-data.ts';

const problems: Problem[] = [
  {
    id: 'task-step-5-3',
    severity: 'warning',
    message: '',
    at: 1,
    about: { kind: 'task', task: 5, step: 3, agentId: 'scribe' },
  },
];
const world: World = { agents: busyAgents(), host: { problems }, fill: (host) => host.tasks.show(tasks()) };

test('Home and the status line list running tasks and link to those that need the user', async ({
  page,
  open,
}) => {
  await open(world, '#/home');
  const running = page.getByRole('region', { name: 'Agents' });
  await expect(running.getByRole('button', { name: /Tidy the notes.*Guide.*step 4/ })).toBeVisible();
  await expect(running.getByRole('button', { name: 'All 7 open tasks' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tasks: 1 working, 3 to do' })).toBeVisible();
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs
    .getByRole('listitem')
    .filter({ hasText: 'Task 5 asks about step 3.' })
    .getByRole('button', { name: 'Open' })
    .click();
  await expect(page.getByRole('region', { name: 'Did step 3 happen?' })).toBeVisible();
});

test('A question in the inbox links to the task that waits for it', async ({ page, open }) => {
  const approvals = [approval('ap_task', { agentId: 'scribe', agentName: 'Scribe' })];
  await open({ ...world, approvals }, '#/inbox');
  const link = page.getByRole('button', { name: 'task 4: Delete the old build folders' });
  await expect(link).toBeVisible();
  await settle(page);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Delete the old build folders' })).toBeVisible();
  await expect(page.getByRole('article', { name: /Scribe wants to write hello.md/ })).toBeVisible();
});

test("The palette finds and adds tasks; an agent's page lists its own tasks", async ({ page, open }) => {
  await open(world, '#/agents/scribe');
  await expect(page.getByRole('tab', { name: 'Activity', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('every link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Check every link in the wiki' })).toBeVisible();
  await page.keyboard.press('Alt+t');
  await expect(page.getByLabel('What needs doing?')).toBeFocused();
  await page.goto(`${page.url().split('#')[0]}#/agents/scribe`);
  await page.getByRole('tab', { name: 'Activity', exact: true }).click();
  await page.getByRole('radio', { name: 'Tasks' }).click();
  const own = page.getByRole('list', { name: 'Tasks of this agent' });
  await expect(own.getByRole('listitem')).toHaveText([/#5/, /#4/]);
  await expect(page.getByRole('form', { name: 'New task' }).getByRole('status')).toHaveText('For Scribe.');
});
