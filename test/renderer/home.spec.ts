/** Home: waiting approvals answered in one click, events during an absence, and costs. */
import { fail } from '../../src/contract/fail.ts';
import type { Problem } from '../../src/contract/model.ts';
import { approval, command } from './ask-data.ts';
import { expectAccessible } from './axe.ts';
import { busyAgents, demoAgents, demoRooms, now } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';

const hit = {
  id: 'msg_9',
  roomId: 'ch_general',
  roomName: '#general',
  senderSlug: 'ada-77aa',
  senderName: 'Ada',
  senderAgent: false,
  sentAt: now - 60_000,
  threadRootId: null,
  excerpt: 'Can somebody look?',
};

const wasAway = (host: FakeHost): void => {
  host.home.away = {
    since: now - 3_600_000,
    answered: [
      {
        agentId: 'guide',
        name: 'Guide',
        count: 3,
        roomId: 'ch_general',
        roomName: '#general',
        at: now - 50_000,
      },
    ],
    missed: [
      {
        agentId: 'checker',
        name: 'Checker',
        state: 'failed',
        text: 'could not answer: the budget of today is used up.',
        message: hit,
      },
    ],
    joined: [{ slug: 'bo-1', name: 'Bo\u202eBo', agent: false, roomId: 'ch_general', roomName: '#general' }],
    decided: { allowed: 2, denied: 0, expired: 1 },
  };
};

const waiting = {
  slug: 'eve-1111',
  displayName: 'Eve',
  serverUrl: 'https://puffo.example.org',
  state: 'waiting' as const,
  knownFingerprint: '',
  offeredFingerprint: '',
  messages: 2,
  since: now - 120_000,
};

const stranger = (slug: string): Problem => ({
  id: `contact-${slug}`,
  severity: 'info',
  message: `${slug} wants to write to you.`,
  at: now,
  about: { kind: 'person', slug, changed: false },
});

test('The "While you were away" card stays until marked as seen', async ({ page, open }) => {
  const { host } = await open({ fill: wasAway }, '#/home');
  const card = page.getByRole('region', { name: 'While you were away' });
  await expect(card).toContainText('wrote 3 messages, the last in #general');
  await expect(card).toContainText('in #general: could not answer: the budget of today is used up.');
  await expect(card, 'hostile names cannot turn the line around').toContainText('Bo[U+202E]Bo');
  await expect(card).toContainText('2 allowed, none denied, 1 expired');
  expect(host.calls.some(({ method }) => method === 'home.seen')).toBe(false);
  await page.reload();
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: 'Mark as seen' }).click();
  await expect(card).toHaveCount(0);
  await expect.poll(() => host.calls.some(({ method }) => method === 'home.seen')).toBe(true);
});

test('A held person, a failed agent and a braked thread can be handled in the inbox', async ({
  page,
  open,
}) => {
  const brake = {
    agentId: 'scribe',
    roomId: 'ch_general',
    rootId: 'msg_1',
    turns: 12,
    why: 'has answered other agents 12 times in a row.',
    at: now,
  };
  const { host } = await open(
    {
      agents: busyAgents(),
      host: { brakes: [brake], problems: [stranger(waiting.slug)] },
      fill: (one) => one.spaces.peers.push(waiting),
    },
    '#/inbox',
  );
  const needs = page.getByRole('region', { name: /needs you$/i });
  await needs.getByRole('button', { name: 'Allow Eve' }).click();
  await needs.getByRole('button', { name: 'Restart' }).click();
  await needs.getByRole('button', { name: 'Continue' }).click();
  const made = (method: string) => host.calls.find((call) => call.method === method)?.input;
  await expect.poll(() => made('peers.allow')).toEqual({ slug: 'eve-1111' });
  await expect.poll(() => made('agents.restart')).toEqual({ agent: 'porter' });
  await expect
    .poll(() => made('brake.continue'))
    .toEqual({ agent: 'scribe', room: 'ch_general', rootId: 'msg_1' });
});

test('Guide gets a real model: the search starts on request, the choice is saved and a question is sent', async ({
  page,
  open,
}) => {
  const { host } = await open(
    {
      agents: demoAgents(),
      fill: (one) => {
        one.putRoom('guide', []);
        one.home.found = [
          {
            kind: 'server',
            provider: 'ollama',
            where: 'http://127.0.0.1:11434/v1',
            models: ['qwen3:8b', 'tiny'],
            usable: true,
          },
          {
            kind: 'environment',
            provider: 'openai',
            where: 'OPENAI_API_KEY',
            models: ['gpt-4o'],
            usable: true,
          },
          {
            kind: 'login',
            provider: 'anthropic',
            where: '~/.claude/.credentials.json',
            models: [],
            usable: false,
          },
        ];
      },
    },
    '#/home',
  );
  await page.getByRole('button', { name: /Give Guide a real model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Which model should Guide use?' });
  await expect(dialog).toContainText('contacts no other service');
  const called = (method: string) => host.calls.filter((call) => call.method === method);
  expect(called('setup.findLocal')).toEqual([]);
  await dialog.getByRole('button', { name: 'Check this computer' }).click();
  await expect(dialog.getByRole('radio', { name: /Ollama/ })).toBeChecked();
  await expect(
    dialog.getByText('Your messages to agents that use it go to OpenAI, at its prices.'),
  ).toBeVisible();
  await expect(
    dialog.getByText('Anthropic allows logins of this kind only in its own programs.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Add a key' }).click();
  await expect(dialog.getByLabel('Provider')).toHaveValue('anthropic');
  await expect(dialog.getByLabel('API key')).toBeVisible();
  await dialog.getByRole('radio', { name: /Ollama/ }).check();
  await expect(dialog.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue('qwen3:8b');
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByText('It works: qwen3:8b answered in 0.8 s.')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'make-real');
  await dialog.getByRole('combobox', { name: 'Model', exact: true }).fill('tiny');
  await expect(dialog.getByText('It works')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Use it and ask a question' }).click();
  await expect(dialog).toHaveCount(0);
  expect(called('setup.useModel')[0]?.input).toEqual({
    agent: 'guide',
    provider: 'ollama',
    model: 'tiny',
    baseUrl: '',
    forAll: false,
  });
  expect(called('chat.send')[0]?.input).toMatchObject({
    to: 'guide',
    text: expect.stringContaining('who are you'),
  });
  await expect(page).toHaveURL(/#\/chat\/guide/);
});

test('If another program is logged in and the provider permits it, the user can log in for Guide', async ({
  page,
  open,
}) => {
  const { host } = await open(
    {
      agents: demoAgents(),
      fill: ({ home }) => {
        home.found = [
          { kind: 'login', provider: 'openrouter', where: '~/.router/auth.json', models: [], usable: false },
        ];
      },
    },
    '#/home',
  );
  host.putRoom('guide', []);
  await page.getByRole('button', { name: /Give Guide a real model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Which model should Guide use?' });
  await dialog.getByRole('button', { name: 'Check this computer' }).click();
  await expect(dialog.getByText('That login belongs to the other program')).toBeVisible();
  await dialog.getByRole('button', { name: 'Log in to OpenRouter here…' }).click();
  await expect(page.getByText('WDJB-MJHT')).toBeVisible();
  host.work.loggedIn = true;
  await expect(dialog.getByRole('radio', { name: /OpenRouter, with your own login/ })).toBeChecked();
  await takePicture(page, 'own-login');
  await dialog.getByRole('button', { name: 'Use it and ask a question' }).click();
  await expect(dialog).toHaveCount(0);
  const used = host.calls.filter(({ method }) => method === 'setup.useModel').map(({ input }) => input);
  expect(used).toEqual([{ agent: 'guide', provider: 'openrouter', model: '', baseUrl: '', forAll: false }]);
});

test('If no model is found, the same dialog takes a key, and asks for a passphrase if needed', async ({
  page,
  open,
}) => {
  const { host } = await open({ agents: demoAgents() }, '#/home');
  host.putRoom('guide', []);
  await page.getByRole('button', { name: /Give Guide a real model/ }).click();
  await page.getByRole('button', { name: 'Check this computer' }).click();
  await expect(page.getByText('No model found')).toBeVisible();
  host.home.found = [
    { kind: 'server', provider: 'lmstudio', where: 'http://127.0.0.1:1234/v1', models: [], usable: false },
  ];
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('It is running and has no model yet.')).toBeVisible();
  host.home.safe = false;
  await page.getByLabel('API key').fill('sk-ant-typed');
  await page.getByRole('button', { name: 'Use it and ask a question' }).click();
  const step = page.getByRole('region', { name: 'Choose a passphrase' });
  await step.getByLabel('New passphrase').fill('open sesame');
  await step.getByLabel('Repeat passphrase').fill('open sesame');
  host.home.safe = true;
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/chat\/guide/);
  const used = host.calls.filter(({ method }) => method === 'setup.useModel').map(({ input }) => input);
  expect(used).toHaveLength(2);
  expect(used[1]).toMatchObject({ agent: 'guide', provider: 'anthropic', apiKey: 'sk-ant-typed' });
});

for (const [language, scheme] of [
  ['en', 'light'],
  ['de', 'dark'],
] as const)
  test(`Home with many items, ${language}, ${scheme}`, async ({ page, open }) => {
    await page.addInitScript(
      (chosen) => localStorage.setItem('kennel.look', JSON.stringify({ language: chosen })),
      language,
    );
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await open(
      {
        agents: busyAgents(),
        host: { spentToday: { tokens: 4200, usd: 0.37, unpriced: 0, simulated: false } },
        fill: (one) => {
          wasAway(one);
          one.spaces.peers.push(waiting);
        },
      },
      '#/home',
    );
    await expect(page.locator('.home-spark svg')).toBeVisible();
    await expectAccessible(page);
    for (const [width, height] of [
      [1280, 1100],
      [720, 1100],
    ] as const) {
      await page.setViewportSize({ width, height });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(wide).toBe(false);
      await takePicture(page, `home-${language}-${width}`);
    }
  });

test('Inbox, Home and the status line count one queue, and Home shows its first three', async ({
  page,
  open,
}) => {
  const invite = {
    id: 'inv_1',
    scope: 'space' as const,
    spaceId: 'sp_2',
    spaceName: 'Garden',
    channelId: null,
    channelName: '',
    inviterSlug: 'kit-0001',
    inviterName: 'Kit',
  } as const;
  const brake = { agentId: 'checker', roomId: 'ch_general', rootId: 'msg_1', turns: 9, why: '', at: now };
  const update: Problem = {
    id: 'update',
    severity: 'warning',
    message: '',
    at: now,
    about: { kind: 'update', version: '9.9.9' },
  };
  const { host } = await open(
    {
      agents: demoAgents(),
      rooms: { ...demoRooms(), invites: [invite] },
      approvals: [approval('ap1'), command('ap2', 'rm old.md', { quietUntil: Date.now() + 3_600_000 })],
      host: {
        brakes: [{ ...brake, why: 'Paused after 9 agent messages in a row.' }],
        problems: [
          stranger('kit-0001'),
          update,
          { ...update, id: 'note', severity: 'info', about: undefined },
        ],
      },
    },
    '#/home',
  );
  const status = page.getByRole('button', { name: '5 waiting for you', exact: true });
  await expect(status).toBeVisible();
  await expect(page.locator('.rail-inbox .badge')).toContainText('5');
  await expect(page.locator('.badge.is-amber'), 'the count has one place in the rail').toHaveCount(1);
  await expect(page.getByText('5 things need you', { exact: false })).toBeVisible();
  const needs = page.getByRole('region', { name: 'Needs you', exact: true });
  await expect(needs.getByRole('article', { name: /Guide wants to write/ })).toBeVisible();
  await expect(needs).toContainText('wants to message you');
  await expect(needs).toContainText('Kennel 9.9.9 is ready to install.');
  await expect(needs).not.toContainText('Garden');
  await needs.getByRole('button', { name: '2 more in the inbox' }).click();
  await expect(page.getByText('5 things need you.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Waiting (5)' })).toBeVisible();
  const others = page.getByRole('region', { name: /needs you$/i });
  await expect(others.getByRole('listitem')).toHaveCount(4);
  await others.getByRole('button', { name: 'Decline the invitation to Garden' }).click();
  await expect(page.getByRole('button', { name: '4 waiting for you', exact: true })).toBeVisible();
  await expect(page.locator('.rail-inbox .badge')).toContainText('4');
  host.feed.patch(
    'host',
    { op: 'set', path: ['problems'], value: [] },
    { op: 'set', path: ['brakes'], value: [] },
  );
  await expect(page.getByRole('tab', { name: 'Waiting (1)' })).toBeVisible();
  await expectAccessible(page);
});

const unpaired = (host: FakeHost): void => {
  host.spaces.devices.splice(1);
  host.settings.bridge = { ...host.settings.bridge, paired: null };
};

test('First steps tick themselves, can be hidden, and go away when all are done', async ({ page, open }) => {
  const others = demoAgents();
  const { host } = await open({ agents: others, fill: unpaired }, '#/home');
  const card = page.getByRole('region', { name: 'First steps' });
  await expect(card).toContainText('0 of 5 done');
  await expect(card.getByRole('button', { name: 'Remove demo…' })).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'first-steps');
  await card.getByRole('button', { name: /New agent.*Create your first agent/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await page.goto(`${page.url().split('#')[0]}#/home`);
  await page.reload();
  const guide = others.guide;
  if (guide === undefined) throw new Error('the demo has no Guide');
  host.feed.patch('agents', {
    op: 'set',
    path: ['scribe'],
    value: { ...guide, id: 'scribe', slug: 'scribe-1', scripted: false, provider: 'ollama', model: 'qwen3' },
  });
  await expect(card).toContainText('2 of 5 done');
  host.home.steps = { isHidden: false, backedUpAt: 1 };
  host.settings.bridge = {
    ...host.settings.bridge,
    paired: { slug: 'ada-77aa', deviceId: 'dev_2', pairedAt: 1 },
  };
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(card).toContainText('4 of 5 done');
  await expect(card.getByRole('listitem').filter({ hasText: 'Back up your key' })).toContainText('(done)');
  const member = { slug: 'kit-0001', displayName: 'Kit', agent: false, role: 'member' };
  host.feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_general', 'members', 0], value: member });
  await expect(card, 'the last tick ends the list').toHaveCount(0);
  host.home.steps = { isHidden: false, backedUpAt: null };
  await page.reload();
  await expect(card).toContainText('4 of 5 done');
  await card.getByRole('button', { name: 'Hide' }).click();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Spending' })).toBeVisible();
  await expect(card, 'hidden for good').toHaveCount(0);
});

test('First steps also guide a person at a real server, without the demo', async ({ page, open }) => {
  await open({ agents: {}, host: { demo: false } }, '#/home');
  const card = page.getByRole('region', { name: 'First steps' });
  await expect(card.getByRole('button', { name: /Choose a model.*Connect a real model/ })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Remove demo…' })).toHaveCount(0);
  await card.getByRole('button', { name: /^Back up.*key/ }).click();
  await expect(page).toHaveURL(/#\/settings\/backup/);
});

test('A problem whose next step is a terminal command shows a button in its place', async ({
  page,
  open,
}) => {
  const failed = fail('unavailable', 'server.serverUnreachable', {}, { help: 'host.runUnlock' });
  const { message, said, hint, help } = failed;
  const problem: Problem = { id: 'server', severity: 'error', at: now, message, said, hint, help };
  await open({ agents: demoAgents(), host: { problems: [problem] } }, '#/home');
  const row = page.getByRole('listitem').filter({ hasText: message });
  await expect(row).not.toContainText('kennel unlock');
  await row.getByRole('button', { name: 'Open Security' }).click();
  await expect(page).toHaveURL(/#\/settings\/security$/);
});
