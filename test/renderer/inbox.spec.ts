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

test('the keyboard alone finds the question and allows it once; the receipt stands in its place', async ({
  page,
  open,
}) => {
  const { host } = await open({ approvals: [approval('ap1')] }, '#/home');
  await expect(page.getByRole('button', { name: /Inbox 1 question/ })).toBeVisible();
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

test('Enter on what just appeared answers nothing for half a second, nor does a held key or a click', async ({
  page,
  open,
}) => {
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

test('after an answer the next question has the focus and is deaf again', async ({ page, open }) => {
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

test('what does not fit must be scrolled to its end before it can be allowed; denying is always possible', async ({
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

test('a question whose content changed is a new question: unread, and deaf for its half second', async ({
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

test('T8: characters that hide or reorder are shown in the command, and the order is the true one', async ({
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

test('T14: a card shows where each path really leads, and each program with all its arguments', async ({
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

test('T8: a preview that was cut can be denied and nothing else', async ({ page, open }) => {
  const preview = { kind: 'diff', body: '+a', cut: true } as const;
  await open({ approvals: [approval('ap1', { preview })] }, '#/inbox');
  await expect(page.getByText('too large to be shown whole')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deny', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Allow/ })).toHaveCount(0);
});

test('a rule is shown before it is stored, and Undo takes it back', async ({ page, open }) => {
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

test('a reason goes with the denial; not now puts the question off and takes it out of the count', async ({
  page,
  open,
}) => {
  const { host } = await open({ approvals: [approval('ap1'), command('ap2', 'rm old.md')] }, '#/inbox');
  await settle(page);
  const scribe = page.getByRole('article', { name: /Scribe wants/ });
  await scribe.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('heading', { name: 'Snoozed' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Inbox 1 question/ })).toBeVisible();
  await expect(page.getByText('Snoozed until')).toBeVisible();
  const guide = page.getByRole('article', { name: /Guide wants/ });
  await guide.getByRole('button', { name: 'Deny with a reason…' }).click();
  await guide.getByLabel('Reason').fill('Not in this folder');
  await guide.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(page.getByText('“Not in this folder”')).toBeVisible();
  expect(answersOf(host).at(-1)).toMatchObject({ answer: { type: 'deny', reason: 'Not in this folder' } });
});

test('a question that somebody else answered says so kindly and shows what was answered', async ({
  page,
  open,
}) => {
  const { host } = await open({ approvals: [approval('ap1'), command('ap2', 'rm old.md')] }, '#/inbox');
  await settle(page);
  await expect(page.getByRole('article', { name: /Guide wants/ })).toBeVisible();
  host.consent.settle('ap2', { type: 'deny', reason: '' }, 'terminal');
  await expect(page.getByText('Denied in the terminal: Scribe')).toBeVisible();
});

test('a lost race shows the other answer, not an error', async ({ page, open }) => {
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
  await expect(page.getByText('Someone else already answered.')).toBeVisible();
  await expect(page.getByText('Denied in the terminal')).toBeVisible();
});

test('history is filtered and opens the receipt; a standing permission is revoked', async ({
  page,
  open,
}) => {
  const { host } = await open({ decided: decided(), grants: grants(), agents: busyAgents() }, '#/inbox');
  await page.getByRole('tab', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Answered questions' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Keep them until Friday');
  await page.getByLabel('Answer', { exact: true }).selectOption('Denied');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Answer', { exact: true }).selectOption('Any answer');
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
  test(`the same card stands on ${name} and can be answered there`, async ({ page, open }) => {
    const { host } = await open({ approvals: [approval('ap1')], messages: conversation() }, hash);
    const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
    await expect(card).toHaveCount(1);
    await settle(page);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText('Allowed once in the window')).toBeVisible();
    expect(answersOf(host)).toHaveLength(1);
  });

test('a high card shows who asks and what for, not only the button with the focus', async ({
  page,
  open,
}) => {
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

test('a budget that is used up is asked about in a whole sentence, with what a yes is worth', async ({
  page,
  open,
}) => {
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
    why: 'It asks because nothing more is spent beyond a budget without you. The budget stays as it is.',
    offers: [{ scope: 'once', rule: 'another $1.00 today' }],
  });
  await open({ approvals: [spending] }, '#/inbox');
  const name = 'Guide has used its budget of $1.00 for today. Let it spend another $1.00 today?';
  const card = page.getByRole('article', { name });
  await expect(card).toContainText('If you allow it: another $1.00 today, once');
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Allow more…' })).toHaveCount(0);
});
