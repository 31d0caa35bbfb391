import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../session.ts';
import {
  askInTerminal,
  askSecret,
  canAsk,
  exitOk,
  type SecretFlag,
  secretFlag,
  show,
  usage,
} from '../terminal.ts';

interface ConfigFlags {
  readonly json?: boolean;
  readonly defaultProvider?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretFlag;
}

type Change = Omit<ConfigFlags, 'json' | 'apiKey'> & { readonly apiKey?: string };

const keyedProviders = ['anthropic', 'openai', 'google'];

/** Prompts for the settings; an empty answer keeps the current value. */
async function askChanges(): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const defaultProvider = await askInTerminal(
    `Default provider (${keyedProviders.join(', ')}; empty keeps it): `,
  );
  if (defaultProvider !== '') changes.push({ defaultProvider });
  for (const provider of keyedProviders) {
    const apiKey = (await askSecret(`API key for ${provider} (empty keeps it): `)).trim();
    if (apiKey !== '') changes.push({ provider, apiKey });
  }
  return changes;
}

async function flagChanges(flags: ConfigFlags): Promise<readonly Change[]> {
  const { defaultProvider, provider, model, baseUrl } = flags;
  const apiKey = await secretFlag(flags.apiKey, '--api-key');
  const ofProvider = { ...(model && { model }), ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) };
  if (Object.keys(ofProvider).length > 0 && !provider) {
    throw usage('--model, --base-url and --api-key need to know whose they are.', 'Add --provider NAME.');
  }
  const change = {
    ...(defaultProvider && { defaultProvider }),
    ...(provider && { provider }),
    ...ofProvider,
  };
  return Object.keys(change).length === 0 ? [] : [change];
}

async function runConfig(_args: readonly string[], flags: ConfigFlags): Promise<number> {
  const given = await flagChanges(flags);
  const changes = given.length === 0 && canAsk() && !flags.json ? await askChanges() : given;
  return withHost(changes.length === 0 ? 'look' : 'files', async ({ call }) => {
    for (const change of changes) await call('config.set', change);
    const view = await call('config.get', {});
    const keys = Object.entries(view.keys).map(([provider, state]) => `# key for ${provider}: ${state}`);
    show(flags.json === true, view, [`# ${view.path}`, view.yaml.trimEnd(), ...keys].join('\n'));
    return exitOk;
  });
}

const config = defineCommand({
  verb: '',
  summary: 'Show or set the defaults of new agents',
  options: [
    { flags: '--default-provider <name>', summary: 'provider of agents that name none' },
    { flags: '--provider <name>', summary: 'the provider of the next options' },
    { flags: '--model <name>', summary: 'its default model' },
    { flags: '--base-url <url>', summary: 'its address' },
    { flags: '--api-key [key]', summary: 'its key: "-" reads standard input, the flag alone asks' },
  ],
  examples: [
    ['config', 'Be asked for provider, key and model'],
    ['config --provider openai --api-key - < key.txt', 'Store a key from a file'],
    ['config --default-provider anthropic', 'Choose the default provider'],
  ],
  run: runConfig,
});

export const configCommands: readonly CommandSpec[] = [config];
