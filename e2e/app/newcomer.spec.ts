/** The first minutes of a newcomer in the real app, who types and presses only what the screen suggests. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { createLocalModelServer, streamText } from '../../test/fakes/local-model-server.ts';
import { expect, test } from './open-app.ts';

const soon = { timeout: 20_000 };

async function write(page: Page, text: string): Promise<void> {
  const composer = page.getByLabel('Message #general');
  await composer.fill(text);
  await composer.press('Enter');
}

const rail = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();

const saidBy = (page: Page, name: string, text: string | RegExp): Locator =>
  page.getByLabel(`Message from ${name}`).filter({ hasText: text }).last();

/** The card in its message. Until that arrives, the card appears below all messages; then it appears anew. */
const cardOf = (page: Page, file: string): Locator =>
  page.getByLabel('Message from Guide').getByRole('article', { name: `Guide wants to write ${file}` });

/** A card ignores answers for its first half second. */
async function answer(card: Locator, button: string): Promise<void> {
  await expect(card).toBeVisible(soon);
  await expect(card).not.toHaveAttribute('data-deaf', 'true', soon);
  await card.getByRole('button', { name: button, exact: true }).click();
}

test('The demo is walked from the wizard to its removal by what the screen suggests', async ({ open }) => {
  test.setTimeout(180_000);
  const { page, home, errors } = await open();
  const file = path.join(home, 'agents/guide/workspace/hello.md');

  await test.step('Try it now opens a room with an encrypted greeting', async () => {
    await page.getByRole('button', { name: 'Try it now' }).click();
    await expect(saidBy(page, 'Guide', 'Write here, and I answer.')).toBeVisible(soon);
    await expect(page.getByRole('button', { name: 'end-to-end encrypted' })).toBeVisible();
  });

  await test.step('What the server sees is ciphertext from its own store', async () => {
    await expect(saidBy(page, 'Guide', 'Turn on What the server sees')).toBeVisible(soon);
    await page.getByRole('radio', { name: 'What the server sees' }).click();
    await expect(page.getByRole('heading', { name: 'This is all the server has' })).toBeVisible(soon);
    await expect(page.locator('.sealed').first()).toContainText('msg_');
    await page.getByRole('radio', { name: 'What you see' }).click();
  });

  await test.step('Guide asks before it writes; yes and no are both followed', async () => {
    await write(page, '@Guide write hello.md');
    const card = cardOf(page, 'hello.md');
    await expect(card).toContainText('Written by a script', soon);
    expect(existsSync(file)).toBe(false);
    await answer(card, 'Allow once');
    await expect(saidBy(page, 'Guide', 'hello.md is in my workspace now')).toBeVisible(soon);
    expect(readFileSync(file, 'utf8')).toContain('# hello');
    await write(page, '@Guide write second.md');
    await answer(cardOf(page, 'second.md'), 'Deny');
    await expect(saidBy(page, 'Guide', 'stays unwritten')).toBeVisible(soon);
  });

  await test.step('Undo beside the step takes the file back', async () => {
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => existsSync(file), soon).toBe(false);
  });

  await test.step('Agents that only answer each other are paused, with a button', async () => {
    await write(page, '@Guide ask Checker about lunch');
    await expect(page.locator('.brake-note')).toContainText('Paused after 9 agent messages in a row', {
      timeout: 40_000,
    });
    await expect(page.locator('.brake-note').getByRole('button', { name: 'Continue' })).toBeVisible();
  });

  await test.step('At its budget Guide waits, and continues once it may spend more', async () => {
    await rail(page, 'Agents');
    await page.locator('.agent-row', { hasText: 'Guide' }).click();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('radio', { name: 'Usage' }).click();
    await expect(page.getByText('simulated prices').first()).toBeVisible(soon);
    await page.getByRole('button', { name: 'Set a budget' }).click();
    await page.locator('input').and(page.getByLabel('Tokens a day')).fill('1');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await expect(page.getByText('used up').first()).toBeVisible(soon);
    await rail(page, 'Chat');
    await write(page, '@Guide echo more');
    await rail(page, 'Inbox');
    await answer(page.getByRole('article', { name: /Guide has used its budget/ }), 'Allow once');
    await rail(page, 'Chat');
    await expect(saidBy(page, 'Guide', 'more')).toBeVisible(soon);
  });

  await test.step('Invite your team opens from the first steps', async () => {
    await rail(page, 'Home');
    await page.locator('.first-step', { hasText: 'Invite someone' }).getByRole('button').click();
    await expect(page.getByRole('dialog', { name: /^Invite to/ })).toBeVisible(soon);
    await page.keyboard.press('Escape');
  });

  await test.step('Remove demo deletes everything that it made', async () => {
    await page.getByRole('button', { name: 'Remove demo…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove demo' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome to Kennel' })).toBeVisible(soon);
    expect(existsSync(path.join(home, 'agents/guide'))).toBe(false);
  });
  expect(errors).toEqual([]);
});

test('A newcomer with a key reaches the answer of a real model', async ({ open }) => {
  const asked: string[] = [];
  const server = await createLocalModelServer({
    'GET /v1/models': { data: [{ id: 'tiny-1' }] },
    'POST /v1/chat/completions': (response, body) => {
      asked.push(body);
      streamText(response, 'I am a model, and I can help you write.');
    },
  });
  try {
    const { page, home, errors } = await open();
    const began = Date.now();
    await page.getByRole('button', { name: 'Try it now' }).click();
    await expect(saidBy(page, 'Guide', 'a scripted helper')).toBeVisible(soon);
    await rail(page, 'Home');
    await page.getByRole('button', { name: /^Choose a model/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Which model should Guide use?' });
    await dialog.getByLabel('Provider').selectOption('Another OpenAI-compatible server');
    await dialog.getByLabel('Base URL').fill(`${server.url}/v1`);
    await dialog.getByLabel('API key').fill('sk-in-hand');
    await dialog.getByRole('button', { name: 'Use it and ask a question' }).click();
    await expect(saidBy(page, 'Guide', 'I am a model, and I can help you write.')).toBeVisible(soon);
    console.log(`from the wizard to a model's answer: ${Date.now() - began} ms`);
    expect(asked.at(-1)).toContain('tiny-1');
    expect(readFileSync(path.join(home, 'agents/guide/agent.yml'), 'utf8')).not.toContain('sk-in-hand');
    await expect(page.locator('.message', { hasText: 'I am a model' }).getByText('scripted')).toHaveCount(0);
    await rail(page, 'Home');
    await expect(page.getByText('1 of 5 done')).toBeVisible(soon);
    expect(errors).toEqual([]);
  } finally {
    await server.stop();
  }
});
