/**
 * Agents with tools in the real app: approvals before writing, the brake, steering, and a crash in a turn.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { call, expect, killApp, slugOf, test, tryItNow } from './open-app.ts';

const soon = { timeout: 20_000 };
/** A card ignores answers for its first half second. */
const settle = (page: Page): Promise<void> => expect(page.locator('[data-deaf]')).toHaveCount(0, soon);

const written = (home: string, name: string): string | null => {
  const file = path.join(home, 'agents', 'guide', 'workspace', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

async function openGuide(page: Page): Promise<Locator> {
  const slug = await slugOf(page, 'guide');
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/chat/${encodeURIComponent(`dm:${slug}`)}`,
  );
  const composer = page.getByLabel('Message Guide');
  await expect(composer).toBeVisible(soon);
  return composer;
}

async function write(composer: Locator, text: string): Promise<void> {
  await composer.fill(text);
  await composer.press('Enter');
}

/** The card in its message. Until that arrives, the card appears below all messages; then it appears anew. */
const cardOf = (page: Page, file: string): Locator =>
  page.getByLabel('Message from Guide').getByRole('article', { name: `Guide wants to write ${file}` });

const saidBy = (page: Page, name: string, text: string | RegExp): Locator =>
  page.getByLabel(`Message from ${name}`).filter({ hasText: text }).last();

test('Guide asks before it writes and follows Allow, Deny, and a "y" in the chat', async ({ open }) => {
  const { page, home, errors } = await open();
  await tryItNow(page);
  const composer = await openGuide(page);

  await write(composer, 'write hello.md');
  const card = cardOf(page, 'hello.md');
  await expect(card).toContainText('Written by a script', soon);
  expect(written(home, 'hello.md')).toBeNull();
  await page.screenshot({ path: 'test-results/screens/ask-light.png' });
  await settle(page);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(saidBy(page, 'Guide', 'is in my workspace now, 3 lines')).toBeVisible(soon);
  await expect(page.getByText('Allowed once in the window: Guide wants to write hello.md')).toBeVisible();
  expect(written(home, 'hello.md')).toContain('# hello');

  await write(composer, 'write second.md and more');
  await expect(cardOf(page, 'second.md')).toBeVisible(soon);
  await settle(page);
  await cardOf(page, 'second.md').getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(saidBy(page, 'Guide', 'stays unwritten')).toBeVisible(soon);
  expect(written(home, 'second.md')).toBeNull();

  await write(composer, 'write third.md by word');
  await expect(cardOf(page, 'third.md')).toBeVisible(soon);
  const room = `dm:${await slugOf(page, 'guide')}`;
  const { messages } = await call(page, 'chat.history', { room, limit: 20 });
  const question = messages.findLast((message) => message.asks !== null);
  await call(page, 'chat.send', { to: room, text: 'y', threadRootId: question?.id ?? '' });
  await expect(saidBy(page, 'Guide', 'third.md is in my workspace now')).toBeVisible(soon);
  await expect(page.getByText('Allowed once in the chat: Guide wants to write third.md')).toBeVisible();
  await expect(page.getByText('Guide took it as your answer')).toBeVisible(soon);
  expect(errors).toEqual([]);
});

test('An "always allow" answer skips later requests until it is revoked', async ({ open }) => {
  const { page, home } = await open();
  await tryItNow(page);
  const composer = await openGuide(page);
  await write(composer, 'write one.md x');
  await expect(cardOf(page, 'one.md')).toBeVisible(soon);
  await settle(page);
  await cardOf(page, 'one.md').getByRole('button', { name: 'Allow more…' }).click();
  await page.getByRole('button', { name: 'Always allow anything matching' }).click();
  await expect(saidBy(page, 'Guide', 'one.md is in my workspace now')).toBeVisible(soon);
  await write(composer, 'write two.md x');
  await expect(saidBy(page, 'Guide', 'two.md is in my workspace now')).toBeVisible(soon);
  expect(written(home, 'two.md')).toBe('x\n');

  await page.keyboard.press('Alt+4');
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.getByText('Used 1 time')).toBeVisible();
  await page.getByRole('button', { name: /^Remove permission write_file/ }).click();
  await expect(
    page.getByText('No permissions yet. Answers that you allow for longer than once appear here.'),
  ).toBeVisible();
  await write(await openGuide(page), 'write three.md x');
  await expect(cardOf(page, 'three.md')).toBeVisible(soon);
  expect(written(home, 'three.md')).toBeNull();
});

test('The brake pauses agents that answer each other; a click or a message continues them', async ({
  open,
}) => {
  const { page } = await open();
  await tryItNow(page);
  const composer = page.getByLabel('Message #general');
  await write(composer, `@${await slugOf(page, 'guide')} ask ${await slugOf(page, 'checker')} about lunch`);
  const note = page.locator('.brake-note');
  await expect(note).toContainText('Paused after 9 agent messages in a row', { timeout: 40_000 });
  await note.getByRole('button', { name: 'Continue' }).click();
  await expect(note).toContainText('Paused after 19 agent messages in a row', { timeout: 40_000 });
  const room = (await call(page, 'chat.rooms', {})).rooms;
  const channel = Object.values(room).find((one) => one.kind === 'channel')?.id ?? '';
  const { messages } = await call(page, 'chat.history', { room: channel, limit: 50 });
  const root = messages.findLast((message) => message.threadRootId !== null)?.threadRootId ?? '';
  await call(page, 'chat.send', { to: channel, text: 'continue', threadRootId: root });
  const rounds = async (): Promise<number> =>
    (await call(page, 'chat.history', { room: channel, limit: 100 })).messages.filter((message) =>
      / round \d+:/.test(message.text),
    ).length;
  await expect.poll(rounds, { timeout: 40_000 }).toBeGreaterThan(20);
  await expect(note).toBeVisible({ timeout: 40_000 });
});

test('A message sent during a turn steers it, and Stop ends a turn without a reply', async ({ open }) => {
  const { page } = await open();
  await tryItNow(page);
  const composer = await openGuide(page);
  await write(composer, 'slow');
  await expect(page.getByText('A message you send now steers it.')).toBeVisible(soon);
  await write(composer, 'echo into the same turn');
  await expect(saidBy(page, 'Guide', 'into the same turn')).toBeVisible({ timeout: 60_000 });

  await write(composer, 'work 50');
  await page.getByRole('button', { name: 'Stop Guide' }).click({ timeout: 20_000 });
  await expect(page.getByText('You stopped Guide. Nothing of this turn was sent.')).toBeVisible(soon);
  await expect(page.getByText('That was 50 steps')).toHaveCount(0);
  await expect(page.getByLabel('Working here')).toHaveCount(0, soon);
});

test('An approval request survives an app crash, and its answer takes effect after the next start (F25)', async ({
  open,
}) => {
  const first = await open();
  await tryItNow(first.page);
  await write(await openGuide(first.page), 'write hello.md');
  await expect(cardOf(first.page, 'hello.md')).toBeVisible(soon);
  await killApp(first);

  const { page, home } = await open(first.home);
  await openGuide(page);
  await expect(cardOf(page, 'hello.md')).toBeVisible(soon);
  await expect(cardOf(page, 'hello.md')).toHaveCount(1);
  expect(written(home, 'hello.md')).toBeNull();
  await settle(page);
  await cardOf(page, 'hello.md').getByRole('button', { name: 'Allow once' }).click();
  await expect(saidBy(page, 'Guide', 'is in my workspace now, 3 lines')).toBeVisible(soon);
  expect(written(home, 'hello.md')).toContain('# hello');
});

test('An app killed in the middle of a long turn finishes the turn after the next start', async ({
  open,
}) => {
  const first = await open();
  await tryItNow(first.page);
  await write(await openGuide(first.page), 'work 30');
  await expect(first.page.getByLabel('Working here')).toBeVisible(soon);
  await killApp(first);

  const { page } = await open(first.home);
  await openGuide(page);
  const answers = page.getByLabel('Message from Guide').filter({ hasText: 'That was 30 steps' });
  await expect(answers).toHaveCount(1, { timeout: 40_000 });
});
