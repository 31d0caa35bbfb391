import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import {
  askYes,
  CommandFailure,
  canAsk,
  exitFailed,
  exitOk,
  type SecretFlag,
  secretFlag,
  show,
  usageError,
} from '../terminal.ts';
import { utcMinute } from '../when.ts';

interface Json {
  readonly json?: boolean;
}

interface SignUpFlags extends Json {
  readonly server: string;
  readonly invite?: SecretFlag;
  readonly username: string;
  readonly displayName?: string;
}

async function runSignUp(_args: readonly string[], flags: SignUpFlags): Promise<number> {
  const code = await secretFlag(flags.invite ?? true, '--invite', copy('cliTerminal.askInviteCode'));
  const inviteCode = code ?? '';
  return withHost('running-host', async ({ call }) => {
    const { slug } = await call('setup.signUp', {
      serverUrl: flags.server,
      inviteCode,
      username: flags.username,
      ...(flags.displayName ? { displayName: flags.displayName } : {}),
    });
    show(flags.json === true, { slug }, `You are ${slug} at ${flags.server}.`);
    return exitOk;
  });
}

async function runResume(_args: readonly string[], flags: Json & { drop?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { signUp } = await call('setup.unfinished', {});
    if (!signUp) {
      show(flags.json === true, { signUp }, 'There is no sign-up to go on with.');
      return exitOk;
    }
    if (flags.drop) {
      await call('setup.dropSignUp', {});
      show(
        flags.json === true,
        {},
        `Given up: ${signUp.username} at ${signUp.serverUrl}. Its keys are deleted.`,
      );
      return exitOk;
    }
    const { slug } = await call('setup.resumeSignUp', {});
    show(flags.json === true, { slug }, `You are ${slug} at ${signUp.serverUrl}.`);
    return exitOk;
  });
}

async function runShow(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('look', async ({ call, client, running }) => {
    const { operator } = await call('host.view', {});
    const own = running && operator ? await client.call('devices.fingerprint', {}) : null;
    const fingerprint = own?.ok ? own.value.fingerprint : null;
    const text = operator
      ? `${operator.displayName} (${operator.slug}) at ${operator.serverUrl}, ${operator.connection}`
      : 'Nobody yet. Run "kennel start --demo" to try it, or "kennel operator sign-up".';
    const print = fingerprint === null ? '' : `\nFingerprint, for others to compare: ${fingerprint}`;
    show(flags.json === true, { operator, fingerprint }, `${text}${print}`);
    return exitOk;
  });
}

/** Without a terminal, confirmation requires a flag. */
async function sure(
  question: string,
  yes: boolean | undefined,
  hint = 'Compare what is shown above, then add --yes.',
): Promise<boolean> {
  if (yes) return true;
  if (!canAsk()) throw usageError('This needs your yes.', hint);
  return askYes(question);
}

const say = (flags: Json, lines: readonly string[]): void => {
  if (!flags.json) show(false, null, lines.join('\n'));
};

interface EnrolFlags extends Json {
  readonly server: string;
  readonly yes?: boolean;
}

async function runEnrol(_args: readonly string[], flags: EnrolFlags): Promise<number> {
  if (!flags.yes && !canAsk())
    throw usageError('This asks you something.', 'Run it in a terminal, or add --yes.');
  return withHost('running-host', async ({ call }) => {
    const { code, words } = await call('devices.enrolBegin', { serverUrl: flags.server });
    const shown = [
      'On the device where you are signed up, run:',
      '',
      `  kennel operator approve ${code}`,
      '',
      `It must show the same words as here: ${words}`,
      'Waiting for it, ten minutes at most. Ctrl-C gives up.',
    ];
    if (flags.json) process.stderr.write(`${JSON.stringify({ code, words })}\n`);
    say(flags, shown);
    let joining = await call('devices.enrolWait', {});
    while (joining.state === 'waiting') joining = await call('devices.enrolWait', {});
    if (joining.state === 'ended') {
      throw new CommandFailure({
        code: 'timeout',
        message: 'Nobody let this device in within ten minutes; nothing was changed.',
        hint: 'Run the command again for a new code.',
      });
    }
    say(flags, [
      `${joining.slug} let this device in. Its fingerprint, as the other device shows it:`,
      joining.fingerprint,
    ]);
    const accept = await sure(`Become ${joining.slug} here?`, flags.yes);
    const { slug, note } = await call('devices.enrolFinish', { accept });
    show(
      flags.json === true,
      { slug, note },
      slug ? `You are ${slug} here, too. ${note}` : `Not joined. ${note}`,
    );
    return slug ? exitOk : exitFailed;
  });
}

async function runApprove(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const code = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const asking = await call('devices.enrolLook', { code });
    say(flags, [
      `A device asks to become one of ${asking.slug}. It must show the same words: ${asking.words}`,
      'It will be able to do everything you can: read what comes from now on, write as you, own your agents.',
    ]);
    if (!(await sure('Are the words the same on both, and is it yours?', flags.yes))) {
      show(flags.json === true, { device: null }, 'Not let in; nothing was changed.');
      return exitFailed;
    }
    const { device } = await call('devices.enrolApprove', { code: asking.code, words: asking.words });
    const text = [
      `Let in: ${device}`,
      `Your fingerprint, which it shows now: ${asking.fingerprint}`,
      'If it was not yours after all: "kennel operator revoke" with that id, at once.',
    ];
    show(flags.json === true, { device, fingerprint: asking.fingerprint }, text.join('\n'));
    return exitOk;
  });
}

async function runDevices(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { devices } = await call('devices.list', {});
    const rows = devices.map(({ id, createdAt, current, revokedAt }): readonly TableCell[] => [
      id,
      revokedAt !== null
        ? { text: `revoked ${utcMinute(revokedAt)}`, tone: 'quiet' }
        : { text: current ? 'this device' : 'active', tone: 'good' },
      utcMinute(createdAt),
    ]);
    show(flags.json === true, { devices }, columnsText(['ID', 'STATE', 'SINCE'], rows));
    return exitOk;
  });
}

async function runRevoke(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const device = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const hint = 'It is shut out for good. Add --yes to say that you mean it.';
    if (!(await sure(`Revoke ${device} for good?`, flags.yes, hint))) {
      show(flags.json === true, { revoked: false }, 'Nothing was changed.');
      return exitFailed;
    }
    await call('devices.revoke', { device });
    const text = `${device} is revoked: it gets no message any more and can sign nothing. It still has what it had read, and a copy of your identity key.`;
    show(flags.json === true, { revoked: true }, text);
    return exitOk;
  });
}

const signUp = defineCommand({
  verb: 'sign-up',
  progress: 'cliProgress.signingUp',
  options: [
    { flags: '--server <url>', isRequired: true },
    { flags: '--invite [code]' },
    { flags: '--username <name>', isRequired: true },
    { flags: '--display-name <name>' },
  ],
  examples: [
    'operator sign-up --server https://chat.example.org --username ada',
    'operator sign-up --server http://127.0.0.1:63390 --invite - --username ada < code.txt',
    'operator resume',
  ],
  run: runSignUp,
});

const resume = defineCommand({
  verb: 'resume',
  options: [{ flags: '--drop' }],
  examples: ['operator resume', 'operator resume --drop', 'operator resume --json'],
  run: runResume,
});

const showOperator = defineCommand({
  verb: 'show',
  examples: ['operator show', 'operator show --json', "operator show --json | jq -r '.fingerprint'"],
  run: runShow,
});

const enrol = defineCommand({
  verb: 'enrol',
  alias: 'enroll',
  progress: 'cliProgress.waitingForOtherDevice',
  options: [{ flags: '--server <url>', isRequired: true }, { flags: '--yes' }],
  examples: ['operator enrol --server https://chat.example.org', 'operator approve CODE', 'operator devices'],
  run: runEnrol,
});

const approve = defineCommand({
  verb: 'approve',
  args: '<code>',
  options: [{ flags: '--yes' }],
  examples: ['operator approve CODE', 'operator approve CODE --yes', 'operator devices'],
  run: runApprove,
});

const devices = defineCommand({
  verb: 'devices',
  examples: ['operator devices', 'operator devices --json', 'operator revoke DEVICE'],
  run: runDevices,
});

const revoke = defineCommand({
  verb: 'revoke',
  args: '<device>',
  options: [{ flags: '--yes' }],
  examples: ['operator revoke DEVICE', 'operator revoke DEVICE --yes', 'operator devices'],
  run: runRevoke,
});

export const operatorCommands: readonly CommandSpec[] = [
  signUp,
  resume,
  showOperator,
  enrol,
  approve,
  devices,
  revoke,
];
