/** Skills in the window: states and places, switch, review, installation with its texts, update, removal, trial. */
import { extended } from './extension-looks.ts';
import { offer, skill } from './fake-extensions.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const sent = (host: FakeHost, method: string) =>
  host.calls.filter((call) => call.method === method).map(({ input }) => input);
const row = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Skills', exact: true })
    .getByRole('list', { name: 'Skills', exact: true })
    .getByRole('listitem')
    .filter({ hasText: name });

async function openSkills(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Servers and skills' }).click();
  await page.getByRole('radio', { name: 'Skills' }).click();
}

test('The skills of an agent show place and state, and are switched', async ({ page, open }) => {
  const { host } = await open(extended, '#/agents/guide');
  await openSkills(page);
  await expect(row(page, 'tables')).toContainText('for all agents');
  await expect(row(page, 'release')).toContainText('changed since you installed it');
  await expect(row(page, 'broken')).toContainText('The field "name" of SKILL.md is missing.');
  const turned = page.getByRole('switch', { name: 'skill-writing is on' });
  await expect(turned).not.toBeChecked();
  await turned.click();
  await expect(turned).toBeChecked();
  expect(sent(host, 'skills.switch')).toEqual([{ agent: 'guide', name: 'skill-writing', on: true }]);
});

test('A skill of the workspace is read as plain text before it is accepted (T9)', async ({ page, open }) => {
  const { host } = await open(extended, '#/agents/guide');
  await openSkills(page);
  await page.getByRole('button', { name: 'Review notes-style' }).click();
  const dialog = page.getByRole('dialog', { name: 'notes-style' });
  await expect(dialog.getByRole('region', { name: 'SKILL.md' })).toContainText(
    'Use **bold** headings.[U+200B]',
  );
  await expect(dialog.getByText('scripts/sum.py')).toBeVisible();
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('switch', { name: 'notes-style is on' })).toBeChecked();
  expect(sent(host, 'skills.accept')).toEqual([
    {
      agent: 'guide',
      name: 'notes-style',
      folder: '/home/ada/work/.agents/skills/notes-style',
      digest: 'a'.repeat(64),
    },
  ]);
});

test('Skills are installed from a source after all their texts were shown', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/skills');
  await page.getByRole('button', { name: 'Install…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Install skills' });
  await dialog.getByLabel('Path of a folder').fill('/srv/skills.zip');
  await dialog.getByRole('button', { name: 'Show what is in it' }).click();
  await expect(dialog.getByRole('region', { name: 'Texts of tables' })).toContainText('<b>bold</b>');
  await dialog.getByRole('checkbox', { name: /charts/ }).uncheck();
  await dialog.getByRole('button', { name: 'Install 1 skill' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, 'tables')).toBeVisible();
  expect(sent(host, 'skills.install')).toEqual([
    { source: '/srv/skills.zip', skills: [{ name: 'tables', digest: 'b'.repeat(64) }] },
  ]);
});

test('An installed skill is updated with its difference, and removed after a question', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    host.extensions.skills = [skill('tables')];
    host.extensions.offers = [
      offer('tables', { change: 'changed', diff: '@@ -1 +1 @@\n-Old words\n+New words\n' }),
    ];
  };
  const { host } = await open({ fill }, '#/settings/skills');
  const menu = page.getByRole('button', { name: 'Actions for tables' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Look for an update…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update tables' });
  await expect(dialog.getByRole('region', { name: 'Changes of tables' })).toContainText('New words');
  await takePicture(page, 'skills-update');
  await dialog.getByRole('button', { name: 'Install 1 skill' }).click();
  await expect(dialog).toBeHidden();
  expect(sent(host, 'skills.preview')).toEqual([{ name: 'tables' }]);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No skills yet')).toBeVisible();
});

test('A skill is tried in the chat with a message that names it', async ({ page, open }) => {
  const { host } = await open(extended, '#/agents/guide');
  host.putRoom('dm:guide-1c2d', []);
  await openSkills(page);
  await page.getByRole('button', { name: 'Try it: tables' }).click();
  await expect(page.getByRole('textbox', { name: /^Message/ })).toHaveValue(
    'Use the skill "tables" for this: ',
  );
});

test('Skills in German, in a narrow window', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await page.setViewportSize({ width: 360, height: 800 });
  await open(extended, '#/agents/guide');
  await page.getByRole('tab', { name: 'Server und Fertigkeiten' }).click();
  await page.getByRole('radio', { name: 'Fertigkeiten' }).click();
  await expect(page.getByRole('switch', { name: 'tables ist an' })).toBeChecked();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await takePicture(page, 'skills-german-360');
});
