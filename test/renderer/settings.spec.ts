/** The settings: found by search, each part with an address, and its effect on the host. */
import { textError } from '../../src/contract/errors.ts';
import { err } from '../../src/contract/result.ts';
import { german } from '../../src/language/german.ts';
import { agent } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';
import { auditLines } from './work-data.ts';

const sent = (host: FakeHost, method: string) =>
  host.calls.filter((call) => call.method === method).map((call) => call.input);

test('A section is found by its content, opened with Enter, and has its own address', async ({
  page,
  open,
}) => {
  await open({}, '#/settings');
  const nav = page.getByRole('navigation', { name: 'Settings sections' });
  await expect(nav.getByRole('link', { name: 'General' })).toHaveAttribute('aria-current', 'page');
  await nav.getByLabel('Find a setting').fill('invite code');
  await expect(nav.getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/settings\/server$/);
  await expect(page.getByRole('heading', { name: 'Server' })).toBeVisible();
  await nav.getByLabel('Find a setting').fill('xyzzy');
  await expect(page.getByText('No settings match.')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Start at login', { exact: true })).toBeVisible();
});

test('Start at login, tray and notifications are set in the app; a browser shows why they are missing', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/general');
  await page.getByRole('switch', { name: /Start at login/ }).click();
  await expect(page.getByText('Kennel stays in the tray')).toBeVisible();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('link', { name: 'Notifications' }).click();
  const finished = page.getByRole('switch', { name: 'An agent answers me' });
  await expect(finished).not.toBeChecked();
  await finished.click();
  await page.getByRole('switch', { name: /names of files/ }).click();
  await expect
    .poll(() => sent(host, 'desktop.set'))
    .toEqual([
      { startAtLogin: true },
      { trayPanel: 'dark' },
      { notify: { finished: true } },
      { notifyText: true },
    ]);
  await expect(page.getByRole('switch', { name: 'An agent asks me something' })).toBeChecked();
  host.settings.desktop = null;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Only in the app' })).toBeVisible();
});

test('Rules for all agents are tested on past calls, then saved; an invalid file is reported', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/rules');
  host.work.back = { calls: 12, allowed: 9, asked: 1, denied: 2, changed: [] };
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Verdict of rule 1').selectOption('Deny');
  await page.getByLabel('Pattern of rule 1').fill('bash_exec(rm *)');
  await page.getByRole('button', { name: /^Test on/ }).click();
  await expect(page.getByText('2 would be denied')).toBeVisible();
  expect(sent(host, 'policy.test')).toMatchObject([{ all: true, rules: [{ action: 'deny' }] }]);
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect
    .poll(() => host.settings.policy.rules)
    .toEqual([{ action: 'deny', pattern: 'bash_exec(rm *)' }]);
  await page.getByRole('radio', { name: 'Never asks (unattended)' }).click();
  await page.getByLabel('How long a question waits').selectOption('3 days');
  await expect
    .poll(() => host.settings.policy)
    .toMatchObject({ mode: 'unattended', approvalHours: 72, rules: [{ action: 'deny' }] });
  host.settings.policy.problem = 'daemon.yml, line 3: this does not fit.';
  await page.reload();
  await expect(page.getByText('daemon.yml, line 3')).toBeVisible();
});

test('T27 The message limit per person shows the stored value, and saves only a valid number', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/budget');
  const card = page.getByRole('form', { name: 'Limit per person' });
  const field = card.getByLabel('Messages per hour that an agent answers');
  const save = card.getByRole('button', { name: 'Save' });
  await expect(field).toHaveValue('40');
  await expect(save).toBeDisabled();
  for (const wrong of ['', '0', '2.5', '10001']) {
    await field.fill(wrong);
    await save.click();
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
  }
  await field.fill('12');
  await save.click();
  await expect(page.getByText('Saved. It applies from the next message.')).toBeVisible();
  await expect(save).toBeDisabled();
  expect(sent(host, 'config.set')).toEqual([{ senderMessages: 12 }]);
  await page.reload();
  await expect(field).toHaveValue('12');
});

test('Finished work is archived after the days that are saved; 0 is never', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/general');
  const card = page.getByRole('form', { name: 'Archive' });
  const days = card.getByLabel('Archive finished work after (days)');
  await expect(days).toHaveValue('0');
  await days.fill('30');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. Kennel archives once an hour.')).toBeVisible();
  expect(sent(host, 'config.set')).toEqual([{ archiveDays: 30 }]);
  await page.reload();
  await expect(days).toHaveValue('30');
});

test('Pairing shows a countdown and can be cancelled; a paired device can be unpaired', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/bridge');
  await expect(page.getByText('@ada-77aa').or(page.getByText('ada-77aa')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pair a device' }).click();
  await expect.poll(() => sent(host, 'bridge.openPairing')).toEqual([{}]);
  await expect(page.getByText('407113')).toBeVisible();
  await expect(page.locator('.countdown')).toHaveText(/^4:\d\d$/);
  host.settings.bridge = {
    ...host.settings.bridge,
    window: { ...host.settings.bridge.window!, failures: 2 },
  };
  await expect(page.getByText('2 failed tries; pairing ends after ten.')).toBeVisible();
  await page.getByRole('button', { name: 'Stop pairing' }).click();
  await expect(page.locator('.countdown')).toHaveCount(0);
  const device = `dev_${'a'.repeat(43)}`;
  await page.getByLabel(/^Device id/).fill(device);
  await page.getByRole('button', { name: 'Pair a device' }).click();
  await expect.poll(() => sent(host, 'bridge.openPairing')).toEqual([{}, { device }]);
  await expect(page.getByText(device)).toBeVisible();
  await expect(page.getByText('407113')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop pairing' }).click();
  await page.getByRole('button', { name: 'Unpair…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpair', exact: true }).click();
  await expect(page.getByText('No device paired.')).toBeVisible();
});

test('An own server lists people and creates invite codes; another server does not', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/server');
  await expect(page.getByText('Your own, inside this Kennel')).toBeVisible();
  await expect(page.getByText('240 KiB')).toBeVisible();
  await expect(page.getByRole('region', { name: 'People and agents there (2)' }).first()).toContainText(
    'Guide',
  );
  await page.getByRole('button', { name: 'Create invite code' }).click();
  await expect(page.getByText('inv-9f3k-77', { exact: true })).toBeVisible();
  await expect(page.getByText('http://127.0.0.1:43117/#invite=inv-9f3k-77')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the invite link' })).toBeVisible();
  await expect(page.getByText('It works once, within 7 days')).toBeVisible();
  await page.getByRole('img', { name: 'QR code of the invite link' }).scrollIntoViewIfNeeded();
  await takePicture(page, 'people-invite');
  host.settings.relay = { embedded: false, url: null, bytes: 0, connections: 0, people: [] };
  await page.reload();
  await expect(page.getByText('Another server')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create invite code' })).toHaveCount(0);
});

test('In a browser a backup needs no path, and the restore command is ready to copy', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { fill: ({ settings }) => Object.assign(settings, { desktop: null }) },
    '#/settings/backup',
  );
  await page.getByRole('button', { name: 'Make a backup now' }).click();
  await expect(page.getByText('41 files, 3 MiB, in')).toBeVisible();
  await expect(page.getByText("kennel restore '/home/ada/my kennel-backup-20261121-204500'")).toBeVisible();
  expect(sent(host, 'backup.makeHere')).toEqual([{}]);
});

test('In the app a backup is saved to a chosen path, and a restore is reviewed and followed to its end', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/backup');
  await page.getByRole('button', { name: 'Save a backup as…' }).click();
  await expect(page.getByText('41 files, 3 MiB, in')).toBeVisible();
  const pick = page.getByRole('button', { name: 'Choose a backup…' });
  await pick.click();
  const question = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(question).toContainText('by Kennel 1.2.0: 41 files, 3 MiB');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await takePicture(page, 'restore-ask');
  await page.keyboard.press('Escape');
  await expect(pick).toBeFocused();
  expect(sent(host, 'desktop.restore')).toEqual([]);

  await pick.click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Restoring: 20 of 41 files')).toBeVisible();
  await expect(pick).toBeDisabled();
  const view = host.settings.desktop;
  if (!view) throw new Error('no app');
  host.settings.desktop = {
    ...view,
    restore: { type: 'done', files: 41, aside: '/home/ada/.kennel.before-1' },
  };
  await expect(page.getByText('Restored 41 files.')).toBeVisible();
  await expect(page.getByText('/home/ada/.kennel.before-1')).toBeVisible();
  // The app reloads the page; the result is still shown.
  await page.reload();
  await expect(page.getByText('Restored 41 files.')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'restore-done-dark');

  host.settings.backup = err(textError('invalid_input', 'This is not a backup that "kennel backup" made.'));
  await pick.click();
  await expect(page.getByRole('alert')).toContainText('This is not a backup');
});

test('Packages and licences are listed without a network request', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/about');
  await page.getByRole('button', { name: 'Show licences' }).click();
  await page.getByLabel('Find a package or licence').fill('react-dom');
  const list = page.getByRole('region', { name: 'Packages and licences' });
  await list.getByText(/^react-dom 19/).click();
  await expect(list.getByText('Meta Platforms')).toBeVisible();
  expect(host.requests.filter((path) => !/^\/(assets\/|$|favicon)/.test(path))).toEqual([]);
});

test('The fingerprint is shown, and all settings sections open in German', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await open({}, '#/settings/devices');
  await expect(page.getByText('aaaa bbbb cccc dddd')).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Bereiche der Einstellungen' });
  for (const name of await nav.getByRole('link').allTextContents()) {
    await nav.getByRole('link', { name, exact: true }).click();
    await expect(page.locator('.settings-stack h2, .settings-stack legend').first()).toBeVisible();
  }
});

test('The audit log names agents; ids are in the tooltip', async ({ page, open }) => {
  const approval = 'ap_6f1c2b1e-0000-4000-8000-3b1f0c9d2e11';
  const [line] = auditLines().slice(1);
  await open(
    {
      agents: { guide: agent('guide') },
      fill: ({ consent }) => {
        consent.audit = line === undefined ? [] : [{ ...line, detail: `${approval} window once` }];
      },
    },
    '#/settings/security',
  );
  const row = page.locator('.audit li');
  await expect(row).toContainText('Guide · write_file · allowed once · in the window once');
  await expect(row.locator('[title]').first()).toHaveAttribute('title', `guide · ${approval} window once`);
});

test('The audit log says outcomes and decisions in the language of the window', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  const [line] = auditLines().slice(1);
  const fill = (host: FakeHost): void => {
    host.consent.audit =
      line === undefined
        ? []
        : [
            { ...line, seq: 3, kind: 'contact', outcome: 'blocked_withdrawn', detail: 'bo at example.org' },
            { ...line, seq: 2, kind: 'decision', outcome: 'denied', detail: 'tray' },
          ];
  };
  await open({ agents: { guide: agent('guide') }, fill }, '#/settings/security');
  const rows = page.locator('.audit li');
  await expect(rows.first()).toContainText('blockiert (zurückgenommen) · bo at example.org');
  await expect(rows.last()).toContainText('abgelehnt · im Infobereich');
});

test('Tools are explained in the language of the window, unknown ones as they describe themselves', async ({
  page,
  open,
}) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  const own = {
    name: 'crm_find',
    group: 'crm',
    description: 'Finds a customer. Use it first.',
    offered: true,
    why: '',
  };
  await open(
    {
      agents: { guide: agent('guide') },
      fill: ({ work }) => {
        work.tools.available = [...work.tools.available, own];
      },
    },
    '#/agents/guide',
  );
  await page.getByRole('tab', { name: german.agents.permissions }).click();
  await expect(page.getByText(german.toolHelp.write_file)).toBeVisible();
  await expect(page.getByText('Finds a customer.', { exact: true })).toBeVisible();
});
