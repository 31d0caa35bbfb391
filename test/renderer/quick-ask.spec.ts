/** The quick ask: one line, a list of agents, the answer, and nothing kept. */
import { textError } from '../../src/contract/errors.ts';
import { expectAccessible } from './axe.ts';
import { demoAgents } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';

/** The direct messages with Guide, without any. */
const fill = (host: FakeHost): void => host.putRoom('dm:guide-1c2d', []);

test('A question goes to the chosen agent as a direct message, and the answer streams in', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill }, '#/ask');
  const line = page.getByLabel('@agent question');
  await expect(line).toBeFocused();
  await expect(page.getByRole('option')).toHaveText([
    'Checkerscripted@checker-1c2d',
    'Guidescripted@guide-1c2d',
  ]);
  await takePicture(page, 'quick-ask');
  await line.pressSequentially('gui');
  await page.keyboard.press('Enter');
  await expect(line).toHaveValue('@Guide ');
  await line.pressSequentially('what can you do?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('what can you do?')).toBeVisible();
  await expect(page.getByText('only this computer could read it')).toBeVisible();
  expect(host.calls.filter(({ method }) => method === 'chat.send').map(({ input }) => input)).toEqual([
    expect.objectContaining({ to: 'dm:guide-1c2d', text: 'what can you do?' }),
  ]);
  await takePicture(page, 'quick-ask-answer');
  // The next question goes to the same agent, without its name.
  const next = page.getByLabel('Ask Guide something else');
  await expect(next).toHaveValue('');
  await next.fill('and then?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('and then?')).toBeVisible();
  await expect(page.getByText('what can you do?')).toHaveCount(0);
});

test('/new starts a conversation; further questions stay in it, and Kennel opens it', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill }, '#/ask');
  const line = page.getByLabel('@agent question');
  await line.fill('@Guide /new ');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Type a question for Guide.')).toBeVisible();
  await line.fill('@Guide /new what is new?');
  await page.keyboard.press('Enter');
  await page.getByLabel('Ask Guide something else').fill('and then?');
  await page.keyboard.press('Enter');
  const sent = () => host.calls.filter(({ method }) => method === 'chat.send').map(({ input }) => input);
  const to = 'dm:guide-1c2d~cv_made0001';
  await expect
    .poll(sent)
    .toEqual([
      expect.objectContaining({ to, text: 'what is new?' }),
      expect.objectContaining({ to, text: 'and then?' }),
    ]);
});

test('A question typed before the agents have arrived is sent once they are there', async ({
  page,
  open,
}) => {
  let arrive: () => void = () => undefined;
  const { host } = await open(
    {
      fill: (filled) => {
        fill(filled);
        arrive = filled.feed.keepBack('agents');
      },
    },
    '#/ask',
  );
  const line = page.getByLabel('@agent question');
  await line.fill('@Guide what can you do?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter sends')).toBeVisible();
  const sent = () => host.calls.filter(({ method }) => method === 'chat.send').map(({ input }) => input);
  expect(sent()).toEqual([]);
  arrive();
  await expect.poll(sent).toEqual([expect.objectContaining({ text: 'what can you do?' })]);
});

test('A question typed with its own @ after the prefilled one still goes to the named agent', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill }, '#/ask');
  await expect(page.getByRole('option')).toHaveCount(2);
  const line = page.getByLabel('@agent question');
  await line.pressSequentially('@gui');
  await page.keyboard.press('Enter');
  await expect(line).toHaveValue('@Guide ');
  await line.selectText();
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('@@Guide hello');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.calls.filter(({ method }) => method === 'chat.send').map(({ input }) => input))
    .toEqual([expect.objectContaining({ to: 'dm:guide-1c2d', text: 'hello' })]);
});

test('A question without an agent or without text is not sent, and the line says what is missing', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/ask');
  const line = page.getByLabel('@agent question');
  // The agents prefill the line when they arrive.
  await expect(line).toHaveValue('@');
  await line.fill('hello?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Start with @ and the name of an agent.')).toBeVisible();
  await line.fill('@Guide ');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Type a question for Guide.')).toBeVisible();
  expect(host.calls.filter(({ method }) => method === 'chat.send')).toEqual([]);
});

test('A question with an unknown name does not go to the agent that was asked last', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill }, '#/ask');
  await page.getByLabel('@agent question').fill('@Guide hello');
  await page.keyboard.press('Enter');
  const next = page.getByLabel('Ask Guide something else');
  await next.fill('@Nobody keep this from Guide');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No single agent has this name.')).toBeVisible();
  await expect(next).toHaveValue('@Nobody keep this from Guide');
  expect(host.calls.filter(({ method }) => method === 'chat.send')).toHaveLength(1);
});

test('A question that fails comes back, and Escape of an input method closes nothing', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill }, '#/ask');
  host.failing.set('chat.send', textError('io_error', 'The disk is full.'));
  const line = page.getByLabel('@agent question');
  await line.fill('@Guide hello');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The disk is full.')).toBeVisible();
  await expect(line).toHaveValue('@Guide hello');
  const closed = await line.evaluate((element) => {
    const closes: string[] = [];
    let now = '';
    window.close = () => void closes.push(now);
    for (now of ['composing', 'plain']) {
      const isComposing = now === 'composing';
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing }));
    }
    return closes;
  });
  expect(closed).toEqual(['plain']);
});

test('A single agent needs no name; a paused one says so and can be resumed', async ({ page, open }) => {
  const { guide } = demoAgents();
  if (guide === undefined) throw new Error('no guide');
  const { host } = await open({ agents: { guide: { ...guide, life: 'paused' } }, fill }, '#/ask');
  const line = page.getByLabel('@agent question');
  await line.fill('hello?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Guide is paused and answers when you resume it.')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => host.calls.map(({ method }) => method)).toContain('agents.resume');
  await page.getByRole('button', { name: 'Open in Kennel' }).click();
  await expect(page).toHaveURL(/#\/chat\/dm%3Aguide-1c2d$/);
});

test('The quick ask has no barriers, in dark German too', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 600, height: 420 });
  await open({ fill }, '#/ask');
  const line = page.getByLabel('@Agent Frage');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expectAccessible(page);
  await line.fill('@Guide was kannst du?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('only this computer could read it')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'quick-ask-german-dark');
});
