import type { AuthStatus } from '../../contract/work.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText, type SafeText, type TableCell, type Tone } from '../table.ts';
import {
  askSecret,
  canAsk,
  commandFailure,
  exitOk,
  refuseTypedSecret,
  type SecretFlag,
  secretFlag,
  show,
} from '../terminal.ts';

interface LoginFlags {
  readonly json?: boolean;
  readonly device?: boolean;
  readonly apiKey?: SecretFlag;
}

const tones: Readonly<Record<AuthStatus['state'], Tone>> = {
  none: 'quiet',
  api_key: 'good',
  environment: 'good',
  logged_in: 'good',
  expired: 'bad',
};

const statusRow = ({ provider, state, account, expiresAt, kinds }: AuthStatus): readonly TableCell[] => [
  provider,
  { text: copy(`cliAuth.state_${state}`), tone: tones[state] },
  account,
  expiresAt === null ? '' : new Date(expiresAt).toLocaleString(),
  copy(kinds.includes('login') ? 'cliAuth.kind_login' : 'cliAuth.kind_key'),
];

const statusTable = (all: readonly AuthStatus[]): SafeText =>
  columnsText(
    [
      copy('cliHeads.provider'),
      copy('cliHeads.state'),
      copy('cliHeads.account'),
      copy('cliHeads.expires'),
      copy('cliHeads.takes'),
    ],
    all.map(statusRow),
  );

const statusOf = async ({ call }: HostSession, provider: string): Promise<AuthStatus | undefined> =>
  (await call('auth.status', {})).providers.find((one) => one.provider === provider);

/** Messages go to standard error if the output is JSON. */
const tell = (json: boolean, text: string): void => {
  (json ? process.stderr : process.stdout).write(`${text}\n`);
};

async function giveKey(session: HostSession, provider: string, flags: LoginFlags): Promise<void> {
  const given = await secretFlag(flags.apiKey, '--api-key');
  if (!given && !canAsk()) {
    throw commandFailure('invalid_input', 'cliAuth.noLogin', { provider }, { help: 'cliAuth.giveKey' });
  }
  const apiKey = given ?? (await askSecret(`${copy('cliAuth.keyQuestion', { provider })} `)).trim();
  if (apiKey === '') throw commandFailure('invalid_input', 'cliAuth.noKey');
  await session.call('config.set', { provider, apiKey });
}

async function browserOrDevice(session: HostSession, provider: string, flags: LoginFlags): Promise<void> {
  const started = await session.call('auth.login', { provider, device: flags.device === true });
  const json = flags.json === true;
  tell(json, `${copy('cliAuth.openAddress')}\n\n  ${started.url}\n`);
  if (started.userCode !== '') tell(json, `${copy('cliAuth.codeThere', { code: started.userCode })}\n`);
  tell(json, copy('cliAuth.waiting'));
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
    show(flags.json === true, status, status ? statusTable([status]) : copy('cliAuth.done'));
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
    const key = status?.state === 'environment' ? 'cliAuth.environmentOffers' : 'cliAuth.nothingKept';
    show(flags.json === true, { note, status }, `${copy(key, { provider })} ${shown(note)}`.trimEnd());
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
