import type { InviteView, SentInviteView } from '../../contract/space-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import type { SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

interface InviteFlags extends SpaceFlags {
  readonly space?: string;
  readonly channel?: string;
}

async function runInviteSend(args: Args, flags: InviteFlags): Promise<number> {
  const { space, channel } = flags;
  if (space === undefined && channel === undefined)
    throw commandFailure('invalid_input', 'cliSpaces.sayWhere');
  return withHost('running-host', async ({ call }) => {
    const sent = await call('invites.send', {
      who: args[0] ?? '',
      ...(space === undefined ? {} : { space }),
      ...(channel === undefined ? {} : { channel }),
    });
    show(flags.json === true, sent, visibleTerminalLine(sent.note));
    return exitOk;
  });
}

// Names come from strangers.

const person = (name: string, slug: string): string =>
  visibleTerminalLine(name === slug ? slug : `${name} (${slug})`);

const placeOf = ({ scope, channelName, spaceName }: InviteView): string =>
  visibleTerminalLine(
    scope === 'channel'
      ? copy('cliSpaces.channelIn', { channel: channelName, space: spaceName })
      : copy('cliSpaces.theSpace', { space: spaceName }),
  );

const inviteLine = (invite: InviteView): string =>
  copy('cliSpaces.invitesYou', {
    id: invite.id,
    who: person(invite.inviterName, invite.inviterSlug),
    where: placeOf(invite),
  });

const sentLine = (invite: SentInviteView): string =>
  copy('cliSpaces.sentTo', {
    id: invite.id,
    who: person(invite.inviteeName, invite.inviteeSlug),
    where: placeOf(invite),
  });

async function runInvitesSent(_args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const list = await call('invites.sent', {});
    const text =
      list.sent.length === 0
        ? copy('cliSpaces.noneOwed')
        : [...list.sent.map(sentLine), copy('cliSpaces.cancelWith')].join('\n');
    show(flags.json === true, list, text);
    return exitOk;
  });
}

async function runInviteCancel(args: Args, flags: SpaceFlags): Promise<number> {
  const invite = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('invites.cancel', { invite });
    show(flags.json === true, { invite, cancelled: true }, copy('cliSpaces.takenBack'));
    return exitOk;
  });
}

async function runInvites(_args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const list = await call('invites.list', {});
    const lines = list.received.map(inviteLine);
    const answer = copy('cliSpaces.answerWith');
    const text = lines.length === 0 ? copy('cliSpaces.noInvitations') : [...lines, answer].join('\n');
    show(flags.json === true, list, [text, shown(list.note)].filter((line) => line !== '').join('\n'));
    return exitOk;
  });
}

const runInviteAnswer =
  (accept: boolean) =>
  async (args: Args, flags: SpaceFlags): Promise<number> => {
    const invite = args[0] ?? '';
    return withHost('running-host', async ({ call }) => {
      await call('invites.answer', { invite, accept });
      const text = copy(accept ? 'cliSpaces.youAreIn' : 'cliSpaces.declined');
      show(flags.json === true, { invite, accepted: accept }, text);
      return exitOk;
    });
  };

async function runAutoAccept(
  args: Args,
  flags: SpaceFlags & { readonly space: string; readonly owner?: string },
): Promise<number> {
  const { space, owner } = flags;
  if (owner !== undefined && owner !== 'on' && owner !== 'off')
    throw commandFailure('invalid_input', 'cliSpaces.ownerOnOff');
  return withHost('running-host', async ({ call }) => {
    const agent = args[0] ?? '';
    const settings = await call('agents.autoAccept', {
      agent,
      space,
      ...(owner === undefined ? {} : { owner: owner === 'on' }),
    });
    const text = copy(settings.ownerInvites ? 'cliSpaces.serverAccepts' : 'cliSpaces.agentAccepts', {
      agent,
    });
    show(flags.json === true, { agent, space, ...settings }, text);
    return exitOk;
  });
}

export const inviteCommand = defineCommand({
  verb: '',
  args: '<who>',
  options: [{ flags: '--space <space>' }, { flags: '--channel <channel>' }],
  examples: ['invite bob-1f3a --space Garden', "invite helper --channel '#plants'", 'invites sent'],
  run: runInviteSend,
});

const received = defineCommand({
  verb: '',
  examples: ['invites', 'invites accept INVITE', 'invites --json'],
  run: runInvites,
});

const accept = defineCommand({
  verb: 'accept',
  args: '<id>',
  examples: ['invites accept INVITE', 'invites', 'invites accept INVITE --json'],
  run: runInviteAnswer(true),
});

const reject = defineCommand({
  verb: 'reject',
  args: '<id>',
  examples: ['invites reject INVITE', 'invites', 'invites reject INVITE --json'],
  run: runInviteAnswer(false),
});

const sent = defineCommand({
  verb: 'sent',
  examples: ['invites sent', 'invites cancel INVITE', 'invites sent --json'],
  run: runInvitesSent,
});

const cancel = defineCommand({
  verb: 'cancel',
  args: '<id>',
  examples: ['invites cancel INVITE', 'invites sent', 'invites cancel INVITE --json'],
  run: runInviteCancel,
});

export const invitesCommands: readonly CommandSpec[] = [received, accept, reject, sent, cancel];

export const autoAcceptCommand = defineCommand({
  verb: 'autoaccept',
  args: '<agent>',
  options: [{ flags: '--space <space>', isRequired: true }, { flags: '--owner <on|off>' }],
  examples: [
    'agent autoaccept helper --space Garden',
    'agent autoaccept helper --space Garden --owner on',
    'agent autoaccept helper --space Garden --owner off',
  ],
  run: runAutoAccept,
});
