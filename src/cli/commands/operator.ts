import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import {
  askYes,
  canAsk,
  commandFailure,
  exitFailed,
  exitOk,
  type SecretFlag,
  secretFlag,
  show,
} from '../terminal.ts';
import { shownMinute } from '../when.ts';

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
    show(flags.json === true, { slug }, copy('cliOperator.youAreAt', { slug, server: flags.server }));
    return exitOk;
  });
}

async function runResume(_args: readonly string[], flags: Json & { drop?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { signUp } = await call('setup.unfinished', {});
    if (!signUp) {
      show(flags.json === true, { signUp }, copy('cliOperator.unfinishedNone'));
      return exitOk;
    }
    if (flags.drop) {
      await call('setup.dropSignUp', {});
      show(
        flags.json === true,
        {},
        copy('cliOperator.dropped', { username: signUp.username, server: signUp.serverUrl }),
      );
      return exitOk;
    }
    const { slug } = await call('setup.resumeSignUp', {});
    show(flags.json === true, { slug }, copy('cliOperator.youAreAt', { slug, server: signUp.serverUrl }));
    return exitOk;
  });
}

async function runShow(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('look', async ({ call, client, running }) => {
    const { operator } = await call('host.view', {});
    const own = running && operator ? await client.call('devices.fingerprint', {}) : null;
    const fingerprint = own?.ok ? own.value.fingerprint : null;
    const text = operator
      ? copy('cliOperator.youAt', {
          name: operator.displayName,
          slug: operator.slug,
          server: operator.serverUrl,
          connection: copy(`cliStatus.connection_${operator.connection}`),
        })
      : copy('cliOperator.nobody');
    const print = fingerprint === null ? '' : `\n${copy('cliOperator.fingerprintIs', { fingerprint })}`;
    show(flags.json === true, { operator, fingerprint }, `${text}${print}`);
    return exitOk;
  });
}

/** Without a terminal, confirmation requires a flag. */
async function sure(
  question: string,
  yes: boolean | undefined,
  help: 'cliOperator.addYesAfter' | 'cliOperator.meanIt' = 'cliOperator.addYesAfter',
): Promise<boolean> {
  if (yes) return true;
  if (!canAsk()) throw commandFailure('invalid_input', 'cliMemory.needsYes', {}, { help });
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
    throw commandFailure(
      'invalid_input',
      'cliOperator.asksSomething',
      {},
      { help: 'cliOperator.inTerminal' },
    );
  return withHost('running-host', async ({ call }) => {
    const { code, words } = await call('devices.enrolBegin', { serverUrl: flags.server });
    const text = [
      copy('cliOperator.onOtherDevice'),
      '',
      `  kennel operator approve ${code}`,
      '',
      copy('cliOperator.wordsHere', { words }),
      copy('cliOperator.wait'),
    ];
    if (flags.json) process.stderr.write(`${JSON.stringify({ code, words })}\n`);
    say(flags, text);
    let joining = await call('devices.enrolWait', {});
    while (joining.state === 'waiting') joining = await call('devices.enrolWait', {});
    if (joining.state === 'ended') {
      throw commandFailure('timeout', 'cliOperator.timedOut', {}, { help: 'cliOperator.newCode' });
    }
    say(flags, [copy('cliOperator.letThisIn', { slug: joining.slug }), joining.fingerprint]);
    const accept = await sure(copy('cliOperator.becomeHere', { slug: joining.slug }), flags.yes);
    const { slug, note } = await call('devices.enrolFinish', { accept });
    show(
      flags.json === true,
      { slug, note },
      slug ? copy('cliOperator.joined', { slug, note }) : copy('cliOperator.notJoined', { note }),
    );
    return slug ? exitOk : exitFailed;
  });
}

async function runApprove(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const code = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const asking = await call('devices.enrolLook', { code });
    say(flags, [
      copy('cliOperator.asksToJoin', { slug: asking.slug, words: asking.words }),
      copy('cliOperator.canDoAll'),
    ]);
    if (!(await sure(copy('cliOperator.sameWords'), flags.yes))) {
      show(flags.json === true, { device: null }, copy('cliOperator.notLetIn'));
      return exitFailed;
    }
    const { device } = await call('devices.enrolApprove', { code: asking.code, words: asking.words });
    const text = [
      copy('cliOperator.letIn', { device }),
      copy('cliOperator.yourFingerprint', { fingerprint: asking.fingerprint }),
      copy('cliOperator.ifNotYours'),
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
        ? { text: copy('cliOperator.revokedAt', { time: shownMinute(revokedAt) }), tone: 'quiet' }
        : { text: copy(current ? 'cliOperator.thisDevice' : 'cliOperator.active'), tone: 'good' },
      shownMinute(createdAt),
    ]);
    show(
      flags.json === true,
      { devices },
      columnsText([copy('cliHeads.id'), copy('cliHeads.state'), copy('cliHeads.since')], rows),
    );
    return exitOk;
  });
}

async function runRevoke(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const device = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    if (!(await sure(copy('cliOperator.revokeAsk', { device }), flags.yes, 'cliOperator.meanIt'))) {
      show(flags.json === true, { revoked: false }, copy('cliTerminal.nothingChanged'));
      return exitFailed;
    }
    await call('devices.revoke', { device });
    show(flags.json === true, { revoked: true }, copy('cliOperator.revoked', { device }));
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
