/** The task board, the form for a new task, and the details of a task. */

import { approval } from './ask-data.ts';
import { expectAccessible } from './axe.ts';
import { busyAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, settle, test } from './open-page.ts';
import { step, steps, task, tasks } from './task-data.ts';

const asked = approval('ap_task', {
  agentId: 'scribe',
  agentName: 'Scribe',
  title: 'wants to delete build/',
});
const world: World = {
  agents: busyAgents(),
  approvals: [asked],
  fill: (host) => {
    host.tasks.show(tasks());
    host.tasks.setSteps(3, steps());
    host.tasks.setSteps(5, [step(3, { action: 'send_message Thursday', endedAt: null, result: null })]);
  },
};

const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const cards = (page: Page, name: string) => column(page, name).getByRole('listitem');

test('The board has one column per status, in queue order', async ({ page, open }) => {
  const { host } = await open(world, '#/work');
  await expect(cards(page, 'to do')).toHaveText([
    /every link.*waits until Guide is free/s,
    /minutes.*waits until an agent is free.*any agent/s,
    /starts in 3 h/,
  ]);
  await expect(cards(page, 'waits for you')).toHaveText([/asks you/, /asks about step 3/]);
  await expect(cards(page, 'failed')).toContainText('20,120 of 20,000');
  await expect(column(page, 'cancelled')).toHaveCount(0);
  await expect(page.getByText('1 of 2 workers busy. 1 waits for Guide.')).toBeVisible();
  await expectAccessible(page);
  host.tasks.change(3, { status: 'done', result: 'All of them are tidy.' });
  await expect(cards(page, 'done').first()).toContainText('All of them are tidy.');
  await expect(column(page, 'working')).toContainText('No tasks in progress.');
});

test('A task that waits for a run names it, links to it, and continues when the run has ended', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/work');
  host.tasks.change(5, { waitingFor: { kind: 'run', run: 'run-ship', name: 'ship\u202e it' } });
  const card = cards(page, 'waits for you').filter({ hasText: 'Send the invitation' });
  await expect(card).toContainText('waits for the run ship');
  await card.getByRole('button').click();
  await expect(page.getByText('It started a workflow and continues when that ends.')).toBeVisible();
  await expectAccessible(page);
  const lead = page.getByRole('button', { name: 'Show the run' });
  await expect(lead).toBeVisible();
  host.tasks.change(5, { status: 'pending', waitingFor: null });
  await expect(lead).toHaveCount(0);
  host.tasks.change(5, { status: 'waiting', waitingFor: { kind: 'run', run: 'run-ship', name: 'ship' } });
  await lead.click();
  await expect(page).toHaveURL(/#\/work\/run(:|%3A)run-ship/);
});

test('Arrow keys move on the board, Enter opens a card, and the focus returns to it on going back', async ({
  page,
  open,
}) => {
  await open(world, '#/work');
  await cards(page, 'to do').first().getByRole('button').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(cards(page, 'working').getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Tidy the notes/ })).toBeFocused();
  await page.getByRole('button', { name: 'All tasks' }).press('Enter');
  await expect(cards(page, 'working').getByRole('button')).toBeFocused();
});

test('Filters apply to board and list, and the chosen view is remembered', async ({ page, open }) => {
  await open(world, '#/work');
  await page.getByLabel('Project').selectOption('wiki');
  await expect(page.locator('.task-card')).toHaveCount(3);
  await page.getByRole('radio', { name: 'List' }).click();
  const list = page.getByRole('list', { name: 'Tasks', exact: true });
  await expect(list.getByRole('listitem')).toHaveText([
    /Tidy the notes/,
    /Check every link/,
    /Read the wiki/,
  ]);
  await expectAccessible(page);
  await page.getByLabel('Find').fill('nothing has this');
  await expect(page.getByText('No tasks match.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(list.getByRole('listitem').first()).toContainText('waits for you');
  await page.reload();
  await expect(list.getByRole('listitem')).toHaveCount(9);
});

test('Enter adds a task from one line above the board; a failed one stays in the line', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/work');
  await expect(page.getByRole('heading', { name: 'No tasks yet' })).toBeVisible();
  const goal = page.getByLabel('What needs doing?');
  const form = page.getByRole('form', { name: 'New task' });
  await expect(form.getByRole('status')).toHaveText('For any agent.');
  await goal.click();
  await page.keyboard.type('@gui');
  const menu = page.getByRole('listbox', { name: 'People to mention' });
  await expect(menu.getByRole('option')).toHaveText(/Guide/);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(menu).toHaveCount(0);
  await page.keyboard.type('Water the plants');
  await expect(goal).toHaveValue('@Guide Water the plants');
  await expect(form.getByRole('status')).toHaveText('For Guide.');
  host.failing.set('tasks.add', { code: 'locked', message: 'Kennel is locked.' });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Your text is still here.');
  await expect(goal).toHaveValue('@Guide Water the plants');
  host.failing.clear();
  await goal.press('Enter');
  await expect(page.getByText('Task 1 added.')).toBeVisible();
  await expect(goal).toHaveValue('');
  await expect(goal).toBeFocused();
  expect(host.calls.findLast(({ method }) => method === 'tasks.add')?.input).toEqual({
    goal: 'Water the plants',
    agent: 'guide',
  });
  await expect(page.locator('.task-card')).toContainText('Water the plants');
});

test('Further fields of a new task open on demand; Shift+Enter begins a line', async ({ page, open }) => {
  const { host } = await open({}, '#/work');
  const goal = page.getByLabel('What needs doing?');
  await goal.fill('Water the plants');
  await goal.press('Shift+Enter');
  await page.keyboard.type('in the kitchen');
  await page.getByRole('button', { name: /Project, time/ }).click();
  await page.locator('form').getByLabel('Agent', { exact: true }).selectOption('Guide');
  await page.getByLabel('Project', { exact: true }).fill('office');
  await page.getByLabel('Priority').selectOption('high');
  await page.getByLabel('Dollar limit').fill('0.5');
  await expectAccessible(page);
  await page.getByLabel('Priority').press('Control+Enter');
  await expect(page.getByText('Task 1 added.')).toBeVisible();
  expect(host.calls.findLast(({ method }) => method === 'tasks.add')?.input).toEqual({
    goal: 'Water the plants\nin the kitchen',
    agent: 'guide',
    project: 'office',
    priority: 10,
    budget: { usd: 0.5 },
  });
});

test('A task shows steps live and long ones in full on demand, and can be forked after a step', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/work/task:3');
  host.tasks.wholeSteps.set(2, { result: 'The whole note, to the end', error: null });
  const rows = page.locator('.task-step');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(3)).toContainText('running');
  await expect(page.getByRole('img', { name: /Tokens: 43,000 of 50,000/ })).toBeVisible();
  host.tasks.step(3, step(4, { action: 'write_file notes/decisions.md', result: 'wrote 12 lines' }));
  await expect(rows.nth(3)).toContainText('wrote 12 lines');
  await rows.nth(1).getByRole('button').press('Enter');
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect(page.getByText('The whole note, to the end')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Fork after this step' }).press('Enter');
  await expect(page.getByRole('button', { name: 'task 3, after step 2' })).toBeVisible();
  expect(host.calls.findLast(({ method }) => method === 'tasks.fork')?.input).toEqual({ task: 3, after: 2 });
});

test('A long task shows its latest steps first; earlier ones load on demand', async ({ page, open }) => {
  const { host } = await open({}, '#/work');
  host.tasks.show([task(1, { status: 'running', runnerId: 'guide', runnerName: 'Guide', steps: 620 })]);
  host.tasks.setSteps(
    1,
    Array.from({ length: 620 }, (_, index) => step(index + 1)),
  );
  await page.goto(`${page.url().split('#')[0]}#/work/task:1`);
  await expect(page.locator('.task-step')).toHaveCount(500);
  // Clicks twice, before the first answer arrives.
  await page.getByRole('button', { name: 'Show earlier steps' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page.locator('.task-step')).toHaveCount(620);
  await expect(page.getByRole('button', { name: 'Show earlier steps' })).toHaveCount(0);
});

test('A waiting question is answered on the task page, and an interrupted step is settled there', async ({
  page,
  open,
}) => {
  const { host, url } = await open(world, '#/work/task:4');
  await settle(page);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await expect(page.getByText('Allowed once')).toBeVisible();
  await page.goto(`${url}#/work/task:5`);
  const card = page.getByRole('region', { name: 'Did step 3 happen?' });
  await expect(card).toContainText('send_message Thursday');
  await card.getByRole('button', { name: 'It did not happen' }).click();
  await expect(card).toHaveCount(0);
  expect(host.calls.findLast(({ method }) => method === 'tasks.settle')?.input).toEqual({
    task: 5,
    step: 3,
    happened: 'no',
  });
});

test('Pause, resume, cancel and retry are offered only where possible; limits can be raised', async ({
  page,
  open,
}) => {
  const { host, url } = await open(world, '#/work/task:2');
  await expect(page.getByText(/Choose Change and raise its limit/)).toBeVisible();
  const change = page.getByRole('button', { name: 'Change', exact: true });
  await expect(change).toHaveClass(/is-primary/);
  await change.click();
  await page.getByRole('dialog').getByLabel('Token limit').fill('60000');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('img', { name: /20,120 of 60,000/ })).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('.task-chip')).toHaveText('to do');
  await page.goto(`${url}#/work/task:3`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('All its work is kept.')).toBeVisible();
  await expect(page.locator('.task-chip')).toHaveText('cancelled');
  await expect(page.locator('.note.is-error')).toHaveCount(0);
  await page.getByRole('button', { name: 'All tasks' }).click();
  await expect(cards(page, 'cancelled')).toContainText(['You cancelled it.']);
  await expect(column(page, 'failed')).toHaveCount(0);
  await expect(column(page, 'cancelled').getByRole('heading')).toHaveText(/cancelled\s*1$/);
  host.tasks.lose(77);
  await page.goto(`${url}#/work/task:77`);
  await expect(page.getByRole('heading', { name: 'Task 77 not found' })).toBeVisible();
});

test('Hostile text of a task has no effect (T21)', async ({ page, open }) => {
  const evil = '<img src=x onerror=alert(1)>\u202Egnp.exe';
  const bad = task(1, { goal: evil, project: evil, status: 'done', result: `${evil} ![p](http://x/y)` });
  const fill: World['fill'] = (host) => {
    host.tasks.show([bad]);
    host.tasks.setSteps(1, [step(1, { action: evil, result: evil })]);
  };
  const { host, url } = await open({ fill }, '#/work');
  await expect(page.locator('.task-card')).toContainText('<img src=x');
  await page.goto(`${url}#/work/task:1`);
  await page.locator('.task-step-line').click();
  expect(await page.locator('.task img').count()).toBe(0);
  expect(await page.locator('.task').innerText()).not.toContain('\u202E');
  expect(host.requests.filter((path) => path.endsWith('/x') || path.endsWith('/y'))).toEqual([]);
});

test('The workers form changes only the number entered; an empty number resets it', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/work');
  const said = () => host.calls.findLast(({ method }) => method === 'tasks.setWorkers')?.input;
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await form.getByLabel('Per agent').selectOption({ label: 'Guide' });
  await form.getByLabel('Tasks of this agent at once').fill('3');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  expect(said()).toEqual({ agent: { agent: 'guide', concurrency: 3 } });
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await form.getByLabel('Tasks at once').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  expect(said()).toEqual({ workers: null });
});
