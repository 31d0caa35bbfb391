/** What assistive technology finds on every screen, in light, dark and high contrast. */
import AxeBuilder from '@axe-core/playwright';
import type { SettingsPart } from '../../src/renderer/settings/settings-parts.ts';
import { asking } from './asking-world.ts';
import { chatLooks } from './chat-looks.ts';
import { busyAgents, conversation, demoRooms, room } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, test } from './open-page.ts';

const busy: World = {
  agents: busyAgents(),
  messages: conversation(),
  rooms: {
    ...demoRooms(),
    rooms: { ch_general: room('ch_general', { unread: 2, lastMessageAt: 1, lastText: 'x' }) },
  },
};

const screens: readonly {
  name: string;
  world: World;
  hash: string;
  ready: string;
  act?: (page: Page) => Promise<void>;
}[] = [
  { name: 'first run', world: { host: { firstRun: true } }, hash: '', ready: 'Welcome to Kennel' },
  {
    name: 'locked',
    world: { host: { state: 'locked', vault: { kind: 'passphrase', backend: '', note: '' } } },
    hash: '',
    ready: 'Kennel is locked',
  },
  { name: 'home', world: busy, hash: '#/home', ready: 'Needs you' },
  { name: 'chat', world: busy, hash: '#/chat/ch_general', ready: 'I follow a short script' },
  {
    name: 'thread',
    // What is new is never folded away.
    world: { ...busy, rooms: demoRooms() },
    hash: '#/chat/ch_general',
    ready: 'I follow a short script',
    act: (page) => page.getByRole('button', { name: '1 earlier reply' }).click(),
  },
  {
    name: 'server view',
    world: busy,
    hash: '#/chat/ch_general',
    ready: 'I follow a short script',
    act: (page) => page.getByRole('radio', { name: 'What the server sees' }).click(),
  },
  { name: 'agent', world: busy, hash: '#/agents/porter', ready: 'Last messages' },
  {
    name: 'soul editor',
    world: busy,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Identity' }).click();
      await page.getByRole('button', { name: 'Edit identity' }).click();
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
    name: 'new agent',
    world: busy,
    hash: '#/agents',
    ready: 'Choose an agent',
    act: (page) => page.getByRole('button', { name: 'New agent' }).click(),
  },
  ...(['Identity', 'Triggers', 'Tools', 'Memory', 'Usage'] as const).map((name) => ({
    name,
    world: asking,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: (page: Page) => page.getByRole('tab', { name, exact: true }).click(),
  })),
  {
    name: 'rules',
    world: asking,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Tools' }).click();
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await page.getByLabel('Verdict of rule 1').selectOption('Allow');
    },
  },
  {
    name: 'inbox',
    world: asking,
    hash: '#/inbox',
    ready: 'wants to write hello.md',
    act: async (page) => {
      await page.waitForTimeout(650);
      await page.getByRole('button', { name: 'Allow more…' }).first().click();
      await expect(page.getByText('Always allow this pattern')).toBeVisible();
    },
  },
  {
    name: 'history',
    world: asking,
    hash: '#/inbox',
    ready: 'wants to write hello.md',
    act: (page) => page.getByRole('tab', { name: 'History' }).click(),
  },
  {
    name: 'permissions',
    world: asking,
    hash: '#/inbox',
    ready: 'wants to write hello.md',
    act: (page) => page.getByRole('tab', { name: 'Standing permissions' }).click(),
  },
  { name: 'home with questions', world: asking, hash: '#/home', ready: 'wants to write hello.md' },
  {
    name: 'chat with steps and a question',
    world: asking,
    hash: '#/chat/ch_general',
    ready: 'wants to write hello.md',
    act: (page) => page.getByRole('button', { name: /wrote hello.md/ }).click(),
  },
  ...(['models', 'rules', 'bridge', 'about'] as const satisfies readonly SettingsPart[]).map((part) => ({
    name: `settings: ${part}`,
    world: asking,
    hash: `#/settings/${part}`,
    ready: 'Settings',
  })),
  { name: 'one question', world: asking, hash: '#/approval/ap1', ready: 'wants to write hello.md' },
];

const groups = [
  ['every screen', screens],
  ['the chat of a team', chatLooks],
] as const;
const looks = ['light', 'dark', 'contrast'] as const;

for (const [look, [group, shown]] of looks.flatMap((look) => groups.map((group) => [look, group] as const)))
  test(`${group} passes axe, ${look}`, async ({ page, open }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: look === 'dark' ? 'dark' : 'light' });
    await page.addInitScript((theme) => localStorage.setItem('kennel.look', JSON.stringify({ theme })), look);
    for (const screen of shown) {
      await open(screen.world, screen.hash);
      await expect(page.getByText(screen.ready).first()).toBeVisible();
      await screen.act?.(page);
      const axe = new AxeBuilder({ page });
      // What a screen consists of is the same in every look; only its colours are not.
      const found = await (look === 'light'
        ? axe
        : axe.withRules(['color-contrast', 'link-in-text-block'])
      ).analyze();
      const said = found.violations.map(
        (one) =>
          `${one.id}: ${one.nodes.map((node) => `${node.target.join(' ')} ${node.any.map((check) => check.message).join(' ')}`).join(' | ')}`,
      );
      expect(said, screen.name).toEqual([]);
    }
  });

test('every dot says its state in words and differs in shape, not only in colour', async ({ page, open }) => {
  await open({ agents: busyAgents() }, '#/agents');
  const dots = page.locator('.agent-row .state-dot');
  await expect(dots).toHaveCount(5);
  const names = await dots.evaluateAll((all) => all.map((dot) => dot.getAttribute('aria-label')));
  expect(new Set(names)).toEqual(new Set(['idle', 'working', 'needs you', 'failed', 'offline']));
  const shapes = await dots.evaluateAll((all) => all.map((dot) => dot.innerHTML));
  expect(new Set(shapes).size).toBe(5);
});

test('a working dot breathes, and rests where less motion is wanted', async ({ page, open }) => {
  await open({ agents: busyAgents() }, '#/agents');
  const breath = () =>
    page.locator('.agent-row .breathe').evaluate((dot) => getComputedStyle(dot).animationName);
  expect(await breath()).toBe('breathe');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await breath()).toBe('none');
});

test('a new message is read aloud politely', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  host.add({ ...conversation()[2]!, id: 'msg_new', threadRootId: null, text: 'The kettle is on.' });
  await expect(page.getByRole('status')).toHaveText('Guide: The kettle is on.');
});

test('opening and closing a dialog gives the focus back', async ({ page, open }) => {
  await open({}, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'New agent' })).toBeFocused();
});
