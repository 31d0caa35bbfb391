/** The page while the vault is locked. */
import { expect, test } from './open-page.ts';

test('A locked vault opens only with the right passphrase', async ({ page, open }) => {
  await open({ host: { state: 'locked', vault: { kind: 'passphrase', backend: '', note: '' } } });
  await page.getByLabel('Passphrase').fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('does not open the vault');
  await page.getByLabel('Passphrase').fill('open sesame');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Good/ })).toBeVisible();
});

test('A vault without its keychain key shows the problem and asks for no passphrase', async ({
  page,
  open,
}) => {
  const { host } = await open({
    host: {
      state: 'locked',
      vault: { kind: 'keychain', backend: 'secret-service', note: '' },
      problems: [
        {
          id: 'vault',
          severity: 'error',
          at: 0,
          hint: 'Unlock it.',
          message: 'The keychain "secret-service" does not have this folder\'s key. Nothing was changed.',
        },
      ],
    },
  });
  await expect(page.getByRole('main')).toContainText('does not have this folder');
  await expect(page.getByRole('main')).toContainText('Unlock it.');
  await expect(page.getByLabel('Passphrase')).toHaveCount(0);
  host.feed.patch('host', { op: 'set', path: ['state'], value: 'ready' });
  await expect(page.getByRole('heading', { name: /Good/ })).toBeVisible();
});

test('A demo without its key file shows the problem and asks for no passphrase', async ({ page, open }) => {
  const problem = { id: 'vault', severity: 'error', at: 0, hint: 'Put it back.' } as const;
  const message = 'The key file of the demo is missing or damaged. Nothing was changed.';
  const vault = { kind: 'demo-file', backend: '', note: '' } as const;
  await open({ host: { state: 'locked', vault, problems: [{ ...problem, message }] } });
  await expect(page.getByRole('main')).toContainText('key file of the demo is missing');
  await expect(page.getByRole('main')).toContainText('Put it back.');
  await expect(page.getByRole('main')).not.toContainText('keychain');
  await expect(page.getByLabel('Passphrase')).toHaveCount(0);
});
