/** Screens of MCP servers and skills, for pictures and axe. */
import type { Page } from '@playwright/test';
import { demoAgents } from './fake-data.ts';
import { allServers, allSkills } from './fake-extensions.ts';
import type { World } from './fake-host.ts';
import type { Look } from './work-looks.ts';

export const extended: World = {
  agents: demoAgents(),
  fill: (host) => {
    host.extensions.servers = allServers();
    host.extensions.skills = allSkills();
  },
};

const servers = (name: string, act: (page: Page) => Promise<void>): Look => ({
  name,
  world: extended,
  hash: '#/settings/mcp',
  ready: 'running',
  act,
});

const openSkills = async (page: Page): Promise<void> => {
  await page.getByRole('tab', { name: 'Servers and skills' }).click();
  await page.getByRole('radio', { name: 'Skills' }).click();
};

const skills = (name: string, act: (page: Page) => Promise<void>): Look => ({
  name,
  world: extended,
  hash: '#/agents/guide',
  ready: 'Last messages',
  act: async (page) => {
    await openSkills(page);
    await act(page);
  },
});

export const extensionLooks: readonly Look[] = [
  { name: 'mcp-empty', world: {}, hash: '#/settings/mcp', ready: 'No servers yet' },
  servers('mcp', async () => undefined),
  servers('mcp-tools', async (page) => {
    await page.getByRole('button', { name: 'Details of tickets' }).click();
    await page.getByRole('button', { name: /close/ }).click();
  }),
  servers('mcp-calls', async (page) => {
    await page.getByRole('button', { name: 'Details of tickets' }).click();
    await page.getByRole('tab', { name: 'Calls' }).click();
  }),
  servers('mcp-changed', (page) => page.getByRole('button', { name: 'Review wiki' }).click()),
  servers('mcp-allow', (page) => page.getByRole('button', { name: 'Review browser' }).click()),
  servers('mcp-add', async (page) => {
    await page.getByRole('button', { name: 'Add server…' }).click();
    await page.getByRole('radio', { name: 'Command' }).click();
  }),
  servers('mcp-paste', async (page) => {
    await page.getByRole('button', { name: 'Add server…' }).click();
    await page
      .getByLabel('Snippet from the README')
      .fill('{"mcpServers":{"memory":{"command":"npx","args":["-y","server"],"env":{"KEY":"abc"}}}}');
  }),
  servers('mcp-try', async (page) => {
    await page.getByRole('button', { name: 'Details of tickets' }).click();
    await page.getByRole('button', { name: /search/ }).click();
    await page.getByRole('button', { name: 'Try it…' }).click();
  }),
  { name: 'skills-empty', world: {}, hash: '#/settings/skills', ready: 'No skills yet' },
  skills('skills', (page) => page.getByRole('button', { name: 'Review notes-style' }).waitFor()),
  skills('skills-review', (page) => page.getByRole('button', { name: 'Review notes-style' }).click()),
  {
    name: 'skills-install',
    world: extended,
    hash: '#/settings/skills',
    ready: 'for all agents',
    act: async (page) => {
      await page.getByRole('button', { name: 'Install…' }).click();
      await page.getByLabel('Path of a folder').fill('/srv/skills');
      await page.getByRole('button', { name: 'Show what is in it' }).click();
      await page.getByRole('checkbox', { name: /charts/ }).uncheck();
    },
  },
  {
    name: 'mcp-agent',
    world: extended,
    hash: '#/agents/guide',
    ready: 'Last messages',
    act: (page) => page.getByRole('tab', { name: 'Servers and skills' }).click(),
  },
];
