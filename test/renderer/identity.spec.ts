/** Devices of the account and keys of others, in the settings. */
import { approval } from './ask-data.ts';
import { expect, test } from './open-page.ts';

const peer = {
  slug: 'ada-77aa',
  displayName: 'Ada',
  serverUrl: 'https://puffo.example.org',
  state: 'changed' as const,
  knownFingerprint: '1111 2222',
  offeredFingerprint: '3333 4444',
  messages: 2,
  since: null,
};

test('A device is added after comparing words; a device is revoked after a confirmation', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/devices');
  const card = page.getByRole('region', { name: 'Your devices' });
  await expect(card.getByRole('button', { name: /^Revoke/ })).toHaveCount(1);
  await card.getByRole('button', { name: 'Revoke… dev_old' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Revoke device' }).click();
  await expect(card).toContainText('dev_old revoked');
  await card.getByLabel('Enter the code shown on your new device').fill(' ABCD-1234 ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('apple river stone');
  expect(host.calls.some((call) => call.method === 'devices.enrolApprove')).toBe(false);
  await page.getByRole('button', { name: 'They match: add the device' }).click();
  await expect(page.getByText('The new device joins your account.')).toBeVisible();
});

test('A changed key is accepted only with both fingerprints shown, and the full one is sent', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill: (host) => host.spaces.peers.push(peer) }, '#/settings/people');
  await page.getByRole('button', { name: 'Compare… the keys of Ada' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1111 2222');
  await expect(dialog).toContainText('3333 4444');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Trust the new key' }).click();
  await expect(page.getByText('No one is waiting, and no identity key has changed.')).toBeVisible();
  expect(host.calls.find((call) => call.method === 'peers.accept')?.input).toEqual({
    slug: 'ada-77aa',
    fingerprint: '3333 4444',
  });
});

test('A waiting person can be accepted in the settings', async ({ page, open }) => {
  const eve = {
    slug: 'eve-1111',
    server: 'https://puffo.example.org',
    state: 'waiting' as const,
    messages: 2,
    since: 1,
    agents: ['guide'],
  };
  const { host } = await open({ fill: (host) => host.spaces.contacts.push(eve) }, '#/settings/people');
  const card = page.getByRole('region', { name: 'Who can message your agents' });
  await expect(card).toContainText('@eve-1111 waits for your decision; 2 messages held');
  await card.getByRole('button', { name: 'Accept eve-1111' }).click();
  await expect(card).toContainText('@eve-1111 accepted');
  expect(host.calls.find((call) => call.method === 'contacts.accept')?.input).toEqual({
    slug: 'eve-1111',
    server: 'https://puffo.example.org',
  });
});

test('T9 Sources that an agent may share with a channel can be added and removed', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/guide');
  await page.getByRole('tab', { name: 'Permissions' }).click();
  const card = page.getByRole('region', { name: 'What it may share' });
  await expect(card).toContainText('Nothing: it asks each time.');
  const share = card.getByRole('button', { name: 'Share', exact: true });
  const sources = card.getByRole('group', { name: 'What it may share there' });
  await sources.getByRole('checkbox', { name: 'Its files' }).uncheck();
  await expect(share).toBeDisabled();
  await sources.getByRole('checkbox', { name: 'Its notes' }).check();
  await share.click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  expect(host.calls.find((call) => call.method === 'grants.share')?.input).toEqual({
    agent: 'guide',
    room: 'ch_general',
    what: ['notes'],
  });
  await card.getByRole('button', { name: /^Remove permission/ }).click();
  await expect(card.getByRole('listitem')).toHaveCount(0);
});

test('A first-contact question offers Accept and Block', async ({ page, open }) => {
  const asked = {
    ...approval('ap_new', { kind: 'contact', subject: 'first_contact' }),
    title: 'wants to answer eve-1111, who writes for the first time',
  };
  await open({ approvals: [asked] }, '#/inbox');
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
});
