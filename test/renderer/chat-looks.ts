/** Screens of the chat with spaces, members, files and search, for pictures and axe. */
import type { Page } from '@playwright/test';
import { busyAgents, conversation, demoRooms, message, mine, now, room } from './fake-data.ts';
import type { World } from './fake-host.ts';
import type { Look } from './work-looks.ts';

const minute = 60_000;
const member = (slug: string, displayName: string, agent: boolean, role = 'member') => ({
  slug,
  displayName,
  agent,
  role,
});

const members = [
  member('you-3f9a', 'You', false, 'owner'),
  member('guide-1c2d', 'Guide', true),
  member('porter-1c2d', 'Porter', true),
  member('ada-77aa', 'Ada Lovelace', false, 'admin'),
  member('scout-5b5b', 'Scout', true),
  member('raven-0c0c', 'Raven', true),
];

const files = [
  {
    filename: 'minutes of the long meeting about the picnic.pdf',
    mimeType: 'application/pdf',
    size: 812_000,
    sent: null,
  },
  { filename: 'meadow.jpg', mimeType: 'image/jpeg', size: 2_400_000, sent: null },
];

export const team: World = {
  agents: busyAgents(),
  rooms: {
    ...demoRooms(),
    spaces: [
      { id: 'sp_demo', name: 'Demo', role: 'owner', archived: false },
      { id: 'sp_new', name: 'Garden', role: 'owner', archived: false },
      { id: 'sp_old', name: 'Last year', role: 'admin', archived: true },
    ],
    rooms: {
      ch_general: room('ch_general', { unread: 2, members, lastMessageAt: now - minute }),
      ch_old: room('ch_old', { name: 'plans', spaceId: 'sp_old' }),
      'dm:scout-5b5b': room('dm:scout-5b5b', { kind: 'dm', name: 'Scout', spaceId: null, unread: 1 }),
    },
    presence: {
      'scout-5b5b': { state: 'busy', errorText: '' },
      'raven-0c0c': { state: 'error', errorText: 'the model refused the key' },
    },
    invites: [
      {
        id: 'inv_1',
        scope: 'channel',
        spaceId: 'sp_lab',
        spaceName: 'Lab',
        channelId: 'ch_lab',
        channelName: 'results',
        inviterSlug: 'ada-77aa',
        inviterName: 'Ada Lovelace',
      },
    ],
  },
  messages: [
    ...conversation(),
    message('msg_files', {
      senderSlug: 'ada-77aa',
      senderName: 'Ada Lovelace',
      senderAgent: false,
      sentAt: now - 3 * minute,
      text: 'The minutes, and where we will sit.',
      attachments: files,
      marks: [
        { agentId: null, slug: 'scout-5b5b', state: 'working', reason: '' },
        { agentId: 'guide', slug: 'guide-1c2d', state: 'done', reason: '' },
      ],
    }),
    mine('msg_up', 'And my list.', {
      sentAt: now - 30_000,
      delivery: 'pending',
      attachments: [{ filename: 'list.ods', mimeType: 'application/x', size: 4_000_000, sent: 1_500_000 }],
    }),
  ],
};

const look = (name: string, act?: (page: Page) => Promise<void>): Look => ({
  name,
  world: team,
  hash: '#/chat/ch_general',
  ready: 'where we will sit',
  ...(act === undefined ? {} : { act }),
});

const entry = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Space Demo' }).click();
  await page.getByRole('menuitem', { name }).click();
};

const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('some words') });

/** These start in the room list, which is a page of its own in a narrow window. */
export const listLooks = ['team-menu', 'team-members', 'team-invite', 'team-links', 'team-channel'];

export const chatLooks: readonly Look[] = [
  look('team'),
  look('team-menu', (page) => page.getByRole('button', { name: 'Space Demo' }).click()),
  look('team-members', async (page) => {
    await entry(page, 'Members…');
    await page.getByRole('button', { name: 'Change Ada' }).click();
  }),
  look('team-invite', (page) => entry(page, 'Invite…')),
  look('team-links', async (page) => {
    await entry(page, 'Invite people by link…');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  }),
  look('team-channel', (page) => entry(page, 'New channel…')),
  look('team-people', (page) => page.getByRole('button', { name: '6 members' }).click()),
  look('team-tray', async (page) => {
    const names = ['notes.txt', 'a rather long name of a file that does not fit.txt', 'three.txt'];
    await page.locator('input[type=file]').first().setInputFiles(names.map(text));
  }),
  look('team-search', async (page) => {
    await page.getByRole('button', { name: 'Search this room' }).click();
    // The dialog is loaded from a file of its own.
    await page.locator('.search-box input:focus').waitFor();
    await page.keyboard.type('plan');
    await page.locator('.hit').first().waitFor();
  }),
  look('team-search-empty', (page) => page.getByRole('button', { name: 'Search this room' }).click()),
  look('team-why', (page) => page.getByRole('button', { name: 'Scout is working' }).focus()),
  { ...look('team-archived'), hash: '#/chat/ch_old', ready: 'This space is archived' },
];
