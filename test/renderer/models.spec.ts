/** Choosing a model: the settings of all agents and of one agent, their tests, and changes made elsewhere. */
import { agent, demoAgents } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const sent = (host: FakeHost, method: string) =>
  host.calls.filter((call) => call.method === method).map((call) => call.input);

const model = (page: Page) => page.getByRole('combobox', { name: 'Model', exact: true });
const form = (page: Page, name: string) => page.getByRole('form', { name });
const save = (page: Page, name: string) => form(page, name).getByRole('button', { name: /^Save/ }).click();

test('The model settings show what is saved, and a save changes only what was edited', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    host.models.saved = {
      defaultProvider: 'google',
      providers: { google: { model: 'gemini-2.5-pro', baseUrl: '' } },
      inUse: { provider: 'google', model: 'gemini-2.5-pro', scripted: false },
    };
    host.models.keys = { google: 'stored' };
  };
  const { host } = await open({ fill }, '#/settings/models');
  const card = form(page, 'Default model');
  await expect(card.getByLabel('Provider')).toHaveValue('google');
  await expect(model(page)).toHaveValue('gemini-2.5-pro');
  await expect(card.getByText('Now using gemini-2.5-pro from Google.')).toBeVisible();
  await expect(card.getByLabel('API key')).toHaveAttribute('placeholder', 'A key is stored');
  await expect(card.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

  await model(page).fill('gemini-2.5-flash');
  await expect(card.getByText('Unsaved changes')).toBeVisible();
  await takePicture(page, 'settings-models');
  await card.getByRole('button', { name: 'Discard changes' }).click();
  await expect(model(page)).toHaveValue('gemini-2.5-pro');

  await model(page).fill('gemini-2.5-flash');
  await save(page, 'Default model');
  await expect(card.getByText('Unsaved changes')).toHaveCount(0);
  expect(host.models.saved.defaultProvider).toBe('google');
  await page.reload();
  await expect(card.getByLabel('Provider')).toHaveValue('google');
  await expect(model(page)).toHaveValue('gemini-2.5-flash');
});

test('A save does not overwrite a model that was changed elsewhere; the edit is kept', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/models');
  const card = form(page, 'Default model');
  await expect(card.getByLabel('Provider')).toHaveValue('anthropic');
  await model(page).fill('my-model');
  host.models.saved = {
    defaultProvider: 'anthropic',
    providers: { anthropic: { model: 'theirs', baseUrl: 'https://gateway.example.org' } },
    inUse: null,
  };
  await save(page, 'Default model');
  await expect(card.getByRole('alert')).toContainText('were changed elsewhere');
  await expect(model(page)).toHaveValue('my-model');
  // The other field shows what is stored now.
  await expect(card.getByLabel('Base URL')).toHaveValue('https://gateway.example.org');
  expect(host.models.saved.providers.anthropic?.model).toBe('theirs');
  await save(page, 'Default model');
  await expect(card.getByRole('alert')).toHaveCount(0);
  await expect
    .poll(() => host.models.saved.providers.anthropic)
    .toEqual({ model: 'my-model', baseUrl: 'https://gateway.example.org' });
});

test('Each card of settings and agent shows after a reload what was saved', async ({ page, open }) => {
  const agents = {
    ...demoAgents(),
    ada: agent('ada', { provider: 'anthropic', model: 'claude', scripted: false }),
  };
  const { host } = await open({ agents }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByLabel('Provider').selectOption('ollama');
  await model(page).fill('qwen3:8b');
  await save(page, 'Model');
  await expect(form(page, 'Model').getByText('Unsaved changes')).toHaveCount(0);
  const limits = form(page, 'Limits and price');
  await limits.getByLabel('Temperature, 0 to 2').fill('0.4');
  await save(page, 'Limits and price');
  await expect(limits.getByText('Unsaved changes')).toHaveCount(0);
  await page.reload();
  await page.getByRole('tab', { name: 'Model' }).click();
  await expect(page.getByLabel('Provider')).toHaveValue('ollama');
  await expect(model(page)).toHaveValue('qwen3:8b');
  await expect(limits.getByLabel('Temperature, 0 to 2')).toHaveValue('0.4');

  await page.goto(`${page.url().split('#')[0]}#/settings/rules`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Pattern of rule 1').fill('bash_exec(rm *)');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByLabel('How long a question waits').selectOption('3 days');
  await expect.poll(() => host.settings.policy.approvalHours).toBe(72);
  await page.reload();
  await expect(page.getByLabel('Pattern of rule 1')).toHaveValue('bash_exec(rm *)');
  await expect(page.getByLabel('How long a question waits')).toHaveValue('72');

  await page.goto(`${page.url().split('#')[0]}#/settings/budget`);
  await page.getByRole('button', { name: /^(Set a|Edit) budget$/ }).click();
  await page.getByLabel('Tokens a day').fill('5000');
  await page.getByRole('button', { name: 'Save budget' }).click();
  await expect(page.getByLabel('Tokens a day')).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: /^(Set a|Edit) budget$/ }).click();
  await expect(page.getByLabel('Tokens a day')).toHaveValue('5000');
  expect(sent(host, 'usage.setBudget')).toHaveLength(1);

  await page.goto(`${page.url().split('#')[0]}#/settings/profile`);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => host.settings.profile.displayName).toBe('Ada Lovelace');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Ada Lovelace');

  await page.goto(`${page.url().split('#')[0]}#/settings/general`);
  await page.getByRole('switch', { name: /Start at login/ }).click();
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('switch', { name: 'An agent answers me' }).click();
  await expect.poll(() => host.settings.desktop?.settings.notify.finished).toBe(true);
  await page.reload();
  await expect(page.getByRole('switch', { name: 'An agent answers me' })).toBeChecked();
  await page.getByRole('link', { name: 'General' }).click();
  await expect(page.getByRole('switch', { name: /Start at login/ })).toBeChecked();
});

test('A model is tested before it is saved; a refused key is reported beside it', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/models');
  await page.getByLabel('API key').fill('sk-ant-wrong');
  host.models.refusal = { code: 'unauthenticated', message: 'api.anthropic.com refused the API key.' };
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('refused the API key');
  host.models.refusal = null;
  await page.getByLabel('API key').fill('sk-ant-right');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('It works: usual-model answered in 0.8 s.')).toBeVisible();
  expect(sent(host, 'models.test').at(-1)).toMatchObject({ provider: 'anthropic', apiKey: 'sk-ant-right' });
  expect(sent(host, 'config.set')).toEqual([]);
});

test('A key in the demo asks for a passphrase in the form and is saved with it', async ({ page, open }) => {
  const { host } = await open(
    { host: { vault: { kind: 'demo-file', backend: '', note: '' } } },
    '#/settings/models',
  );
  host.models.safe = false;
  await page.getByLabel('API key').fill('sk-ant-1');
  await save(page, 'Default model');
  const step = page.getByRole('region', { name: 'Choose a passphrase' });
  await step.getByLabel('New passphrase').fill('open sesame');
  await step.getByLabel('Repeat passphrase').fill('open sesame');
  await takePicture(page, 'key-passphrase');
  host.models.safe = true;
  await step.getByRole('button', { name: 'Use this passphrase' }).click();
  await expect(page.getByText('Keys: Anthropic (stored, encrypted).')).toBeVisible();
  await expect(step).toHaveCount(0);
  expect(sent(host, 'host.unlock')).toEqual([{ passphrase: 'open sesame' }]);
});

test('The script is offered only in the demo and to agents that follow it', async ({ page, open }) => {
  const agents = { ...demoAgents(), ada: agent('ada', { provider: 'anthropic', scripted: false }) };
  await open({ agents, host: { demo: false } }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Model' }).click();
  const offered = page.getByLabel('Provider').locator('option');
  await expect(offered.filter({ hasText: 'Anthropic' })).toHaveCount(1);
  await expect(offered.filter({ hasText: 'Scripted' })).toHaveCount(0);
  // Kinds that cannot start here are not offered.
  await expect(page.getByRole('radio')).toHaveCount(1);
});

test('An error whose next step is a terminal command shows a button instead', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/models');
  host.models.refusal = {
    code: 'locked',
    message: 'Your secrets are locked.',
    hint: 'Run "kennel unlock".',
  };
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const note = form(page, 'Default model').getByRole('alert');
  await expect(note).toContainText('Your secrets are locked.');
  await expect(note).not.toContainText('kennel unlock');
  await note.getByRole('button', { name: 'Open Security' }).click();
  await expect(page).toHaveURL(/#\/settings\/security$/);
});

test('An agent that follows the saved model of its provider still follows it after a save', async ({
  page,
  open,
}) => {
  const agents = {
    ...demoAgents(),
    ada: agent('ada', { provider: 'ollama', model: '', scripted: false }),
  };
  const fill = (host: FakeHost): void => {
    host.models.saved = {
      defaultProvider: 'anthropic',
      providers: { ollama: { model: 'llama3.2', baseUrl: '' } },
      inUse: null,
    };
  };
  const { host } = await open({ agents, fill }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Model' }).click();
  await expect(page.getByLabel('Provider')).toHaveValue('ollama');
  await expect(model(page)).toHaveAttribute('placeholder', 'llama3.2');
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
  await save(page, 'Model');
  await expect(form(page, 'Model').getByText('Unsaved changes')).toHaveCount(0);
  expect(sent(host, 'agents.setRuntime').at(-1)).toMatchObject({ provider: 'ollama', model: '' });
  await page.getByRole('switch', { name: /all agents/ }).click();
  await save(page, 'Model');
  await expect.poll(() => sent(host, 'setup.useModel')).toMatchObject([{ model: 'llama3.2', forAll: true }]);
  expect(sent(host, 'models.list')).toEqual([]);
});

test('A second click while the first model is looked up changes nothing', async ({ page, open }) => {
  const { host } = await open({ agents: demoAgents() }, '#/home');
  host.putRoom('guide', []);
  await page.getByRole('button', { name: /Give Guide a real model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Which model should Guide use?' });
  await dialog.getByLabel('Provider').selectOption('ollama');
  let answer = (): void => undefined;
  host.held.set('models.list', new Promise((resolve) => (answer = resolve)));
  const use = dialog.locator('form').last().locator('button[type="submit"]');
  await use.click();
  await expect(use).toBeDisabled();
  await use.evaluate((button: HTMLButtonElement) => button.form?.requestSubmit());
  answer();
  await expect(dialog).toHaveCount(0);
  expect(sent(host, 'models.list')).toHaveLength(1);
  expect(sent(host, 'setup.useModel')).toMatchObject([{ provider: 'ollama', model: 'gpt-4o' }]);
  expect(sent(host, 'chat.send')).toHaveLength(1);
});
