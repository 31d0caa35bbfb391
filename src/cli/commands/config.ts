import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import { weekdays } from '../../contract/quiet-hours.ts';
import { closestName } from '../../library/closest-name.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shownError } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import {
  askInTerminal,
  askSecret,
  askYes,
  canAsk,
  commandFailure,
  exitOk,
  refuseTypedSecret,
  type SecretFlag,
  secretFlag,
  show,
} from '../terminal.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface ConfigFlags {
  readonly json?: boolean;
  readonly defaultProvider?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretFlag;
}

type Change = Omit<ConfigFlags, 'json' | 'apiKey'> & {
  readonly apiKey?: string;
  readonly senderMessages?: number;
  readonly archiveDays?: number;
};

type View = MethodOutput<'config.get'>;

/** Providers with one usual address; the others are servers of one's own. */
const hosted: readonly string[] = ['anthropic', 'openai', 'google', 'openrouter'];

/** Models that are listed with a number; any other may be typed. */
const listedModels = 30;

const knownProviders = async ({ call }: HostSession): Promise<readonly string[]> =>
  (await call('auth.status', {})).providers.map(({ provider }) => provider);

async function askProvider(question: string, usual: string, known: readonly string[]): Promise<string> {
  for (;;) {
    const answer = (await askInTerminal(`${question} [${usual}]: `)) || usual;
    if (known.includes(answer)) return answer;
    const close = closestName(answer, known);
    const text = close
      ? copy('cliConfig.unknownProviderClose', { name: answer, close })
      : copy('cliConfig.unknownProvider', { name: answer });
    process.stdout.write(`${text}\n`);
  }
}

/** Asks the provider for its models; a number or a name chooses one. */
async function askModel(session: HostSession, change: Change, usual: string): Promise<string> {
  const { provider = '', baseUrl, apiKey } = change;
  const listed = await session.client.call('models.list', {
    provider,
    fresh: true,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const models = listed.ok ? listed.value.models.map(({ id }) => id) : [];
  if (!listed.ok) show(false, null, copy('cliAgents.modelsNotListed', { why: shownError(listed.error) }));
  else
    show(
      false,
      null,
      models.slice(0, listedModels).map((id, at) => `${String(at + 1).padStart(4)}  ${id}`),
    );
  const key = models.length === 0 ? 'cliConfig.model' : 'cliConfig.modelByNumber';
  const question = copy(key, { usual: usual || copy('cliConfig.providerDefault') });
  for (;;) {
    const answer = await askInTerminal(`${question} `);
    const number = models.length > 0 && /^\d{1,3}$/.test(answer) ? Number(answer) : null;
    if (number === null) return answer;
    const chosen = models[number - 1];
    if (chosen !== undefined && number <= listedModels) return chosen;
    const most = Math.min(models.length, listedModels);
    process.stdout.write(`${copy('cliConfig.typeNumber', { most })}\n`);
  }
}

/** Key or address, then the model of one provider; empty answers keep what is saved. */
async function askProviderChange(session: HostSession, provider: string, view: View): Promise<Change> {
  const saved = view.providers[provider] ?? { model: '', baseUrl: '' };
  let change: Change = { provider };
  if (!hosted.includes(provider)) {
    const usual = saved.baseUrl || copy('cliConfig.usualAddress');
    const baseUrl = await askInTerminal(`${copy('cliConfig.address', { usual })} `);
    if (baseUrl !== '') change = { ...change, baseUrl };
  }
  const state = view.keys[provider] ?? 'none';
  const key = (await askSecret(`${copy('cliConfig.keyQuestion', { provider, state })} `)).trim();
  if (key !== '') change = { ...change, apiKey: key };
  const model = await askModel(session, change, saved.model);
  return model === '' ? change : { ...change, model };
}

/** Prompts for the settings and saves each answer; an empty answer keeps the current value. */
async function askChanges(session: HostSession): Promise<void> {
  const { call } = session;
  const known = await knownProviders(session);
  const before = await call('config.get', {});
  process.stdout.write(`${copy('cliConfig.providers', { names: known.join(', ') })}\n`);
  const defaultProvider = await askProvider(copy('cliConfig.defaultProvider'), before.defaultProvider, known);
  if (defaultProvider !== before.defaultProvider) await call('config.set', { defaultProvider });
  let provider = defaultProvider;
  for (;;) {
    const change = await askProviderChange(session, provider, await call('config.get', {}));
    if (Object.keys(change).length > 1) await call('config.set', change);
    if (!(await askYes(copy('cliConfig.another')))) return;
    provider = await askProvider(copy('cliConfig.provider'), provider, known);
  }
}

async function flagChanges(flags: ConfigFlags): Promise<readonly Change[]> {
  const { defaultProvider, provider, model, baseUrl } = flags;
  const apiKey = await secretFlag(flags.apiKey, '--api-key');
  const ofProvider = { ...(model && { model }), ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) };
  if (Object.keys(ofProvider).length > 0 && !provider) {
    throw commandFailure('invalid_input', 'cliConfig.whose', {}, { help: 'cliConfig.addProvider' });
  }
  const change = {
    ...(defaultProvider && { defaultProvider }),
    ...(provider && { provider }),
    ...ofProvider,
  };
  return Object.keys(change).length === 0 ? [] : [change];
}

async function runConfig(_args: readonly string[], flags: ConfigFlags): Promise<number> {
  const changes = await flagChanges(flags);
  const asks = changes.length === 0 && canAsk() && !flags.json;
  return withHost(changes.length > 0 || asks ? 'files' : 'look', async (session) => {
    const { call } = session;
    if (asks) await askChanges(session);
    for (const change of changes) await call('config.set', change);
    const view = await call('config.get', {});
    const keys = Object.entries(view.keys).map(
      ([provider, state]) => `# ${copy('cliConfig.keyIs', { provider, state })}`,
    );
    show(flags.json === true, view, [`# ${view.path}`, view.yaml.trimEnd(), ...keys].join('\n'));
    return exitOk;
  });
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

const onOff = (on: boolean): string => (on ? 'on' : 'off');

/**
 * Settings by name: `default-provider`, `sender-messages`, `archive-days`, sounds, quiet hours, and `model`, `base-url` and
 * `api-key` of each provider. A key is shown as its state only.
 */
async function settingsOf(session: HostSession): Promise<readonly Setting[]> {
  const { defaultProvider, providers, keys, senderMessages, archiveDays } = await session.call(
    'config.get',
    {},
  );
  const told = await session.call('notifications.get', {});
  const known = await knownProviders(session);
  return [
    { key: 'default-provider', value: defaultProvider },
    { key: 'sender-messages', value: String(senderMessages) },
    { key: 'archive-days', value: String(archiveDays) },
    { key: 'sounds', value: onOff(told.sounds) },
    { key: 'quiet-approvals', value: onOff(told.quietApprovals) },
    ...weekdays.map((day) => ({ key: `quiet-hours.${day}`, value: told.quietHours[day] ?? '' })),
    ...known.flatMap((provider) => [
      { key: `${provider}.model`, value: providers[provider]?.model ?? '' },
      { key: `${provider}.base-url`, value: providers[provider]?.baseUrl ?? '' },
      { key: `${provider}.api-key`, value: keys[provider] ?? 'none' },
    ]),
  ];
}

async function settingNamed(session: HostSession, key: string): Promise<Setting> {
  const all = await settingsOf(session);
  const found = all.find((setting) => setting.key === key);
  if (found) return found;
  const close = closestName(
    key,
    all.map((setting) => setting.key),
  );
  throw close
    ? commandFailure(
        'invalid_input',
        'cliConfig.unknownSettingClose',
        { key, close },
        { help: 'cliConfig.listAll' },
      )
    : commandFailure('invalid_input', 'cliConfig.unknownSetting', { key }, { help: 'cliConfig.listAll' });
}

interface Json {
  readonly json?: boolean;
}

async function runConfigGet([key = '']: readonly string[], { json }: Json): Promise<number> {
  return withHost('look', async (session) => {
    const setting = await settingNamed(session, key);
    show(json === true, setting, setting.value);
    return exitOk;
  });
}

async function runConfigList(_args: readonly string[], { json }: Json): Promise<number> {
  return withHost('look', async (session) => {
    const settings = (await settingsOf(session)).filter(({ value }) => value !== '' && value !== 'none');
    show(json === true, { settings }, settings.map(({ key, value }) => `${key}=${value}`).join('\n'));
    return exitOk;
  });
}

const isSecret = (key: string): boolean => key.endsWith('.api-key');

async function valueFor(key: string, value: string): Promise<string> {
  if (!isSecret(key)) {
    if (value === '') throw commandFailure('invalid_input', 'cliConfig.giveValue', { key });
    return value;
  }
  return (await secretFlag(value || true, key)) ?? '';
}

function flagIn(key: string, value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw commandFailure('invalid_input', 'cliConfig.onOrOff', { key });
}

/** Change of sounds or quiet hours; `null` for any other setting. */
function notificationChange(key: string, value: string): MethodInput<'notifications.set'> | null {
  if (key === 'sounds') return { sounds: flagIn(key, value) };
  if (key === 'quiet-approvals') return { quietApprovals: flagIn(key, value) };
  const day = weekdays.find((one) => key === `quiet-hours.${one}`);
  return day === undefined ? null : { quietHours: { [day]: value === 'none' ? null : value } };
}

const changeOf = (key: string, value: string): Change => {
  if (key === 'default-provider') return { defaultProvider: value };
  if (key === 'sender-messages') {
    return { senderMessages: parseWholeNumber(key, value, 1, 10_000) };
  }
  if (key === 'archive-days') return { archiveDays: parseWholeNumber(key, value, 0, 3_650) };
  const at = key.lastIndexOf('.');
  const provider = key.slice(0, at);
  const field = key.slice(at + 1);
  if (field === 'api-key') return { provider, apiKey: value };
  return field === 'model' ? { provider, model: value } : { provider, baseUrl: value };
};

async function runConfigSet([key = '', given = '']: readonly string[], { json }: Json): Promise<number> {
  if (isSecret(key)) refuseTypedSecret(given || true, key);
  return withHost('files', async (session) => {
    await settingNamed(session, key);
    const told = notificationChange(key, given);
    if (told === null) await session.call('config.set', changeOf(key, await valueFor(key, given)));
    else await session.call('notifications.set', told);
    const setting = await settingNamed(session, key);
    show(json === true, setting, `${setting.key}=${setting.value}`);
    return exitOk;
  });
}

const get = defineCommand({
  verb: 'get',
  args: '<setting>',
  examples: ['config get default-provider', 'config get openai.model', 'config get openai.api-key'],
  run: runConfigGet,
});

const set = defineCommand({
  verb: 'set',
  args: '<setting> [value]',
  examples: [
    'config set ollama.model llama3.2',
    'config set openai.api-key - < key.txt',
    'config set quiet-hours.mon 22:00-07:00',
  ],
  run: runConfigSet,
});

const list = defineCommand({
  verb: 'list',
  examples: ['config list', 'config list --json', 'config list | grep model'],
  run: runConfigList,
});

const config = defineCommand({
  verb: '',
  options: [
    { flags: '--default-provider <name>' },
    { flags: '--provider <name>' },
    { flags: '--model <name>' },
    { flags: '--base-url <url>' },
    { flags: '--api-key [key]' },
  ],
  examples: [
    'config',
    'config --provider openai --api-key - < key.txt',
    'config --default-provider anthropic',
  ],
  run: runConfig,
});

export const configCommands: readonly CommandSpec[] = [config, get, set, list];
