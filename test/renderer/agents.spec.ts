/** An agent's page: its identity, model, files and lifecycle. */
import { expectAccessible } from './axe.ts';
import { incoming, tinyPng } from './fake-agent-page.ts';
import { agent, demoAgents, demoRooms, room } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const inputOf = (host: { calls: { method: string; input: unknown }[] }, method: string) =>
  host.calls.findLast((call) => call.method === method)?.input;

test('The profile editor shows changes before saving and sends only changed fields', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/agents/guide');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Role', { exact: true }).fill('Guide: shows the way');
  await expect(page.getByText(/about \d+ tokens in every turn/)).toBeVisible();
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('.is-added')).toContainText('Role: Guide: shows the way');
  await dialog.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  expect(Object.keys(inputOf(host, 'agents.edit') as object).sort()).toEqual([
    'agent',
    'role',
    'roleShort',
    'version',
  ]);
});

test('An earlier soul version can be compared and restored', async ({ page, open }) => {
  const fill = (host: { page: { souls: { at: number; soul: string }[] } }) => {
    host.page.souls.push({ at: Date.now() - 9_000_000, soul: 'You were shy.' });
    host.page.souls.push({ at: Date.now() - 60_000, soul: 'You are bold.' });
  };
  const { host } = await open({ fill }, '#/agents/guide');
  await tab(page, 'Personality');
  await page.getByText('Previous versions').click();
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  await expect(page.getByRole('dialog').locator('.is-added')).toContainText('You were shy.');
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByText('Version 1 is restored.')).toBeVisible();
  expect(host.souls.guide).toBe('You were shy.');
});

test('Unsynced profile fields are shown and can be sent to the server', async ({ page, open }) => {
  const fill = (host: { page: { unsynced: object } }) => {
    host.page.unsynced = { fields: ['displayName', 'picture'], since: Date.now() };
  };
  await open({ fill }, '#/agents/guide');
  await tab(page, 'Personality');
  await expect(page.getByText('not yet on the server: name and picture.')).toBeVisible();
  await page.getByRole('button', { name: 'Update now' }).click();
  await expect(page.getByText('The server is up to date.')).toBeVisible();
  await expect(page.getByText('not yet on the server')).toHaveCount(0);
});

test('The model list uses the typed key; on an error the model name can be entered by hand', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/agents/guide');
  await tab(page, 'Model');
  await page.getByLabel('Provider').selectOption('OpenAI');
  await page.getByLabel('API key').fill('sk-typed');
  await page.getByRole('button', { name: 'List models' }).click();
  await expect(page.getByText('2 models.')).toBeVisible();
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  await model.click();
  await expect(page.getByRole('option')).toHaveCount(2);
  // The open list hides the rest of the page from screen readers (library behaviour); leaving the field
  // closes it.
  await expectAccessible(page, { tags: ['wcag2a', 'wcag2aa'], without: ['aria-hidden-focus'] });
  await takePicture(page, 'models-offered');
  // By keyboard: typing filters the list, arrow keys and Enter select, Escape only closes.
  await model.fill('mini');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(model).toHaveValue(/mini/);
  await model.fill('one of my own');
  await page.keyboard.press('Escape');
  await expect(model).toHaveValue('one of my own');
  expect(inputOf(host, 'models.list')).toMatchObject({
    provider: 'openai',
    apiKey: 'sk-typed',
    agent: 'guide',
  });
  host.failing.set('models.list', {
    code: 'unauthenticated',
    message: 'api.openai.com refused the API key.',
  });
  await page.getByRole('button', { name: 'Refresh list' }).click();
  await expect(page.getByRole('alert')).toContainText('You can enter the model’s name yourself.');
});

test('Limits and price of a model can be set and removed', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/guide');
  await tab(page, 'Model');
  const card = page.getByRole('form', { name: 'Limits and price' });
  await card.getByLabel('Context window in tokens').fill('32768');
  await card.getByLabel('Temperature, 0 to 2').fill('0.7');
  await card.getByLabel('Tool calls').selectOption('As text, for models without native tool calls');
  await card.getByLabel('Dollars per million input tokens').fill('0.5');
  await card.getByLabel('Dollars per million output tokens').fill('1.5');
  await card.getByRole('button', { name: 'Save limits and price' }).click();
  await expect
    .poll(() => inputOf(host, 'agents.setModel'))
    .toMatchObject({
      agent: 'guide',
      contextWindow: 32_768,
      maxOutputTokens: null,
      temperature: 0.7,
      nativeTools: false,
      price: { input: 0.5, output: 1.5 },
    });
});

test('A channel rule can be set and removed', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/guide');
  await tab(page, 'Personality');
  await page.getByLabel('In #general').selectOption('As set above');
  await expect
    .poll(() => inputOf(host, 'agents.setRuntime'))
    .toEqual({ agent: 'guide', channels: { ch_general: null } });
  await page.getByLabel('In #general').selectOption('Never');
  await expect
    .poll(() => inputOf(host, 'agents.setRuntime'))
    .toEqual({ agent: 'guide', channels: { ch_general: 'never' } });
});

test('The file tree works with the keyboard, shows files by type and downloads them', async ({
  page,
  open,
}) => {
  await open({}, '#/agents/guide');
  await tab(page, 'Memory and files');
  await page.getByRole('radio', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'notes' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: /^plan.md/ }).click();
  await expect(page.getByRole('region', { name: 'Content of plan.md' })).toContainText('- write');
  await page.getByRole('button', { name: /^pixel.txt/ }).click();
  await expect(page.getByRole('img', { name: 'pixel.txt' })).toBeVisible();
  await page.getByRole('button', { name: /^raw.bin/ }).click();
  await expect(page.getByText('This file is neither text nor a supported picture')).toBeVisible();
  await page.getByRole('button', { name: 'msg_1' }).click();
  await page.getByRole('button', { name: /^brief.txt/ }).click();
  await expect(page.getByText('Please read this.')).toBeVisible();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download brief.txt' }).click();
  expect((await saved).suggestedFilename()).toBe('brief.txt');
});

test('A template fills in only fields that were not edited', async ({ page, open }) => {
  const { host } = await open({}, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('Rita');
  await page.getByRole('radio', { name: 'Reviewer' }).check();
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByLabel('Role')).toHaveValue(/^Reviewer:/);
  await page.getByLabel('Role').fill('Reads everything');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: 'Writer' }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByLabel('Role')).toHaveValue('Reads everything');
  await expect(page.getByRole('textbox', { name: 'Soul' })).toHaveValue(/rough notes/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('radio', { name: 'Chat: calls a model directly' })).toBeChecked();
  await page.getByRole('button', { name: 'Next' }).click();
  await expectAccessible(page);
  await takePicture(page, 'new-agent-model');
  await page.getByLabel('API key').fill('sk-ant-first');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect
    .poll(() => inputOf(host, 'agents.create'))
    .toMatchObject({ id: 'rita', role: 'Reads everything' });
  // The first model becomes the model of all agents, which the new one follows.
  expect(inputOf(host, 'config.set')).toMatchObject({ defaultProvider: 'anthropic', apiKey: 'sk-ant-first' });
  expect(inputOf(host, 'agents.create')).not.toHaveProperty('apiKey');
});

test('T9 A new agent may share sources and messages of a room with a channel from the start', async ({
  page,
  open,
}) => {
  const rooms = {
    ...demoRooms(),
    rooms: { ch_general: room('ch_general'), ch_ops: room('ch_ops', { name: 'ops' }) },
  };
  const { host } = await open({ rooms }, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('Rita');
  await page.getByLabel('Name').press('Enter');
  const dialog = page.getByRole('dialog');
  const sources = dialog.getByRole('group', { name: 'What it may share there' });
  await expect(sources).toHaveCount(0);
  await dialog.getByLabel('It may share without asking with').selectOption('#general');
  await expect(sources.getByRole('checkbox', { name: 'Its files' })).toBeChecked();
  await expect(sources.getByRole('checkbox', { name: 'Messages of #general' })).toHaveCount(0);
  await sources.getByRole('checkbox', { name: 'Its notes' }).check();
  await sources.getByRole('checkbox', { name: 'Messages of #ops' }).check();
  await expectAccessible(page);
  await takePicture(page, 'new-agent-share');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('API key').fill('sk-ant-first');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect
    .poll(() => inputOf(host, 'grants.share'))
    .toEqual({ agent: 'rita', room: 'ch_general', what: ['workspace', 'notes', 'ch_ops'] });
});

test('An agent is exported as an encrypted bundle once it is paused', async ({ page, open }) => {
  const { host } = await open({}, '#/agents/checker');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Passphrase', { exact: true }).fill('four words are enough');
  await dialog.getByLabel('Repeat passphrase').fill('four words are not');
  await expect(dialog.getByText('The passphrases do not match.')).toBeVisible();
  await dialog.getByLabel('Repeat passphrase').fill('four words are enough');
  await expect(dialog.getByRole('button', { name: 'Export' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Pause it' }).click();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('checker.puffoagent');
  await expect(dialog.getByText('9 files went into checker.puffoagent.')).toBeVisible();
  await expect.poll(() => host.page.forgotten).toEqual(['tr_1']);
});

test('An import is reviewed first; the operator chooses trust and identity', async ({ page, open }) => {
  const fill = (host: { page: { passphrase: string } }) => {
    host.page.passphrase = 'four words are enough';
  };
  const { host } = await open({ fill }, '#/agents');
  await page.getByRole('button', { name: 'Import an agent' }).click();
  const dialog = page.getByRole('dialog');
  const file = { name: 'scout.puffoagent', mimeType: 'application/octet-stream', buffer: tinyPng };
  await dialog.getByLabel('File').setInputFiles(file);
  await dialog.getByLabel('Passphrase', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('does not open');
  await dialog.getByLabel('Passphrase', { exact: true }).fill('four words are enough');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('scout-77aa at https://puffo.example.org')).toBeVisible();
  await expect(dialog.getByText('writes /srv/site')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('radio', { name: 'Give it a new identity' }).check();
  await dialog.getByLabel('Its id here').fill('scout-two');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByText('scout-two was imported.')).toBeVisible();
  expect(host.page.brought).toEqual(tinyPng);
  expect(inputOf(host, 'bundles.importBrought')).toEqual({
    transferId: 'tr_2',
    passphrase: 'four words are enough',
    digest: 'd1',
    as: 'scout-two',
    trust: false,
    identity: 'new',
  });
});

test('Agents in a file that cannot be imported are not selectable (T21)', async ({ page, open }) => {
  const nasty = '<img src=x onerror="window.pwned=1">‮';
  const fill = (host: { page: { review: { agents: unknown[] } } }) => {
    host.page.review.agents = [
      incoming({ displayName: nasty, role: nasty, soul: nasty, tools: [nasty], permissions: [nasty] }),
      incoming({ id: 'guide', displayName: 'Guide', problem: "There is already an agent 'guide' here." }),
    ];
  };
  const { host } = await open({ fill }, '#/agents');
  await page.getByRole('button', { name: 'Import an agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'all.zip', mimeType: 'application/zip', buffer: tinyPng });
  await expect(dialog.getByRole('checkbox', { name: 'Import Guide' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect.poll(() => inputOf(host, 'bundles.importBrought')).toMatchObject({ only: ['scout'] });
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
});

test('An agent can be invited to a channel it is not in, also in German', async ({ page, open }) => {
  const rooms = {
    ...demoRooms(),
    rooms: {
      ch_general: room('ch_general'),
      ch_release: room('ch_release', { name: 'release', members: [] }),
    },
  };
  const agents = { ...demoAgents(), guide: agent('guide', { slug: 'guide-1c2d' }) };
  const { host } = await open({ rooms, agents }, '#/agents/guide');
  await page.evaluate(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await page.reload();
  await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
  await page.getByRole('menuitem', { name: 'In einen Kanal einladen…' }).click();
  await page.getByRole('button', { name: 'In #release einladen' }).click();
  await expect.poll(() => inputOf(host, 'invites.send')).toEqual({ channel: 'ch_release', who: 'guide' });
  for (const name of ['Persönlichkeit', 'Modell', 'Berechtigungen', 'Gedächtnis und Dateien', 'Aktivität'])
    await expect(page.getByRole('tab', { name, includeHidden: true })).toBeAttached();
});
