/** Every screen that `screens.spec.ts` tests. */
import { partHash, settingsParts } from '../../src/renderer/settings/settings-parts.ts';
import { asking } from './asking-world.ts';
import { chatLooks } from './chat-looks.ts';
import { extensionLooks } from './extension-looks.ts';
import { busyAgents, conversation, demoRooms, now, room } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect } from './open-page.ts';
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

/** Agents in every state, with a conversation and a problem. */
export const busy: World = {
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

const tabs = (['Personality', 'Permissions', 'Memory and files', 'Activity'] as const).map(
  (name): Look => ({
    name: `agent-${name.toLowerCase().replaceAll(' ', '-')}`,
    world: asking,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: (page) => page.getByRole('tab', { name, exact: true }).click(),
  }),
);

/** Settings parts that `workLooks` does not open already. */
const settings = settingsParts
  .filter((part) => !['general', 'rules', 'server', 'models', 'mcp', 'skills'].includes(part))
  .map(
    (part): Look => ({
      name: `settings-${part}`,
      world: asking,
      hash: partHash(part),
      ready: 'Settings',
    }),
  );

export const screens: readonly Look[] = [
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
  { name: 'home-quiet', world: { messages: conversation() }, hash: '#/home', ready: 'First steps' },
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
      await page.getByRole('tab', { name: 'Personality' }).click();
      await page.getByRole('button', { name: 'Edit profile' }).click();
      await page.getByLabel('Soul, in Markdown').pressSequentially('You love picnics.');
    },
  },
  {
    name: 'runtime',
    world: busy,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: (page) => page.getByRole('tab', { name: 'Model' }).click(),
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
  {
    name: 'connect',
    world: {
      host: {
        firstRun: true,
        demo: false,
        operator: null,
        vault: { kind: 'keychain', backend: 'GNOME', note: '' },
      },
    },
    hash: '',
    ready: 'Connect my Puffo space',
    act: async (page) => {
      await page.getByText('Connect my Puffo space').click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Invite code')).toBeVisible();
    },
  },
  {
    name: 'soul-diff',
    world: {},
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Personality' }).click();
      await page.getByRole('button', { name: 'Edit profile' }).click();
      await page.getByLabel('Soul, in Markdown').pressSequentially('A new first line.\n');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'agent-delete',
    world: {},
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible();
    },
  },
  { name: 'settings', world: busy, hash: '#/settings/models', ready: 'Default model' },
  ...tabs,
  ...settings,
  ...extensionLooks,
  ...workLooks,
  ...chatLooks,
];
