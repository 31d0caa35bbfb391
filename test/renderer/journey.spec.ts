/** The first minutes of a user, by mouse and by keyboard alone. */

import { textError } from '../../src/contract/errors.ts';
import { busyAgents, conversation, demoRooms, message, room } from './fake-data.ts';
import { inviteToGarden } from './fake-spaces.ts';
import { expect, nextPaint, test } from './open-page.ts';

const firstRun = {
  host: { firstRun: true, demo: false, relay: { embedded: false, url: null }, operator: null },
  agents: {},
  messages: [],
  rooms: { ...demoRooms(), rooms: {} },
};

test("Enter on the first question creates the demo and opens the room with Guide's greeting", async ({
  page,
  open,
}) => {
  const { host } = await open(firstRun);
  await expect(page.getByRole('radio', { name: /Try it now/ })).toBeChecked();
  await expect(page.getByRole('radio', { name: /Try it now/ })).toBeFocused();
  expect(host.calls, 'nothing is asked of the host before a choice').toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Setting things up')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'general', exact: true })).toBeVisible();
  await expect(page.getByText('a scripted helper, not a language model')).toBeVisible();
  await expect(page.getByText('end-to-end encrypted')).toBeVisible();
  await expect(page.locator('.message').getByText('scripted', { exact: true })).toBeVisible();
});

test('A failed demo setup shows the error and keeps the question open', async ({ page, open }) => {
  const { host } = await open(firstRun);
  host.failing.set(
    'setup.tryDemo',
    textError('disk_full', 'The disk is full. Nothing was kept.', { hint: 'Free 200 MB and try again.' }),
  );
  await expect(page.getByRole('radio', { name: /Try it now/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The disk is full');
  await expect(page.getByRole('alert')).toContainText('Free 200 MB');
  await expect(page.getByRole('button', { name: 'Try it now' })).toBeEnabled();
});

test('Connecting asks for a passphrase first if there is no keychain', async ({ page, open }) => {
  await open({ ...firstRun, host: { ...firstRun.host, vault: { kind: 'none', backend: '', note: '' } } });
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('New passphrase')).toBeVisible();
  await expect(page.getByLabel('Invite code')).toBeHidden();
});

test('Connecting signs up with the typed server, invite code and name', async ({ page, open }) => {
  const { host } = await open({
    ...firstRun,
    host: { ...firstRun.host, vault: { kind: 'keychain', backend: 'gnome', note: '' } },
  });
  host.failing.set('setup.signUp', textError('forbidden', 'The server does not know this invite code.'));
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.keyboard.press('Enter');
  await page.getByLabel('Invite code').fill('https://chat.example.org/#invite=K7-22');
  await expect(page.getByLabel('Server')).toHaveValue('https://chat.example.org');
  await expect(page.getByLabel('Invite code')).toHaveValue('K7-22');
  await page.getByLabel('User name').fill('ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('does not know this invite code');
  expect(host.calls.findLast(({ method }) => method === 'setup.signUp')).toEqual({
    method: 'setup.signUp',
    input: { serverUrl: 'https://chat.example.org', inviteCode: 'K7-22', username: 'ada' },
  });
});

test('Connecting by a link into a space fills server and code, and joins the space', async ({
  page,
  open,
}) => {
  const { host } = await open({
    ...firstRun,
    host: { ...firstRun.host, vault: { kind: 'keychain', backend: 'gnome', note: '' } },
  });
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.keyboard.press('Enter');
  await page.getByLabel('Invite code').fill(inviteToGarden);
  await expect(page.getByLabel('Server')).toHaveValue('https://chat.example.org');
  await page.getByLabel('User name').fill('eva');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.calls.filter(({ method }) => method === 'links.join'))
    .toEqual([{ method: 'links.join', input: { link: inviteToGarden, username: 'eva' } }]);
  expect(host.calls.filter(({ method }) => method === 'setup.signUp')).toEqual([]);
});

test('A reply streams under its question and is replaced by the sealed message', async ({ page, open }) => {
  await open({ wordMs: 60 }, '#/chat/ch_general');
  await page.getByLabel('Message #general').fill('What do you know?');
  await page.keyboard.press('Enter');
  const draft = page.locator('.is-draft');
  await expect(draft).toHaveAttribute('aria-busy', 'true');
  await expect(draft).toContainText('You wrote that');
  await expect(draft).not.toContainText('That is all I know');
  await expect(page.getByText('Guide is working on it')).toBeVisible();
  await expect(page.getByText('Checker did not answer: it wasn’t mentioned')).toBeVisible();
  await expect(page.getByText('That is all I know.', { exact: true })).toBeVisible();
  await expect(draft).toHaveCount(0);
  await expect(page.getByText('Guide answered')).toBeVisible();
  await expect(page.locator('.thread-fold')).toContainText('kennel agent list');
  await expect(page.getByLabel('Message #general')).toHaveValue('');
});

test('Finished messages are neither parsed nor rendered again while a reply streams', async ({
  page,
  open,
}) => {
  await page.addInitScript(() => {
    const seen = window as unknown as { parsed: number };
    seen.parsed = 0;
    const original = String.prototype.replace;
    String.prototype.replace = function (this: string, ...rest: never[]) {
      if (String(this).startsWith('I follow a short script')) seen.parsed += 1;
      return Reflect.apply(original, this, rest) as string;
    } as typeof original;
  });
  await open({ wordMs: 30, messages: conversation() }, '#/chat/ch_general');
  await page.getByText('Nobody yet').waitFor();
  await page.evaluate(() => {
    const seen = window as unknown as { changes: number; parsed: number; drafts: number };
    seen.changes = 0;
    seen.parsed = 0;
    seen.drafts = 0;
    // A draft may come and go between two looks of the test.
    new MutationObserver(() => {
      seen.drafts += document.querySelectorAll('.is-draft').length;
    }).observe(document.body, { subtree: true, childList: true });
    const old = [...document.querySelectorAll('.thread-block')].slice(0, 3);
    for (const block of old)
      new MutationObserver((list) => {
        seen.changes += list.length;
      }).observe(block, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await page.getByLabel('Message #general').fill('and now?');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { drafts: number }).drafts))
    .toBeGreaterThan(0);
  await expect(page.locator('.is-draft')).toHaveCount(0);
  const after = await page.evaluate(() => {
    const { changes, parsed } = window as unknown as { changes: number; parsed: number };
    return { changes, parsed };
  });
  expect(after).toEqual({ changes: 0, parsed: 0 });
});

test('Shift+Enter adds a new line; text that could not be sent stays in the box', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  const box = page.getByLabel('Message #general');
  await box.pressSequentially('one');
  await page.keyboard.press('Shift+Enter');
  await box.pressSequentially('two');
  await expect(box).toHaveValue('one\ntwo');
  host.failing.set('chat.send', textError('disk_full', 'The disk is full, so the message was not stored.'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Your text is still below');
  await expect(box).toHaveValue('one\ntwo');
});

test('Unsent text stays in its room when switching pages', async ({ page, open }) => {
  await open({}, '#/chat/ch_general');
  await page.getByLabel('Message #general').fill('half a thought');
  await page.getByRole('button', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Chat' }).click();
  await expect(page.getByLabel('Message #general')).toHaveValue('half a thought');
});

test(`"What the server sees" shows the relay's rows without the message text`, async ({ page, open }) => {
  const { host } = await open({ messages: conversation() }, '#/chat/ch_general');
  await page.getByRole('button', { name: 'end-to-end encrypted' }).click();
  const sealed = page.locator('.sealed');
  await expect(sealed).toHaveCount(conversation().length);
  await expect(sealed.first()).toContainText('@guide-1c2d');
  await expect(sealed.first()).toContainText('for 3 devices');
  // The inner text of rows that are not painted yet is empty.
  expect(await sealed.allTextContents().then((all) => all.join(' '))).not.toContain('picnic');
  expect(
    await page
      .locator('.opened')
      .allTextContents()
      .then((all) => all.join(' ')),
  ).toContain('picnic');
  expect(host.calls.some((call) => call.method === 'chat.serverView')).toBe(true);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Message #general')).toBeVisible();
});

test('A thread opens on the right, accepts a reply and closes with Escape', async ({ page, open }) => {
  const { host } = await open({ messages: conversation() }, '#/chat/ch_general');
  await page.getByRole('button', { name: '1 earlier reply' }).click();
  const pane = page.getByRole('complementary', { name: 'Thread' });
  await expect(pane.getByText('the meadow behind the office')).toBeVisible();
  await pane.getByLabel('Reply in this thread').fill('I bring it.');
  await page.keyboard.press('Enter');
  await expect(pane.locator('.message').getByText('I bring it.')).toBeVisible();
  expect(host.calls.findLast(({ method }) => method === 'chat.send')?.input).toMatchObject({
    to: 'ch_general',
    text: 'I bring it.',
    threadRootId: 'msg_q2',
  });
  await expect(pane.getByText('That is all I know.', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pane).toHaveCount(0);
});

test('Mentions are suggested and inserted by name', async ({ page, open }) => {
  await open({}, '#/chat/ch_general');
  const box = page.getByLabel('Message #general');
  await box.pressSequentially('ask @che');
  await expect(page.getByRole('option', { name: /Checker/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('ask @Checker ');
});

test('Text typed right after a chosen mention is placed behind it', async ({ page, open }) => {
  await open({}, '#/chat/ch_general');
  const box = page.getByLabel('Message #general');
  await box.pressSequentially('@che');
  await expect(page.getByRole('option', { name: /Checker/ })).toBeVisible();
  // Two key events within one frame, as fast typing sends them.
  await page.evaluate(() => {
    const area = document.querySelector('textarea');
    area?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    for (const letter of 'help') document.execCommand('insertText', false, letter);
  });
  await nextPaint(page);
  await page.keyboard.type('!');
  await expect(box).toHaveValue('@Checker help!');
});

test('A soul can be edited, previewed, compared and saved', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/guide');
  await page.getByRole('tab', { name: 'Personality' }).click();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  const text = page.getByLabel('Soul, in Markdown');
  await text.fill((host.souls.guide ?? '').replace('You ask instead.', 'You ask, **kindly**.'));
  await expect(
    page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'kindly' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Agents' }).click();
  await page.getByRole('button', { name: /Guide/ }).first().click();
  await page.getByRole('tab', { name: 'Personality' }).click();
  await expect(text, 'leaving the page keeps what was written').toHaveValue(/kindly/);
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('.is-removed')).toContainText('You ask instead.');
  await expect(dialog.locator('.is-added')).toContainText('You ask, **kindly**.');
  await expect(dialog).toContainText('1 line added, 1 line removed');
  await dialog.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('It applies from the next turn')).toBeVisible();
  expect(host.souls.guide).toContain('kindly');
  await expect(page.locator('.soul strong', { hasText: 'kindly' })).toBeVisible();
});

test('An agent can be paused and resumed; deleting asks first, with the safe answer focused', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/agents/checker');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(host.calls.some((call) => call.method === 'agents.delete')).toBe(false);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Checker was deleted.')).toBeVisible();
});

test('An API key can be saved and is never shown again', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/guide');
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByLabel('Provider').selectOption('Anthropic');
  await page.getByLabel('API key').fill('sk-test-123');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(host.calls.find((call) => call.method === 'agents.setRuntime')?.input).toMatchObject({
    apiKey: 'sk-test-123',
  });
  await expect(page.getByLabel('API key')).toHaveValue('');
  expect(await page.content()).not.toContain('sk-test-123');
});

test('An agent can be found, read and left by keyboard alone', async ({ page, open }) => {
  await open({ agents: busyAgents() }, '#/home');
  await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
  await page.keyboard.press('Alt+3');
  await page.getByLabel('Search agents').focus();
  await page.keyboard.type('sc');
  await expect(page.locator('.agent-row')).toHaveCount(1);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.agent-row').nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('.agent-row').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /Checker/ })).toBeVisible();
  await page.keyboard.press('Alt+2');
  await expect(page.getByLabel('Message #general')).toBeFocused();
});

test('A lost connection is shown, data stays visible, and the page reconnects by itself', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  host.cutLines();
  await expect(page.getByRole('alert')).toContainText('Kennel is not answering');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Message #general').fill('still there?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That is all I know.', { exact: true })).toBeVisible();
});

test('A gap in the feed is detected and repaired by a fresh snapshot', async ({ page, open }) => {
  const { host } = await open({ agents: busyAgents() }, '#/agents');
  await expect(page.locator('.agent-row')).toHaveCount(5);
  host.feed.loseOne('agents');
  host.feed.patch('agents', { op: 'set', path: ['guide', 'displayName'], value: 'Guide the Second' });
  await expect(page.getByText('Guide the Second')).toBeVisible();
  expect(host.feed.listeners('agents')).toBe(1);
});

test('Pending and failed messages say what was kept', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  const own = { ...conversation()[1]!, marks: [] };
  host.add({ ...own, id: 'msg_p', text: 'first', delivery: 'pending' });
  await expect(page.getByText('Sending… Saved on this computer')).toBeVisible();
  host.add({
    ...own,
    id: 'msg_f',
    text: 'second',
    delivery: 'failed',
    deliveryError: 'you are no longer a member',
  });
  await expect(page.getByText('Not sent: you are no longer a member. Your text is kept here.')).toBeVisible();
});

test('Theme and density change at once and are remembered', async ({ page, open }) => {
  await open({}, '#/settings/appearance');
  await page.getByRole('radio', { name: 'High contrast' }).click();
  await page.getByRole('radio', { name: 'Compact' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'contrast');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'contrast');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
});

test('The check-up lists its findings', async ({ page, open }) => {
  await open({}, '#/settings/doctor');
  await page.getByRole('button', { name: 'Run check-up' }).click();
  await expect(page.getByText('All engines agree')).toBeVisible();
  // The command of the terminal is a button here.
  await expect(page.getByText('kennel unlock')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open Security' }).click();
  await expect(page).toHaveURL(/#\/settings\/security$/);
});

test('Unread rooms are marked, and opening a room clears the mark', async ({ page, open }) => {
  const { host } = await open(
    { rooms: { ...demoRooms(), rooms: { ch_general: room('ch_general', { unread: 2 }) } } },
    '#/home',
  );
  await expect(page.getByRole('button', { name: /Chat 2 unread/ })).toBeVisible();
  await page.keyboard.press('Alt+2');
  await expect.poll(() => host.calls.some((call) => call.method === 'chat.markRead')).toBe(true);
  await expect(page.getByRole('button', { name: /Chat 2 unread/ })).toHaveCount(0);
});

test('A room whose message window restarts keeps the messages shown', async ({ page, open }) => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      message(`msg_${from + index}`, { text: `line ${from + index} end`, sentAt: from + index }),
    );
  const { host } = await open({ messages: lines(0, 20) }, '#/chat/ch_general');
  await expect(page.getByText('line 19 end')).toBeVisible();
  host.feed.patch(
    'room:ch_general',
    { op: 'set', path: ['messages'], value: lines(15, 21) },
    { op: 'set', path: ['hasMore'], value: true },
  );
  await expect(page.getByText('line 20 end', { exact: true })).toBeVisible();
  await expect(page.locator('.message')).toHaveCount(21);
  await expect(page.getByRole('button', { name: 'Show earlier messages' })).toHaveCount(0);
});
