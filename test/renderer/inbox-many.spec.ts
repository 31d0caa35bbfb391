/** Many approvals at once, a single one, receipts opened again, and all of it in German. */
import { approval, command, decided } from './ask-data.ts';
import { busyAgents } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, settle, test } from './open-page.ts';

const decides = (host: FakeHost) =>
  host.calls.filter((call) => call.method === 'approvals.decide').map((call) => call.input as { id: string });

const threeAlike = () => [
  command('ap1', 'rm old.md', { createdAt: 3000 }),
  command('ap2', 'rm older.md', { title: 'wants to delete older.md', createdAt: 4000 }),
  command('ap3', 'rm oldest.md', { title: 'wants to delete oldest.md', createdAt: 5000 }),
];

test('Similar questions are grouped; each is allowed alone, and all are denied after a confirmation', async ({
  page,
  open,
}) => {
  const { host } = await open({ approvals: [...threeAlike(), approval('ap4')] }, '#/inbox');
  const group = page.getByRole('region', { name: /3 questions of this kind/ });
  await expect(group.getByText('bash_exec(rm …)')).toBeVisible();
  await expect(group.getByRole('article')).toHaveCount(1);
  await expect(group.getByRole('button', { name: /Allow.*all/i })).toHaveCount(0);
  await settle(page);
  await group.getByRole('button', { name: 'Show: wants to delete oldest.md' }).click();
  const shown = group.getByRole('article', { name: 'Scribe wants to delete oldest.md' });
  await expect(shown.getByRole('button', { name: 'Deny', exact: true })).toBeFocused();
  await settle(page);
  await shown.getByRole('button', { name: 'Allow once' }).click();
  await expect(page.getByText('Allowed once in the window: Scribe wants to delete oldest.md')).toBeVisible();
  await page.getByRole('button', { name: 'Deny all 2…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Deny all 2 of these questions?');
  await dialog.getByLabel('Reason').fill('Keep them');
  await dialog.getByRole('button', { name: 'Deny all' }).click();
  await expect(page.getByText('2 questions were denied.')).toBeVisible();
  expect(decides(host).map(({ id }) => id)).toEqual(['ap3', 'ap1', 'ap2']);
  expect(decides(host).at(-1)).toMatchObject({
    digest: 'digest-of-ap2',
    answer: { type: 'deny', reason: 'Keep them' },
  });
  await expect(page.getByRole('article', { name: /Guide wants/ })).toBeVisible();
});

test('The inbox filters questions by text, agent and kind', async ({ page, open }) => {
  await open({ approvals: [...threeAlike(), approval('ap4')], agents: busyAgents() }, '#/inbox');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  await page.getByLabel('Find').fill('HELLO.md');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Kind').selectOption('Spending');
  await expect(page.getByText('No questions match.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Agent', { exact: true }).selectOption('Scribe');
  await expect(page.getByRole('article', { name: /Guide/ })).toHaveCount(0);
});

test('The history is searched on the host, and a receipt can be verified there', async ({ page, open }) => {
  const { host } = await open({ decided: decided(), agents: busyAgents() }, '#/inbox');
  await page.getByRole('tab', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Answered questions' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Find').fill('drafts');
  await expect(rows).toHaveCount(1);
  expect(host.calls.findLast((call) => call.method === 'approvals.list')?.input).toMatchObject({
    state: 'decided',
    text: 'drafts',
  });
  await rows.first().getByRole('button').click();
  await page.getByRole('button', { name: 'Check signature' }).click();
  await expect(page.getByText('Valid: this host signed this answer.')).toBeVisible();
  host.consent.receiptCheck = { ok: false, problem: 'The signature does not fit what the receipt says.' };
  await page.getByRole('button', { name: 'Check signature' }).click();
  await expect(page.getByText('Not valid: The signature does not fit')).toBeVisible();
});

test('The approval window shows one question with the safe answer focused, then receipt and next question', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 460, height: 420 });
  const { host } = await open(
    { approvals: [approval('ap1'), command('ap2', 'rm old.md')] },
    '#/approval/ap1',
  );
  const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
  await expect(card.getByRole('button', { name: 'Deny', exact: true })).toBeFocused();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page).toHaveTitle('A question from Guide');
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider).toBe(false);
  await settle(page);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(page.getByText('Allowed once in the window')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close this window' })).toBeVisible();
  await page.getByRole('link', { name: 'Next question (1 more)' }).click();
  await expect(page.getByRole('article', { name: /Scribe wants/ })).toBeVisible();
  host.consent.settle('ap2', { type: 'deny', reason: '' }, 'terminal');
  await expect(page.getByText('Denied in the terminal')).toBeVisible();
  await page.goto(`${page.url().split('#')[0]}#/approval/gone`);
  await expect(page.getByText('This question is no longer open')).toBeVisible();
});

test('The inbox is shown in German', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await open({ approvals: [approval('ap1')], decided: decided() }, '#/inbox');
  await expect(page.getByRole('heading', { name: 'Eingang' })).toBeVisible();
  const card = page.getByRole('article');
  await expect(card.getByRole('button', { name: 'Ablehnen', exact: true })).toBeFocused();
  await expect(card).toContainText('Guide wartet auf dich. Ohne Antwort wird es in');
  await page.getByRole('tab', { name: 'Verlauf' }).click();
  await expect(page.getByText('Immer erlaubt: alles Passende im Terminal')).toBeVisible();
});
