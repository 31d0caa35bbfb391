/** Approvals: shown completely, answered by keyboard, never by accident, and never twice (T8). */

import type { Locator } from '@playwright/test';
import { approval, command, decided, grants } from './ask-data.ts';
import { busyAgents, conversation } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, type Page, settle, test } from './open-page.ts';

const answersOf = (host: FakeHost) =>
  host.calls.filter((call) => call.method === 'approvals.decide').map((call) => call.input);

/** Stops the page's clock, which tests then advance: a slow machine cannot let the input guard expire. */
const freeze = async (page: Page): Promise<void> => page.clock.pauseAt(Date.now() + 60_000);

/** Advances the clock by a few milliseconds at a time until `there` holds. */
const soon = (page: Page, there: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(5);
        return there();
      },
      { intervals: [100], timeout: 9000 },
    )
    .toBe(true);

const focused = (button: Locator) => button.evaluate((one) => one === document.activeElement);

const longChange = `@@ long.md @@\n${Array.from({ length: 90 }, (_, index) => `+line ${index}`).join('\n')}`;

test('A question is found and allowed once by keyboard; the receipt replaces it', async ({ page, open }) => {
  const { host } = await open({ approvals: [approval('ap1')] }, '#/home');
  await expect(page.getByRole('button', { name: /Inbox 1 waiting for you/ })).toBeVisible();
  await page.keyboard.press('Alt+4');
  const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
  await expect(card.getByRole('button', { name: 'Deny', exact: true })).toBeFocused();
  await settle(page);
  await page.keyboard.press('Tab');
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Allowed once in the window: Guide wants to write hello.md')).toBeVisible();
  expect(answersOf(host)).toEqual([
    { id: 'ap1', digest: 'digest-of-ap1', answer: { type: 'allow', scope: 'once' }, surface: 'window' },
  ]);
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByRole('dialog')).toContainText('rc_ap1');
  await expect(page.getByRole('dialog')).toContainText('This file was written by Guide.');
});

test('A new question ignores Enter, a held key and clicks for half a second', async ({ page, open }) => {
  await page.clock.install();
  const { host } = await open({}, '#/inbox');
  await expect(page.getByText('You’re all caught up').first()).toBeVisible();
  await freeze(page);
  host.consent.ask(approval('ap1'));
  const deny = page.getByRole('button', { name: 'Deny', exact: true });
  await soon(page, async () => (await deny.count()) === 1 && focused(deny));
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
  await page.keyboard.press(' ');
  await deny.dispatchEvent('click');
  expect(answersOf(host)).toEqual([]);
  await page.clock.runFor(600);
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await expect.poll(() => answersOf(host).length, { message: 'one press, one answer' }).toBe(1);
});

test('After an answer the next question has the focus and ignores keys for half a second', async ({
  page,
  open,
}) => {
  await page.clock.install();
  const { host } = await open({ approvals: [approval('ap1'), command('ap2', 'rm old.md')] }, '#/inbox');
  const denyOf = (name: RegExp) =>
    page.getByRole('article', { name }).getByRole('button', { name: 'Deny', exact: true });
  await expect(denyOf(/Guide wants/)).toBeFocused();
  await freeze(page);
  await page.keyboard.press('Enter');
  const second = denyOf(/Scribe wants/);
  await soon(page, () => focused(second));
  await page.keyboard.press('Enter');
  await page.clock.runFor(20);
  expect(answersOf(host)).toHaveLength(1);
  await page.clock.runFor(600);
  await page.keyboard.press('Enter');
  await expect.poll(() => answersOf(host).length).toBe(2);
});

test('A long preview must be scrolled to its end before Allow is enabled; Deny always works', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { approvals: [approval('ap1', { preview: { kind: 'diff', body: longChange } })] },
    '#/inbox',
  );
  const allow = page.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeDisabled();
  await expect(allow).toHaveAccessibleDescription(/Scroll to the end/);
  await settle(page);
  await allow.dispatchEvent('click');
  await page.getByRole('button', { name: 'Allow more…' }).click();
  await expect(page.getByRole('button', { name: 'Always allow anything matching' })).toBeDisabled();
  expect(answersOf(host)).toEqual([]);
  await page.getByRole('region', { name: 'The change' }).focus();
  await page.keyboard.press('End');
  await expect(allow).toBeEnabled();
  await allow.click();
  await expect.poll(() => answersOf(host).length).toBe(1);
});

test('A question with changed content counts as new: unread, and without answers for half a second', async ({
  page,
  open,
}) => {
  await page.clock.install();
  const { host } = await open({ approvals: [approval('ap1')] }, '#/inbox');
  const allow = page.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeEnabled();
  await freeze(page);
  host.consent.ask(approval('ap1', { digest: 'another', preview: { kind: 'diff', body: longChange } }));
  await soon(page, async () => (await allow.getAttribute('aria-disabled')) === 'true');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Deny', exact: true }).dispatchEvent('click');
  await page.clock.runFor(20);
  expect(answersOf(host)).toEqual([]);
});

test('T8: Hidden and reordering characters in a command are shown as codes, in true order', async ({
  page,
  open,
}) => {
  const body = 'rm a\u200b.md \u202ecod.elbat\u202c \u00a0\u3164\ue000\r';
  await open({ approvals: [command('ap1', body)] }, '#/inbox');
  const shown = page.getByRole('region', { name: 'The command' });
  await expect(shown).toHaveText(
    'rm a[U+200B].md [U+202E]cod.elbat[U+202C] [U+00A0][U+3164][U+E000][U+000D]',
  );
  expect(await shown.locator('bdo').evaluate((one) => getComputedStyle(one).unicodeBidi)).toContain(
    'override',
  );
  await expect(page.locator('.ask mark.code-point').first()).toBeVisible();
});

test('T14: A card shows the real target of each path and each program with all arguments', async ({
  page,
  open,
}) => {
  const effects = [
    { kind: 'delete', path: '/srv/backups/no\u202etes' },
    { kind: 'run', argv: ['rm', '--', 'old notes'], cwd: '/home/ada/notes', sandbox: 'confined' },
  ] as const;
  await open({ approvals: [command('ap1', 'rm "old notes"', { effects })] }, '#/inbox');
  await expect(page.locator('.ask-effects li')).toHaveText([
    'Deletes /srv/backups/no[U+202E]tes',
    'Runs rm -- "old notes"',
  ]);
});

test('T8: A question with a truncated preview can only be denied', async ({ page, open }) => {
  const preview = { kind: 'diff', body: '+a', cut: true } as const;
  await open({ approvals: [approval('ap1', { preview })] }, '#/inbox');
  await expect(page.getByText('too large to be shown whole')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deny', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Allow/ })).toHaveCount(0);
});

test('A rule is shown before it is saved, and can be removed afterwards', async ({ page, open }) => {
  const { host } = await open({ approvals: [approval('ap1')] }, '#/inbox');
  await settle(page);
  await expect(page.getByText('write_file(*.md)')).toBeHidden();
  await page.getByRole('button', { name: 'Allow more…' }).click();
  const ways = page.getByRole('list', { name: 'Other ways to allow this' });
  await expect(ways.getByText('write_file(*.md)')).toBeVisible();
  await ways.getByRole('button', { name: 'Always allow anything matching' }).click();
  await expect(page.getByText('Always allowed: anything matching')).toBeVisible();
  expect(host.consent.grants).toMatchObject([{ scope: 'pattern', rule: 'write_file(*.md)' }]);
  await page.getByRole('button', { name: 'Remove permission' }).click();
  await expect(page.getByText('Permission removed.')).toBeVisible();
  expect(host.consent.grants).toEqual([]);
});

test('A denial can include a reason; "Not now" postpones the question and removes it from the count', async ({
  page,
  open,
}) => {
  const { host } = await open({ approvals: [approval('ap1'), command('ap2', 'rm old.md')] }, '#/inbox');
  await settle(page);
  const scribe = page.getByRole('article', { name: /Scribe wants/ });
  await scribe.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('heading', { name: 'Snoozed' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Inbox 1 waiting for you/ })).toBeVisible();
  await expect(page.getByText('Snoozed until')).toBeVisible();
  const guide = page.getByRole('article', { name: /Guide wants/ });
  await guide.getByRole('button', { name: 'Deny with a reason…' }).click();
  await guide.getByLabel('Reason').fill('Not in this folder');
  await guide.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(page.getByText('“Not in this folder”')).toBeVisible();
  expect(answersOf(host).at(-1)).toMatchObject({ answer: { type: 'deny', reason: 'Not in this folder' } });
});

test('A question answered elsewhere shows the answer', async ({ page, open }) => {
  const { host } = await open({ approvals: [approval('ap1'), command('ap2', 'rm old.md')] }, '#/inbox');
  await settle(page);
  await expect(page.getByRole('article', { name: /Guide wants/ })).toBeVisible();
  host.consent.settle('ap2', { type: 'deny', reason: '' }, 'terminal');
  await expect(page.getByText('Denied in the terminal: Scribe')).toBeVisible();
});

test('A concurrent answer from elsewhere is shown instead of an error', async ({ page, open }) => {
  const { host } = await open({ approvals: [approval('ap1')] }, '#/inbox');
  await settle(page);
  const patch = host.feed.patch.bind(host.feed);
  // Delays patches, so that the page does not know the change yet.
  const late: (() => void)[] = [];
  host.feed.patch = (topic, ...ops) => {
    if (topic !== 'approvals') return patch(topic, ...ops);
    const before = host.feed.read<{ waiting: Record<string, unknown> }>('approvals');
    before.waiting = {};
    late.push(() => patch(topic, ...ops));
  };
  host.consent.settle('ap1', { type: 'deny', reason: '' }, 'terminal');
  await page.getByRole('button', { name: 'Allow once' }).click();
  for (const tell of late) tell();
  await expect(
    page.getByText('Someone else already answered. Denied in the terminal: Guide wants to write'),
  ).toBeVisible();
});

test('The history can be filtered and shows receipts; a grant can be revoked', async ({ page, open }) => {
  const { host } = await open({ decided: decided(), grants: grants(), agents: busyAgents() }, '#/inbox');
  await page.getByRole('tab', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Answered questions' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Keep them until Friday');
  await page.getByLabel('Answer', { exact: true }).selectOption('Denied');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Answer', { exact: true }).selectOption('Any answer');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Agent', { exact: true }).selectOption('Guide');
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText('Always allowed: anything matching');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.getByText('Used 14 times')).toBeVisible();
  await page.getByRole('button', { name: 'Remove permission write_file(notes/*) of Guide' }).click();
  await expect(page.getByText('Guide asks again before it does this.')).toBeVisible();
  expect(host.consent.grants.map((grant) => grant.id)).toEqual(['gr_2']);
});

for (const [name, hash] of [
  ['home', '#/home'],
  ['the thread it came from', '#/chat/ch_general'],
  ['the agent’s page', '#/agents/guide'],
] as const)
  test(`The same card is shown on ${name} and can be answered there`, async ({ page, open }) => {
    const { host } = await open({ approvals: [approval('ap1')], messages: conversation() }, hash);
    const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
    await expect(card).toHaveCount(1);
    await settle(page);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText('Allowed once in the window')).toBeVisible();
    expect(answersOf(host)).toHaveLength(1);
  });

test('A tall card keeps requester, title and the focused button in view', async ({ page, open }) => {
  const long = approval('ap1', { preview: { kind: 'diff', body: longChange } });
  await open({ approvals: [long, command('ap2', 'rm old.md')] }, '#/inbox');
  const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
  const deny = card.getByRole('button', { name: 'Deny', exact: true });
  for (const [width, height] of [
    [1280, 800],
    [900, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.reload();
    await expect(deny).toBeFocused();
    await expect(card.getByText('wants to write hello.md').first()).toBeInViewport({ ratio: 1 });
    await expect(deny).toBeInViewport({ ratio: 1 });
  }
});

test('A budget question states the used budget and what approval adds', async ({ page, open }) => {
  const spending = approval('ap1', {
    kind: 'spending',
    subject: 'spend_more',
    where: '',
    sandbox: null,
    roomId: null,
    threadRootId: null,
    title: 'has used its budget of $1.00 for today. Let it spend another $1.00 today?',
    preview: { kind: 'text', body: 'Used: $1.02 of $1.00 today\nIf you allow it: another $1.00 today, once' },
    argsJson: '{"amount":1,"limit":"usdPerDay","period":"2026-11-21","whose":"guide"}',
    why: 'It asks because only you can approve spending beyond a budget. The budget itself does not change.',
    offers: [{ scope: 'once', rule: 'another $1.00 today' }],
  });
  await open({ approvals: [spending] }, '#/inbox');
  const name = 'Guide has used its budget of $1.00 for today. Let it spend another $1.00 today?';
  const card = page.getByRole('article', { name });
  await expect(card).toContainText('If you allow it: another $1.00 today, once');
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Allow more…' })).toHaveCount(0);
});
