/** Other ways to start: an existing account, an interrupted sign-up, an import. */
import { expectAccessible } from './axe.ts';
import { demoRooms } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

const fresh = {
  host: {
    firstRun: true,
    demo: false,
    relay: { embedded: false, url: null },
    operator: null,
    vault: { kind: 'keychain' as const, backend: 'gnome', note: '' },
  },
  agents: {},
  messages: [],
  rooms: { ...demoRooms(), rooms: {} },
};

test('This computer joins an account as a device after the words and the fingerprint were shown', async ({
  page,
  open,
}) => {
  const { host } = await open({
    ...fresh,
    fill: (one) => one.home.device.push({ state: 'waiting', slug: '', fingerprint: '' }),
  });
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'I have an account' }).click();
  await page.getByRole('button', { name: 'Ask to join' }).click();
  await expect(page.getByText('K7QM-22PX').first()).toBeVisible();
  await expect(page.getByText('apple river stone')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'join-as-device');
  host.home.device.push({ state: 'ready', slug: 'ada-77aa', fingerprint: '1111 2222 3333' });
  await expect(page.getByText('Is this you: ada-77aa?')).toBeVisible();
  await expect(page.getByText('1111 2222 3333')).toBeVisible();
  expect(host.calls.some((call) => call.method === 'devices.enrolFinish')).toBe(false);
  await page.getByRole('button', { name: 'Yes, this is me' }).click();
  await expect(page.getByText('This computer is now a device of ada-77aa.')).toBeVisible();
  await expect(page.getByText('Older messages stay there.')).toBeVisible();
});

test('An expired join request can be sent again', async ({ page, open }) => {
  await open({
    ...fresh,
    fill: (one) => one.home.device.push({ state: 'ended', slug: '', fingerprint: '' }),
  });
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'I have an account' }).click();
  await page.getByRole('button', { name: 'Ask to join' }).click();
  await expect(page.getByText('The code expired before it was approved. Nothing was set up.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible();
});

test('An interrupted sign-up is offered first, to continue or discard', async ({ page, open }) => {
  await open({
    ...fresh,
    fill: (one) => {
      one.home.unfinished = {
        username: 'ada',
        serverUrl: 'https://puffo.example.org',
        note: 'Its keys are here.',
      };
    },
  });
  await page.getByRole('radio', { name: /Connect my Puffo space/ }).check();
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('A sign-up as ada at https://puffo.example.org was interrupted.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Continue it' }).click();
  await expect(page.getByRole('alert')).toContainText('The server does not answer.');
  await page.getByRole('button', { name: 'Discard it' }).click();
  await expect(page.getByText('A sign-up as ada')).toHaveCount(0);
});

test('In the app, first run can review an import folder and restore a backup', async ({ page, open }) => {
  const { host } = await open(fresh);
  await page.getByRole('radio', { name: /Import/ }).check();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Choose a backup…' })).toBeVisible();
  await expect(page.getByText('kennel import')).toHaveCount(0);
  await expectAccessible(page);
  await takePicture(page, 'import-app');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import an agent' });
  await dialog.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(dialog.getByText('This would be imported, paused.')).toBeVisible();
  expect(
    host.calls.filter(({ method }) => method === 'bundles.reviewBrought').map(({ input }) => input),
  ).toEqual([{ transferId: 'tr_folder' }]);
  await takePicture(page, 'import-folder');
});

test('In a browser, import shows the exact command for each case and a way back', async ({ page, open }) => {
  const { host } = await open({
    ...fresh,
    fill: ({ settings }) => Object.assign(settings, { desktop: null }),
  });
  await page.getByRole('radio', { name: /Import/ }).check();
  await page.keyboard.press('Enter');
  await expect(page.getByText('kennel import ~/.puffo-agent')).toBeVisible();
  await expect(page.getByText('kennel import ~/.local/share/puffo/puffo-cli/keys')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'import');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await expect(page.getByRole('dialog', { name: 'Import an agent' })).toBeVisible();
  host.feed.patch('host', { op: 'set', path: ['firstRun'], value: false });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: /Good/ })).toBeVisible();
  host.feed.patch('host', { op: 'set', path: ['firstRun'], value: true });
  await page.getByRole('radio', { name: /Import/ }).check();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio', { name: /Try it now/ })).toBeVisible();
});
