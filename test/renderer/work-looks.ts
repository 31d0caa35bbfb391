/** Screens for approvals, tools, memory and costs of agents, for pictures. */
import type { Page } from '@playwright/test';
import { asking } from './asking-world.ts';
import { agent } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { settle } from './open-page.ts';
import { programs } from './program-data.ts';

export interface Look {
  readonly name: string;
  readonly world: World;
  readonly hash: string;
  readonly ready: string;
  readonly act?: (page: Page) => Promise<void>;
}

const tab = (name: string, tabName: string, more?: (page: Page) => Promise<void>): Look => ({
  name,
  world: asking,
  hash: '#/agents/guide',
  ready: 'Last messages',
  act: async (page) => {
    await page.getByRole('tab', { name: tabName, exact: true }).click();
    await more?.(page);
  },
});

const inboxTab = (name: string, tabName: string): Look => ({
  name,
  world: asking,
  hash: '#/inbox',
  ready: 'wants to write hello.md',
  act: (page) => page.getByRole('tab', { name: tabName }).click(),
});

/** Agent programs of this computer. */
const withPrograms: World['fill'] = (host) => {
  host.programs.installed = programs();
};

export const workLooks: readonly Look[] = [
  { name: 'inbox', world: asking, hash: '#/inbox', ready: 'wants to write hello.md' },
  {
    name: 'inbox-more',
    world: asking,
    hash: '#/inbox',
    ready: 'wants to write hello.md',
    act: async (page) => {
      await settle(page);
      await page.getByRole('button', { name: 'Allow more…' }).first().click();
      await page.getByRole('button', { name: 'Always allow anything matching' }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'inbox-empty', world: {}, hash: '#/inbox', ready: 'You’re all caught up' },
  inboxTab('inbox-history', 'History'),
  inboxTab('inbox-grants', 'Permissions'),
  { name: 'home-asking', world: asking, hash: '#/home', ready: 'wants to write hello.md' },
  { name: 'agent-asking', world: asking, hash: '#/agents/guide', ready: 'wants to write hello.md' },
  {
    name: 'chat-asking',
    world: asking,
    hash: '#/chat/ch_general',
    ready: 'wants to write hello.md',
    act: (page) => page.getByRole('button', { name: /wrote hello.md/ }).click(),
  },
  tab('tools', 'Permissions', async (page) => {
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.locator('.page').evaluate((box) => box.scrollTo(0, 0));
  }),
  tab('rules', 'Permissions', async (page) => {
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Verdict of rule 1').selectOption('Allow');
    await page.getByRole('button', { name: 'Test on' }).scrollIntoViewIfNeeded();
  }),
  tab('memory', 'Memory and files', (page) => page.getByRole('button', { name: /people/ }).click()),
  tab('usage', 'Activity', (page) => page.getByRole('radio', { name: 'Usage' }).click()),
  tab('usage-foot', 'Activity', async (page) => {
    await page.getByRole('radio', { name: 'Usage' }).click();
    await page.getByRole('button', { name: 'Edit budget' }).click();
    await page.getByText('You are warned at').scrollIntoViewIfNeeded();
  }),
  ...(['general', 'rules', 'server'] as const).map(
    (part): Look => ({
      name: `settings-${part}`,
      world: asking,
      hash: `#/settings/${part}`,
      ready: 'Settings',
    }),
  ),
  {
    name: 'settings-audit',
    world: asking,
    hash: '#/settings/security',
    ready: 'Audit log',
    act: (page) => page.getByRole('button', { name: 'Verify the chain' }).click(),
  },
  {
    name: 'login',
    world: asking,
    hash: '#/settings/models',
    ready: 'Default model',
    act: (page) => page.getByRole('button', { name: 'Log in to OpenRouter' }).click(),
  },
  {
    name: 'create-program',
    world: { fill: withPrograms },
    hash: '#/agents',
    ready: 'Choose an agent',
    act: async (page) => {
      await page.getByRole('button', { name: 'New agent' }).click();
      await page.getByLabel('Name').fill('Rita');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('radio', { name: 'Claude Code' }).check();
    },
  },
  {
    name: 'agent-program',
    world: { agents: { ada: agent('ada') }, fill: withPrograms },
    hash: '#/agents/ada',
    ready: 'Last messages',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Model' }).click();
      await page.getByRole('radio', { name: 'Claude Code' }).check();
    },
  },
  { name: 'one-question', world: asking, hash: '#/approval/ap1', ready: 'wants to write hello.md' },
];
