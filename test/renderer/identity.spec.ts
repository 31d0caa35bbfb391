/** Devices of the account and keys of others, in the settings. */
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

test('another device is let in after words were compared; one is revoked after a question', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/devices');
  const card = page.getByRole('region', { name: 'Your devices' });
  await expect(card.getByRole('button', { name: /^Revoke/ })).toHaveCount(1);
  await card.getByRole('button', { name: 'Revoke… dev_old' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Revoke for good' }).click();
  await expect(card).toContainText('dev_old revoked');
  await card.getByLabel('Let another computer in').fill(' ABCD-1234 ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('apple river stone');
  expect(host.calls.some((call) => call.method === 'devices.enrolApprove')).toBe(false);
  await page.getByRole('button', { name: 'They are the same: let it in' }).click();
  await expect(page.getByText('The new device joins your account.')).toBeVisible();
});

test('a changed key is trusted only with both fingerprints in sight, and the whole one is said', async ({
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
  await expect(page.getByText('Nobody waits, and nobody’s identity key has changed.')).toBeVisible();
  expect(host.calls.find((call) => call.method === 'peers.accept')?.input).toEqual({
    slug: 'ada-77aa',
    fingerprint: '3333 4444',
  });
});
