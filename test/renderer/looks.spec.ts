/** Pictures of every screen for human eyes; they fail only when a screen cannot be reached. */

import { chatLooks, listLooks } from './chat-looks.ts';
import { busyAgents, conversation, demoRooms, now, room } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, test } from './open-page.ts';
import { type Look, workLooks } from './work-looks.ts';

const minute = 60_000;

const busyRooms = () => ({
  ...demoRooms(),
  rooms: {
    ch_general: room('ch_general', {
      lastMessageAt: now - 5 * minute,
      lastText: 'Nobody yet. I would ask **Checker** to look over the list.',
    }),
    ch_release: room('ch_release', {
      name: 'release-notes',
      unread: 3,
      lastMessageAt: now - 2 * minute,
      lastText: 'Scribe: the draft is ready, two questions are open',
    }),
    'dm:scribe-1c2d': room('dm:scribe-1c2d', {
      kind: 'dm',
      name: 'Scribe',
      spaceId: null,
      unread: 1,
      lastMessageAt: now - 3 * minute,
      lastText: 'Which notes shall I keep?',
    }),
  },
});

const busy: World = {
  agents: busyAgents(),
  rooms: busyRooms(),
  messages: conversation(),
  host: {
    agents: { total: 5, working: 1, needsYou: 1, error: 1 },
    problems: [
      {
        id: 'p1',
        severity: 'warning',
        message: 'The disk is nearly full: 1.2 GB are left.',
        hint: 'Free some space; Kennel pauses writing below 200 MB.',
        at: now - 4 * minute,
      },
    ],
  },
};

const screens: readonly Look[] = [
  {
    name: 'first-run',
    world: { host: { firstRun: true, demo: false, vault: { kind: 'none', backend: '', note: '' } } },
    hash: '',
    ready: 'Welcome to Kennel',
  },
  {
    name: 'locked',
    world: { host: { state: 'locked', vault: { kind: 'passphrase', backend: '', note: '' } } },
    hash: '',
    ready: 'Kennel is locked',
  },
  { name: 'home', world: busy, hash: '#/home', ready: 'Needs you' },
  { name: 'home-quiet', world: { messages: conversation() }, hash: '#/home', ready: 'Start here' },
  { name: 'chat', world: busy, hash: '#/chat/ch_general', ready: 'Write' },
  {
    name: 'chat-streaming',
    world: { ...busy, wordMs: 150 },
    hash: '#/chat/ch_general',
    ready: 'Write',
    act: async (page) => {
      await page.getByLabel('Message #general').fill('What does the server know about us?');
      await page.keyboard.press('Enter');
      await expect(page.locator('.is-draft').getByText('scripted helper: I')).toBeVisible();
    },
  },
  {
    name: 'thread',
    world: busy,
    hash: '#/chat/ch_general',
    ready: 'Write',
    act: (page) => page.getByRole('button', { name: '1 earlier reply' }).click(),
  },
  {
    name: 'server',
    world: busy,
    hash: '#/chat/ch_general',
    ready: 'Write',
    act: (page) => page.getByRole('radio', { name: 'What the server sees' }).click(),
  },
  { name: 'agents', world: busy, hash: '#/agents', ready: 'Choose an agent' },
  { name: 'agent', world: busy, hash: '#/agents/guide', ready: 'Last messages' },
  { name: 'agent-failed', world: busy, hash: '#/agents/porter', ready: 'Last messages' },
  {
    name: 'soul',
    world: busy,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Identity' }).click();
      await page.getByRole('button', { name: 'Edit identity' }).click();
      await page.getByLabel('Soul, in Markdown').pressSequentially('You love picnics.');
    },
  },
  {
    name: 'runtime',
    world: busy,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: (page) => page.getByRole('tab', { name: 'Runtime' }).click(),
  },
  {
    name: 'create',
    world: busy,
    hash: '#/agents',
    ready: 'Choose an agent',
    act: async (page) => {
      if (await page.getByRole('button', { name: 'New agent' }).isVisible())
        await page.getByRole('button', { name: 'New agent' }).click();
    },
  },
  { name: 'settings', world: busy, hash: '#/settings/models', ready: 'Default model' },
  ...workLooks,
  ...chatLooks,
];

/** `LOOKS=inbox,chat` looks at those screens only. */
const wanted = process.env.LOOKS?.split(',') ?? null;
const chosen = screens.filter((screen) => wanted === null || wanted.includes(screen.name));

const sizes = [
  [1280, 800],
  [900, 600],
  [800, 600],
  [640, 900],
] as const;

/** Colours take no room: what fits in light fits in dark. `KENNEL_PROOF=1` takes all pictures all the same. */
const sizesIn = (scheme: 'light' | 'dark') =>
  scheme === 'light' || process.env.KENNEL_PROOF === '1' ? sizes : sizes.slice(0, 1);

for (const scheme of ['light', 'dark'] as const)
  for (const [width, height] of sizesIn(scheme))
    test(`every screen can be seen at ${width}x${height}, ${scheme}`, async ({ page, open }) => {
      test.setTimeout(240_000);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      for (const screen of chosen) {
        if (screen.name === 'agents' && width < 720) continue;
        if (screen.name === 'create' && width < 720) continue;
        if (listLooks.includes(screen.name) && width < 720) continue;
        await open(screen.world, screen.hash);
        await expect(page.getByText(screen.ready).first()).toBeVisible();
        await screen.act?.(page);
        await page.waitForTimeout(200);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        expect(wider, `${screen.name} is wider than the window`).toBe(false);
        await page.screenshot({ path: `test-results/looks/${screen.name}-${width}-${scheme}.png` });
      }
    });

test('dialogs, the set-up in progress and high contrast can be seen', async ({ page, open }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const shoot = (name: string) => page.screenshot({ path: `test-results/looks/extra-${name}.png` });
  const fresh = { firstRun: true, demo: false, operator: null, relay: { embedded: false, url: null } };
  await open({ host: fresh, agents: {}, rooms: { ...demoRooms(), rooms: {} } });
  await page.getByRole('button', { name: 'Try it now' }).click();
  await expect(page.locator('.steps .is-done').nth(1)).toBeVisible();
  await shoot('progress');
  await open({ host: { ...fresh, vault: { kind: 'keychain', backend: 'GNOME', note: '' } } });
  await page.getByText('Connect my Puffo space').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Invite code')).toBeVisible();
  await shoot('connect');
  await open({}, '#/agents/guide');
  await page.getByRole('tab', { name: 'Identity' }).click();
  await page.getByRole('button', { name: 'Edit identity' }).click();
  await page.getByLabel('Soul, in Markdown').pressSequentially('A new first line.\n');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await shoot('diff');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await shoot('menu');
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await shoot('delete');
  for (const [name, hash] of [
    ['chat', '#/chat/ch_general'],
    ['home', '#/home'],
  ] as const) {
    await page.addInitScript(() => localStorage.setItem('kennel.look', '{"theme":"contrast"}'));
    await open(busy, hash);
    await expect(page.locator('.status-line')).toBeVisible();
    await page.waitForTimeout(300);
    await shoot(`contrast-${name}`);
  }
  await page.setViewportSize({ width: 640, height: 900 });
  await open(busy, '#/chat');
  await expect(page.getByRole('heading', { name: 'Chat' })).toBeVisible();
  await shoot('rooms-640');
  await open(busy, '#/agents');
  await expect(page.locator('.agent-row').first()).toBeVisible();
  await shoot('agents-640');
  await page.setViewportSize({ width: 1280, height: 800 });
  const { host } = await open(busy, '#/chat/ch_general');
  await expect(page.getByText('Nobody yet').first()).toBeVisible();
  await host.stop();
  await expect(page.getByRole('alert')).toBeVisible();
  await shoot('lost');
});
