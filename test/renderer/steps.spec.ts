/** Tool calls in the chat: one line each, live while they run; stopping, steering, and the brake. */

import { textError } from '../../src/contract/errors.ts';
import type { LiveDraft } from '../../src/contract/model.ts';
import type { HostText } from '../../src/language/host-message.ts';
import { say } from '../../src/language/say.ts';
import { approval, step } from './ask-data.ts';
import { expectAccessible } from './axe.ts';
import { busyAgents, conversation, message, mine } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

const draft = (change: Partial<LiveDraft> = {}): LiveDraft => ({
  turnId: 't1',
  agentId: 'guide',
  slug: 'guide-1c2d',
  name: 'Guide',
  text: '',
  threadRootId: 'msg_q2',
  startedAt: Date.now(),
  steps: [],
  ...change,
});

test('A tool call is one line with its state as text, and opens into arguments and result', async ({
  page,
  open,
}) => {
  await open(
    {
      messages: [
        message('m1', {
          text: 'Done.',
          steps: [
            step('c1'),
            step('c2', { state: 'denied', title: 'write secrets.md', endedAt: null }),
            step('c3', { state: 'unknown', title: 'delete old.md', endedAt: null }),
          ],
        }),
      ],
    },
    '#/chat/ch_general',
  );
  const lines = page.getByRole('list', { name: 'What it did' }).getByRole('listitem');
  await expect(lines).toHaveCount(3);
  await expect(lines.nth(2)).toContainText('outcome unknown');
  const first = page.getByRole('button', { name: 'done: wrote hello.md, 3 lines' });
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrote 3 lines.')).toBeVisible();
  await expect(page.getByText('took 900 ms')).toBeVisible();
  await expect(page.getByRole('button', { name: 'denied: write secrets.md' })).toBeVisible();
});

test('Steps are shown while a reply streams; a waiting one opens its question', async ({ page, open }) => {
  const { host } = await open({ messages: conversation() }, '#/chat/ch_general');
  await expect(page.getByText('Nobody yet')).toBeVisible();
  const running = step('c1', { state: 'running', title: 'writing hello.md', endedAt: null });
  host.feed.patch('room:ch_general', {
    op: 'set',
    path: ['drafts', 't1'],
    value: draft({ steps: [running] }),
  });
  await expect(page.getByRole('button', { name: 'running: writing hello.md' })).toBeVisible();
  host.consent.ask(approval('ap1'));
  host.feed.patch('room:ch_general', {
    op: 'set',
    path: ['drafts', 't1', 'steps', 0],
    value: { ...running, state: 'waiting', approvalId: 'ap1' },
  });
  await expect(page.locator('.is-draft')).toContainText('waiting');
  await expect(page.locator('.thread-fold').getByRole('article', { name: /Guide wants/ })).toBeVisible();
  await page.getByRole('button', { name: 'Waiting for your answer' }).click();
  await expect(page).toHaveURL(/#\/inbox\/ap1$/);
  await expect(page.getByRole('button', { name: 'Deny', exact: true })).toBeFocused();
});

test('A question that arrives in the room does not take the focus from the message box', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: conversation() }, '#/chat/ch_general');
  await page.getByLabel('Message #general').pressSequentially('half a');
  host.consent.ask(approval('ap1'));
  await expect(page.getByRole('article', { name: /Guide wants/ })).toBeVisible();
  await page.keyboard.type(' thought');
  await expect(page.getByLabel('Message #general')).toHaveValue('half a thought');
});

test('The bar promises no steering if the program of the agent takes no message during a turn', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: conversation(), agents: busyAgents() }, '#/chat/ch_general');
  host.work.tools = { ...host.work.tools, canSteer: false };
  host.feed.patch('room:ch_general', { op: 'set', path: ['drafts', 't1'], value: draft() });
  const bar = page.getByRole('list', { name: 'Working here' });
  await expect(bar).toContainText('Guide is working. It reads new messages when it is done.');
});

test('While an agent works, Stop ends its turn and the bar says how messages are handled', async ({
  page,
  open,
}) => {
  const { host } = await open({ messages: conversation(), agents: busyAgents() }, '#/chat/ch_general');
  const bar = page.getByRole('list', { name: 'Working here' });
  await expect(bar).toHaveCount(0);
  host.feed.patch('room:ch_general', { op: 'set', path: ['drafts', 't1'], value: draft() });
  await expect(bar).toContainText('Guide is working. A message you send now steers it.');
  await bar.getByRole('button', { name: 'Stop Guide' }).click();
  await expect(page.getByText('Guide stopped. Its work so far is kept.')).toBeVisible();
  expect(host.calls.findLast((call) => call.method === 'agents.stop')?.input).toEqual({ agent: 'guide' });
  host.failing.set('agents.stop', textError('conflict', 'Guide is not working on anything.'));
  await bar.getByRole('button', { name: 'Stop Guide' }).click();
  await expect(page.getByText('Guide is not working on anything.')).toBeVisible();
  host.feed.patch('room:ch_general', { op: 'delete', path: ['drafts', 't1'] });
  await expect(bar).toHaveCount(0);
});

test('A working agent without a draft can be stopped too', async ({ page, open }) => {
  const mark = { agentId: 'guide', slug: 'guide-1c2d', state: 'working' as const, reason: '' };
  const { host } = await open({ messages: [mine('m1', 'go', { marks: [mark] })] }, '#/chat/ch_general');
  host.work.tools.arrival = 'follow_up';
  await page.reload();
  await expect(page.getByText('It reads new messages when it is done.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop Guide' })).toBeVisible();
});

test('The brake shows why the thread is paused, and one click continues it', async ({ page, open }) => {
  const brake = (agentId: string) => ({
    agentId,
    roomId: 'ch_general',
    rootId: 'msg_q2',
    turns: 12,
    why: 'Guide and Checker have answered each other twelve times without you.',
    at: Date.now(),
  });
  const { host } = await open(
    { messages: conversation(), host: { brakes: [brake('guide'), brake('checker')] } },
    '#/chat/ch_general',
  );
  const note = page.locator('.thread-fold .brake-note');
  await expect(note).toHaveCount(1);
  await expect(note).toContainText('twelve times without you');
  await note.getByRole('button', { name: 'Continue' }).click();
  await expect(note).toHaveCount(0);
  const asked = host.calls.filter((call) => call.method === 'brake.continue').map((call) => call.input);
  expect(asked).toEqual([
    { agent: 'guide', room: 'ch_general', rootId: 'msg_q2' },
    { agent: 'checker', room: 'ch_general', rootId: 'msg_q2' },
  ]);
});

test('Many tool calls fold to the newest four; the others are one click away', async ({ page, open }) => {
  const steps = Array.from({ length: 12 }, (_, index) => step(`c${index}`, { title: `read part ${index}` }));
  await open({ messages: [message('m1', { text: 'Done.', steps })] }, '#/chat/ch_general');
  const lines = page.getByRole('list', { name: 'What it did' }).getByRole('listitem');
  await expect(lines).toHaveCount(4);
  await expect(lines.last()).toContainText('read part 11');
  await page.getByRole('button', { name: '8 earlier steps' }).click();
  await expect(lines).toHaveCount(12);
});

test('A message that asks shows the question while it waits, and its answer afterwards', async ({
  page,
  open,
}) => {
  const asks = message('msg_ask', { text: 'May I? Answer **y** or **n** in this thread.', asks: 'ap1' });
  const { host } = await open(
    { messages: [...conversation(), asks], approvals: [approval('ap1')] },
    '#/chat/ch_general',
  );
  const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
  await expect(card).toHaveCount(1);
  await expect(page.getByText('Answer y or n')).toHaveCount(0);
  host.consent.settle('ap1', { type: 'allow', scope: 'once' }, 'chat');
  await expect(card).toHaveCount(0);
  await expect(page.locator('.message .settled')).toContainText('Guide wants to write hello.md');
  await page.reload();
  await expect(page.locator('.message .settled')).toContainText('Guide wants to write hello.md');
});

test('While an agent waits for an answer, the bar and later messages say so', async ({ page, open }) => {
  const mark = (state: 'working' | 'queued') => [{ agentId: 'guide', slug: 'guide-1c2d', state, reason: '' }];
  const messages = [
    mine('m1', 'write hello.md', { marks: mark('working') }),
    mine('m2', 'and then?', { marks: mark('queued') }),
  ];
  const { host } = await open({ messages, approvals: [approval('ap1')] }, '#/chat/ch_general');
  const bar = page.getByRole('list', { name: 'Working here' });
  await expect(bar).toContainText('Guide is waiting for your answer.');
  await expect(page.getByText('reads this once you have answered its question')).toBeVisible();
  host.consent.settle('ap1', { type: 'allow', scope: 'once' }, 'terminal');
  await expect(bar).toContainText('Guide is working.');
  await expect(page.getByText('reads this next')).toBeVisible();
});

test('A message taken as an answer or a stop is not marked as unanswered', async ({ page, open }) => {
  const marked = (id: string, text: string, reason: HostText) =>
    mine(id, text, { marks: [{ agentId: 'guide', slug: 'guide-1c2d', state: 'silent', reason }] });
  const stopped = say('turns.stoppedByYou');
  await open(
    { messages: [marked('m1', 'y', 'consent'), marked('m2', 'stop', 'stop'), marked('m3', 'go', stopped)] },
    '#/chat/ch_general',
  );
  await expect(page.getByText('Guide took it as your answer')).toBeVisible();
  await expect(page.getByText('You stopped Guide. Nothing of this turn was sent.')).toBeVisible();
  await expect(page.getByText('did not answer')).toHaveCount(0);
});

test('The plan, the thinking and the change of a file are shown in their own form', async ({
  page,
  open,
}) => {
  const plan = [
    { text: 'Read the notes', state: 'completed' as const },
    { text: 'Write the list', state: 'in_progress' as const },
    { text: 'Tell everyone', state: 'pending' as const },
  ];
  const steps = [
    step('t1', { tool: 'thinking', title: say('steps.thought'), detail: 'The notes come first.' }),
    step('plan', { tool: 'plan', title: say('steps.plan', { done: 1, n: 3 }), detail: '', plan }),
    step('c1', {
      tool: 'edit_file',
      title: 'edited list.md',
      change: { path: '/work/list.md', before: 'one\ntwo', after: 'one\nthree' },
    }),
  ];
  await open({ messages: [message('m1', { text: 'Done.', steps })] }, '#/chat/ch_general');
  await expect(page.getByText('plan: 1 of 3 done')).toBeVisible();
  await expect(
    page.getByRole('listitem').filter({ hasText: 'in progress: Write the list' }).last(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'done: thought about it' }).click();
  await expect(page.getByText('The notes come first.')).toBeVisible();
  await page.getByRole('button', { name: 'done: edited list.md' }).click();
  await expect(page.locator('.diff-line.is-added')).toContainText('three');
  await expect(page.locator('.diff-line.is-removed')).toContainText('two');
  await takePicture(page, 'steps-plan');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await takePicture(page, 'steps-plan-360');
});
