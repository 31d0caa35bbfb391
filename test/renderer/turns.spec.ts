/** Turns of agents: the list, and the details of a turn. */

import { approval, step } from './ask-data.ts';
import { expectAccessible } from './axe.ts';
import { busyAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';
import { turn, turns } from './turn-data.ts';

const world: World = { agents: busyAgents(), fill: (host) => host.turns.show(turns()) };
const rows = (page: Page) => page.getByRole('list', { name: 'Turns', exact: true }).getByRole('listitem');

test('Turns are listed with state, steps, time and cost, and can be filtered', async ({ page, open }) => {
  const { host } = await open(world, '#/work/turns');
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).nth(0)).toContainText('working · #general · reading wiki/index.md');
  await expect(rows(page).nth(1)).toContainText('2 steps');
  // The hour that a person took to answer is not the turn's work.
  await expect(rows(page).nth(1)).toContainText('answered · waited 1 h for an answer · #general');
  await expect(rows(page).nth(1)).toContainText('5.5 s');
  await expect(rows(page).nth(1)).toContainText('$0.012');
  await expectAccessible(page);
  await page.getByLabel('State').selectOption('failed');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('There is no key for anthropic.');
  await page.getByLabel('Agent', { exact: true }).selectOption('Porter');
  await expect(page.getByText('No turns match.')).toBeVisible();
  expect(host.calls.findLast(({ method }) => method === 'work.turns')?.input).toMatchObject({
    agent: 'porter',
    states: ['failed'],
  });
});

test('Of many turns only those in sight are rendered; they are sorted and grouped, and open ones stop', async ({
  page,
  open,
}) => {
  const old = Array.from({ length: 500 }, (_, n) =>
    turn(`turn_${n}`, { asked: `Question ${n}`, startedAt: Date.now() - (n + 1) * 3_600_000 }),
  );
  const { host } = await open(
    { agents: busyAgents(), fill: ({ turns: fake }) => fake.show([...turns(), ...old]) },
    '#/work/turns',
  );
  for (let loaded = 50; loaded < 504; loaded += 50) {
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', `${loaded}`);
    await page.getByRole('button', { name: 'Show earlier turns' }).click();
  }
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', '504');
  await expect(page.getByRole('button', { name: 'Show earlier turns' })).toHaveCount(0);
  expect(await rows(page).count()).toBeLessThan(80);
  await rows(page).first().locator('[data-item]').focus();
  await page.keyboard.press('End');
  await expect(page.getByText('Question 499')).toBeInViewport();
  await page.getByRole('button', { name: 'Sort and group' }).click();
  await page.getByRole('menuitemradio', { name: 'State' }).last().click();
  await page.keyboard.press('Escape');
  await page.locator('.page').evaluate((box) => box.scrollTo(0, 0));
  await expect(page.getByRole('heading', { level: 2, name: /working/ })).toBeVisible();
  await expectAccessible(page);
  const running = rows(page).filter({ hasText: 'reading wiki/index.md' });
  await running.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('1 turn stopped.')).toBeVisible();
  expect(host.calls.findLast(({ method }) => method === 'agents.stop')?.input).toEqual({
    agent: 'porter',
    turn: 'turn_running',
  });
});

test('Two quick clicks load the next page of turns once', async ({ page, open }) => {
  const many = Array.from({ length: 170 }, (_, n) =>
    turn(`turn_${n}`, { asked: `Question ${n}`, startedAt: Date.now() - (n + 1) * 3_600_000 }),
  );
  const { host } = await open(
    { agents: busyAgents(), fill: ({ turns: fake }) => fake.show(many) },
    '#/work/turns',
  );
  const pages = (): unknown[] =>
    host.calls.flatMap(({ method, input }) => (method === 'work.turns' ? [input] : []));
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', '50');
  const before = pages().length;
  const earlier = page.getByRole('button', { name: 'Show earlier turns' });
  await earlier.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', '100');
  await earlier.click();
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', '150');
  expect(pages().slice(before)).toMatchObject([{ before: 'turn_49' }, { before: 'turn_99' }]);
});

test('A running turn updates live, and its end is loaded', async ({ page, open }) => {
  const { host } = await open(world, '#/work/turns');
  host.feed.patch('work', {
    op: 'set',
    path: ['running', 'turn_running', 'detail'],
    value: 'writing a letter',
  });
  await expect(rows(page).first()).toContainText('writing a letter');
  host.turns.turns = [turn('turn_running', { asked: 'What is new in the wiki?' }), ...turns().slice(1)];
  host.feed.patch('work', { op: 'delete', path: ['running', 'turn_running'] });
  await expect(rows(page).first()).toContainText('answered');
});

test('A turn opens into its timeline and parts by keyboard, and the focus returns', async ({
  page,
  open,
}) => {
  await open(world, '#/work/turns');
  await rows(page).nth(1).getByRole('button').press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Guide in #general' })).toBeFocused();
  await expect(page.locator('.fall-row')).toHaveCount(9);
  await expect(page.getByText('Long waits are drawn shorter.')).toBeVisible();
  const call = page.getByRole('button', { name: /wrote notes.md/ });
  await call.press('Enter');
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect(page.getByText('the end')).toBeVisible();
  await page.getByText('As a table').press('Enter');
  const table = page.getByRole('table');
  await expect(table.getByRole('row', { name: /Waited 2 s before the next try/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'All turns' }).press('Enter');
  await expect(rows(page).nth(1).getByRole('button')).toBeFocused();
});

test('Raw events can be shown, copied and exported with the turn', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(world, '#/work/turn_done');
  await page.getByRole('tab', { name: 'Raw events' }).click();
  await page.getByText('4 user').click();
  await expect(page.getByText('"text": "Tidy the notes"')).toBeVisible();
  await page.getByRole('button', { name: 'Copy these events' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('"role":"assistant"');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as JSON' }).click();
  expect((await saved).suggestedFilename()).toBe('turn_done.json');
});

test('An empty list explains itself; an unknown turn shows an error and a way back', async ({
  page,
  open,
}) => {
  await open({}, '#/work/turns');
  await expect(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible();
  await page.goto(`${page.url().split('#')[0]}#/work/turn_gone`);
  await expect(page.getByRole('alert')).toContainText('None of your agents has a turn "turn_gone".');
  await page.getByRole('button', { name: 'All turns' }).click();
  await page.keyboard.press('Alt+5');
  await expect(page.getByRole('heading', { level: 1, name: 'Work' })).toBeVisible();
});

test('Hostile text in a turn is shown as text and loads nothing (T21)', async ({ page, open }) => {
  const evil = '<img src=x onerror=alert(1)>\u202Egnp.exe';
  const fill: World['fill'] = (host) =>
    host.turns.show([turn('turn_done', { asked: evil, agentName: evil, roomName: evil, detail: evil })]);
  const { host } = await open({ fill }, '#/work/turns');
  await expect(rows(page)).toContainText('<img src=x');
  expect(await page.locator('.work img').count()).toBe(0);
  expect(await rows(page).first().innerText()).not.toContain('\u202E');
  expect(host.requests.filter((path) => path.endsWith('/x'))).toEqual([]);
});

for (const theme of ['dark', 'contrast'] as const)
  test(`List, turn and log pass axe, ${theme}`, async ({ page, open }) => {
    test.setTimeout(120_000);
    await page.addInitScript(
      (look) => localStorage.setItem('kennel.look', JSON.stringify({ theme: look })),
      theme,
    );
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
    const { host, url } = await open(world, '#/work/turns');
    await expect(rows(page)).toHaveCount(4);
    await expectAccessible(page);
    await page.goto(`${url}#/work/turn_done`);
    await page
      .getByRole('button', { name: /claude-sonnet-4/ })
      .first()
      .click();
    await expectAccessible(page);
    await page.goto(`${url}#/work/log`);
    host.turns.write(30);
    await page.getByRole('listbox').getByRole('option').last().click();
    await expect(page.locator('.log-row[aria-selected="true"]')).toBeInViewport();
    await expectAccessible(page);
  });

test('A running turn shows its steps and text live, its question, and takes a message and a stop', async ({
  page,
  open,
}) => {
  const asks = approval('ap_1', { agentId: 'guide', roomId: 'ch_general' });
  const { host } = await open({ ...world, approvals: [asks] }, '#/work/turns');
  await rows(page).filter({ hasText: 'reading wiki/index.md' }).getByRole('button').first().click();
  const id = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1) ?? '');
  const waiting = step('c1', {
    state: 'waiting',
    title: 'writing hello.md',
    approvalId: 'ap_1',
    endedAt: null,
  });
  host.feed.patch('room:ch_general', {
    op: 'set',
    path: ['drafts', id],
    value: {
      turnId: id,
      agentId: 'guide',
      slug: 'guide-1c2d',
      name: 'Guide',
      text: 'I am reading.',
      threadRootId: 'msg_q2',
      startedAt: Date.now(),
      steps: [waiting],
    },
  });
  const now = page.getByRole('region', { name: 'Now' });
  await expect(now.getByText('I am reading.')).toBeVisible();
  await expect(now.getByText('writing hello.md')).toBeVisible();
  await expect(now.getByRole('button', { name: 'Deny', exact: true })).toBeVisible();
  await now.getByLabel(/^Message to .+ in this turn/).fill('Only the first page.');
  await takePicture(page, 'turn-live');
  await expectAccessible(page);
  await now.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => host.calls.findLast(({ method }) => method === 'chat.send')?.input)
    .toMatchObject({ to: 'ch_general', threadRootId: 'msg_q2', text: 'Only the first page.' });
  await now.getByRole('button', { name: 'Stop this turn' }).click();
  await expect
    .poll(() => host.calls.findLast(({ method }) => method === 'agents.stop')?.input)
    .toMatchObject({ turn: id });
});
