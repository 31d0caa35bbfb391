import type { AuthStatus } from '../../contract/work.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText, type SafeText, type StateCell, type TableCell } from '../table.ts';
import {
  askSecret,
  canAsk,
  exitOk,
  refuseTypedSecret,
  type SecretFlag,
  secretFlag,
  show,
  usageError,
} from '../terminal.ts';

interface LoginFlags {
  readonly json?: boolean;
  readonly device?: boolean;
  readonly apiKey?: SecretFlag;
}

const states: Readonly<Record<AuthStatus['state'], StateCell>> = {
  none: { text: 'no key', tone: 'quiet' },
  api_key: { text: 'stored key', tone: 'good' },
  environment: { text: 'key from the environment', tone: 'good' },
  logged_in: { text: 'logged in', tone: 'good' },
  expired: { text: 'login expired', tone: 'bad' },
};

const statusRow = ({ provider, state, account, expiresAt, kinds }: AuthStatus): readonly TableCell[] => [
  provider,
  states[state],
  account,
  expiresAt === null ? '' : new Date(expiresAt).toLocaleString(),
  kinds.includes('login') ? 'key or login' : 'key',
];

const statusTable = (all: readonly AuthStatus[]): SafeText =>
  columnsText(['PROVIDER', 'STATE', 'ACCOUNT', 'EXPIRES', 'TAKES'], all.map(statusRow));

const statusOf = async ({ call }: HostSession, provider: string): Promise<AuthStatus | undefined> =>
  (await call('auth.status', {})).providers.find((one) => one.provider === provider);

/** Messages go to standard error if the output is JSON. */
const tell = (json: boolean, text: string): void => {
  (json ? process.stderr : process.stdout).write(`${text}\n`);
};

async function giveKey(session: HostSession, provider: string, flags: LoginFlags): Promise<void> {
  const given = await secretFlag(flags.apiKey, '--api-key');
  if (!given && !canAsk()) {
    throw usageError(`${provider} has no login for programs like this one.`, 'Give a key with --api-key -.');
  }
  const apiKey = given ?? (await askSecret(`API key for ${provider}: `)).trim();
  if (apiKey === '') throw usageError('No key was given; nothing was changed.');
  await session.call('config.set', { provider, apiKey });
}

async function browserOrDevice(session: HostSession, provider: string, flags: LoginFlags): Promise<void> {
  const started = await session.call('auth.login', { provider, device: flags.device === true });
  const json = flags.json === true;
  tell(json, `Open this address in a browser:\n\n  ${started.url}\n`);
  if (started.userCode !== '') tell(json, `and type this code there: ${started.userCode}\n`);
  tell(json, 'Waiting until you are done there. Ctrl-C stops waiting.');
  for (;;) {
    const { done } = await session.call('auth.wait', { loginId: started.loginId });
    if (done) return;
  }
}

async function runLogin(args: readonly string[], flags: LoginFlags): Promise<number> {
  const [provider = ''] = args;
  refuseTypedSecret(flags.apiKey, '--api-key');
  return withHost('files', async (session) => {
    const known = await statusOf(session, provider);
    const byKey = flags.apiKey !== undefined || (known && !known.kinds.includes('login'));
    await (byKey ? giveKey : browserOrDevice)(session, provider, flags);
    const status = await statusOf(session, provider);
    show(flags.json === true, status, status ? statusTable([status]) : 'Done.');
    return exitOk;
  });
}

async function runStatus(_args: readonly string[], flags: { json?: boolean }): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { providers } = await call('auth.status', {});
    show(flags.json === true, { providers }, statusTable(providers));
    return exitOk;
  });
}

async function runLogout(args: readonly string[], flags: { json?: boolean }): Promise<number> {
  const [provider = ''] = args;
  return withHost('files', async (session) => {
    const { note } = await session.call('auth.logout', { provider });
    const status = await statusOf(session, provider);
    const rest = status?.state === 'environment' ? ' The environment still offers a key.' : '';
    const text = `Nothing is kept for ${provider} any more.${rest}${note === '' ? '' : ` ${note}`}`;
    show(flags.json === true, { note, status }, text);
    return exitOk;
  });
}

const login = defineCommand({
  verb: 'login',
  args: '<provider>',
  progress: 'cliProgress.waitingForLogin',
  options: [
    { flags: '--device' },
    {
      flags: '--api-key [key]',
    },
  ],
  examples: ['auth login anthropic', 'auth login openai --api-key - < key.txt', 'auth login google --device'],
  run: runLogin,
});

const status = defineCommand({
  verb: 'status',
  examples: [
    'auth status',
    'auth status --json',
    'auth status --json | jq \'.providers[] | select(.state!="none")\'',
  ],
  run: runStatus,
});

const logout = defineCommand({
  verb: 'logout',
  args: '<provider>',
  examples: ['auth logout openai', 'auth status', 'auth logout openai --json'],
  run: runLogout,
});

export const authCommands: readonly CommandSpec[] = [login, status, logout];
