/** Spaces, channels, members and invitations, as the operator manages them in the room list. */
import type { RoomsView } from '../../src/contract/model.ts';
import { agent, demoAgents, demoRooms, room } from './fake-data.ts';
import type { FakeHost, World } from './fake-host.ts';
import { inviteToGarden } from './fake-spaces.ts';
import { expect, type Page, test } from './open-page.ts';

const invite = {
  id: 'inv_1',
  scope: 'channel' as const,
  spaceId: 'sp_lab',
  spaceName: 'Lab',
  channelId: 'ch_lab',
  channelName: 'results',
  inviterSlug: 'ada-77aa',
  inviterName: 'Ada',
};

const rooms = (change: Partial<RoomsView> = {}): RoomsView => ({ ...demoRooms(), ...change });
const sent = (host: FakeHost, method: string) =>
  host.calls.filter((call) => call.method === method).map((call) => call.input);

async function spaceMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Space Demo' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('A new space opens in its first channel', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Garden');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'General', level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Garden' })).toBeVisible();
  expect(sent(host, 'spaces.create')).toEqual([{ name: 'Garden' }]);
});

test('A channel is encrypted by default, and both choices are explained', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await spaceMenu(page, 'New channel…');
  await page.getByRole('textbox', { name: 'Name' }).fill('#plans');
  await expect(page.getByLabel('Encrypted', { exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Create channel' }).click();
  await expect(page.getByText('end-to-end encrypted')).toBeVisible();
  await spaceMenu(page, 'New channel…');
  await page.getByRole('textbox', { name: 'Name' }).fill('news');
  await page.getByLabel('Signed, not encrypted').check();
  await expect(page.getByText('The server can read it, and no one can forge')).toBeVisible();
  await page.getByRole('button', { name: 'Create channel' }).click();
  await expect(page.locator('.lock.is-open')).toHaveText('not encrypted');
  expect(sent(host, 'channels.create')).toEqual([
    { space: 'sp_demo', name: 'plans', encrypted: true },
    { space: 'sp_demo', name: 'news', encrypted: false },
  ]);
});

test('Several people are invited at once; failed ones stay selected', async ({ page, open }) => {
  const agents = { ...demoAgents(), scribe: agent('scribe') };
  const { host } = await open({ agents }, '#/chat/ch_general');
  await spaceMenu(page, 'Invite…');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Guide'), 'is in it already').toHaveCount(0);
  await expect(dialog.getByText('runs on this computer only')).toBeVisible();
  await dialog.getByLabel('Scribe').check();
  await dialog.getByLabel('Other people and their agents').fill('@bob-1111, nobody-0000');
  await dialog.getByRole('button', { name: 'Invite 3 members' }).click();
  await expect(dialog.getByText('bob-1111 invited')).toBeVisible();
  await expect(dialog.getByText('The server knows nobody by that handle.')).toBeVisible();
  await expect(dialog.getByLabel('Other people and their agents')).toHaveValue('nobody-0000');
  await expect(dialog.getByLabel('Scribe')).not.toBeChecked();
  expect(sent(host, 'invites.send')).toEqual(
    ['scribe', 'bob-1111', 'nobody-0000'].map((who) => ({ space: 'sp_demo', who })),
  );
  // The next step is a button; the page that it opens is not covered by the dialog.
  await dialog.getByRole('button', { name: 'Open People' }).click();
  await expect(page).toHaveURL(/#\/settings\/people$/);
  await expect(dialog).toHaveCount(0);
});

test('Role changes and removals require a confirmation that explains the effect', async ({ page, open }) => {
  const presence = { 'scout-5b5b': { state: 'error' as const, errorText: 'no credit left' } };
  const { host } = await open({ rooms: rooms({ presence }) }, '#/chat/ch_general');
  await spaceMenu(page, 'Members…');
  const row = (name: string) => page.locator('.member-list .person').filter({ hasText: name });
  await expect(row('Scout')).toContainText('error: no credit left');
  await expect(row('Scout').getByRole('img', { name: 'error: no credit left' })).toBeVisible();
  await row('Ada').getByRole('button', { name: 'Change Ada' }).click();
  await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click();
  await expect(page.getByText('You become an admin, and only Ada can give it back.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await row('Ada').getByRole('button', { name: 'Change Ada' }).click();
  await page.getByRole('menuitem', { name: 'Make member…' }).click();
  await page.getByRole('button', { name: 'Make a member' }).click();
  await expect(row('Ada').locator('.chip')).toHaveText('member');
  await row('Scout').getByRole('button', { name: 'Change Scout' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect(page.getByText('receives no new messages')).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row('Scout')).toHaveCount(0);
  expect(sent(host, 'spaces.setRole')).toEqual([{ space: 'sp_demo', who: 'ada-77aa', role: 'member' }]);
  expect(sent(host, 'spaces.remove')).toEqual([{ space: 'sp_demo', who: 'scout-5b5b' }]);
});

test('Pending invitations are listed below the members and can be withdrawn', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  const of = {
    ...invite,
    spaceId: 'sp_demo',
    spaceName: 'Demo',
    inviterSlug: 'you-3f9a',
    inviterName: 'You',
  };
  host.spaces.sent = [
    { ...of, id: 'inv_2', scope: 'space', inviteeSlug: 'bo-1111', inviteeName: 'Bo' },
    { ...of, id: 'inv_3', inviteeSlug: 'cy-2222', inviteeName: '' },
    { ...of, id: 'inv_4', spaceId: 'sp_other', inviteeSlug: 'di-3333', inviteeName: 'Di' },
  ];
  await spaceMenu(page, 'Members…');
  const waiting = page.getByRole('region', { name: 'Invited, no answer yet' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await expect(waiting).toContainText('@cy-2222 · #results');
  await waiting.getByRole('button', { name: 'Withdraw the invitation of Bo' }).click();
  await expect(waiting.getByRole('listitem')).toHaveCount(1);
  expect(sent(host, 'invites.cancel')).toEqual([{ invite: 'inv_2' }]);
});

test('An invite link is shown once with its QR code, listed with its uses, and revoked', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  await spaceMenu(page, 'Invite people by link…');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Expires after').selectOption('1 day');
  await dialog.getByLabel('Number of people').selectOption('1 person');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByText(inviteToGarden)).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy the link' })).toBeVisible();
  const list = dialog.getByRole('region', { name: 'Links' });
  await expect(list.getByRole('listitem')).toContainText('used by 0 of 1');
  await list.getByRole('button', { name: 'Revoke' }).click();
  await expect(list).toHaveCount(0);
  await expect(dialog.getByText(inviteToGarden)).toHaveCount(0);
  expect(sent(host, 'links.create')).toEqual([{ space: 'sp_demo', days: 1, uses: 1 }]);
  expect(sent(host, 'links.revoke')).toHaveLength(1);
});

test('Joining by link names the server before it connects, and the space before it joins', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox', { name: 'Invite link' });
  await field.fill(inviteToGarden.slice(0, -1));
  await expect(dialog.getByText('This is not a complete invite link.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Connect' })).toBeDisabled();
  await field.fill(inviteToGarden);
  await expect(dialog.getByText('This link leads to the server https://chat.example.org.')).toBeVisible();
  expect(sent(host, 'links.look')).toEqual([]);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(
    dialog.getByText('Ada (@ada-77aa) invites you to Garden at https://chat.example.org.'),
  ).toBeVisible();
  expect(sent(host, 'links.join')).toEqual([]);
  await dialog.getByRole('button', { name: 'Join Garden' }).click();
  await expect(page.getByRole('heading', { name: 'Garden' })).toBeVisible();
  expect(sent(host, 'links.join')).toEqual([{ link: inviteToGarden }]);
});

test('A plain member sees only permitted actions', async ({ page, open }) => {
  const spaces = [{ id: 'sp_demo', name: 'Demo', role: 'member', archived: false }];
  await open({ rooms: rooms({ spaces }) }, '#/chat/ch_general');
  await page.getByRole('button', { name: 'Space Demo' }).click();
  const entries = await page.getByRole('menuitem').allTextContents();
  expect(entries).toEqual(['Invite…', 'Members…', 'Leave…']);
});

test('A server error is shown in the dialog, which stays open', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  host.failing.set('spaces.rename', {
    code: 'unsupported',
    message: 'This version of Kennel cannot do that yet.',
  });
  await spaceMenu(page, 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Attic');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('cannot do that yet');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Attic');
});

test('An archived space is read-only and can be restored', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await spaceMenu(page, 'Archive…');
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(page.getByText('This space is archived.')).toBeVisible();
  await expect(page.getByLabel('Message #general')).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByLabel('Message #general')).toBeVisible();
  expect(sent(host, 'spaces.archive')).toHaveLength(2);
});

test('An invitation shows who and where, and disappears once answered', async ({ page, open }) => {
  const { host } = await open({ rooms: rooms({ invites: [invite] }) }, '#/chat/ch_general');
  await expect(page.locator('.invite-card')).toContainText('Ada invites you to #results in Lab');
  await page.getByRole('button', { name: 'Decline the invitation to #results' }).click();
  await expect(page.locator('.invite-card')).toHaveCount(0);
  expect(sent(host, 'invites.answer')).toEqual([{ invite: 'inv_1', accept: false }]);
});

test('The collapsed room list still opens invitations and spaces', async ({ page, open }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await open({ rooms: rooms({ invites: [invite] }) }, '#/chat/ch_general');
  await page.getByRole('button', { name: '1 invitation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(page.getByText('You’re all caught up.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Space Demo' }).click();
  const box = await page.getByRole('menu').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
});

test('A channel is renamed and a member removed by keyboard, and the focus returns', async ({
  page,
  open,
}) => {
  const world: World = { rooms: rooms({ rooms: { ch_general: room('ch_general') } }) };
  const { host } = await open(world, '#/chat/ch_general');
  const menu = page.getByRole('button', { name: 'Channel #general' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name' }).fill('lobby');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'lobby' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Channel #lobby' })).toBeFocused();
  await page.getByRole('button', { name: '3 members' }).click();
  await page.getByRole('button', { name: 'More about Checker' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the channel…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: '2 members' })).toBeVisible();
  expect(sent(host, 'channels.remove')).toEqual([{ channel: 'ch_general', who: 'checker-1c2d' }]);
});
