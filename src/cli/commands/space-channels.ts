import type { RoomsView } from '../../contract/model.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { confirmed, type SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

function channelsOf({ spaces, rooms }: RoomsView, wanted: string) {
  const named = spaces.filter(
    ({ id, name }) => wanted === '' || id === wanted || name.toLowerCase() === wanted.toLowerCase(),
  );
  if (named.length === 0 && wanted !== '')
    throw commandFailure('invalid_input', 'cliSpaces.unknownSpace', { name: wanted });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return Object.values(rooms).flatMap((room) => {
    const space = room.spaceId === null ? undefined : names.get(room.spaceId);
    if (space === undefined || room.kind !== 'channel') return [];
    const { id, name, encrypted, members, spaceId } = room;
    return [{ id, name, spaceId, space, encrypted, members: members.length }];
  });
}

const oldClients = (): string => copy('cliSpaces.oldClients');

async function runChannelList(args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const channels = channelsOf(await call('chat.rooms', {}), args[0] ?? '');
    const rows = channels.map(({ id, name, space, encrypted, members }) => [
      `#${name}`,
      space,
      String(members),
      encrypted
        ? copy('cliSpaces.encrypted')
        : ({ text: copy('cliSpaces.notEncrypted'), tone: 'attention' } as const),
      id,
    ]);
    const list = columnsText(
      [
        copy('cliHeads.name'),
        copy('cliHeads.space'),
        copy('cliHeads.members'),
        copy('cliHeads.state'),
        copy('cliHeads.id'),
      ],
      rows,
    );
    const isPlain = channels.some(({ encrypted }) => !encrypted);
    const listed = [
      list,
      ...(isPlain ? [copy('cliSpaces.notEncryptedMeans', { oldClients: oldClients() })] : []),
    ];
    const text = rows.length === 0 ? copy('cliSpaces.noChannels') : listed;
    show(flags.json === true, { channels }, text);
    return exitOk;
  });
}

async function runChannelCreate(
  args: Args,
  flags: SpaceFlags & { readonly encrypted?: boolean },
): Promise<number> {
  const [space = '', name = ''] = args;
  const encrypted = flags.encrypted !== false;
  return withHost('running-host', async ({ call }) => {
    const made = await call('channels.create', { space, name, encrypted });
    const title = `#${visibleTerminalLine(name.replace(/^#/, ''))}`;
    const place = { title, space: visibleTerminalLine(space) };
    const text = encrypted
      ? copy('cliSpaces.channelMade', place)
      : copy('cliSpaces.channelMadePlain', { ...place, oldClients: oldClients() });
    show(
      flags.json === true,
      { ...made, encrypted },
      `${text}\n${copy('cliSpaces.inChannelInvite', { channel: made.channelId })}`,
    );
    return exitOk;
  });
}

async function runChannelRename(args: Args, flags: SpaceFlags): Promise<number> {
  const [channel = '', name = ''] = args;
  return withHost('running-host', async ({ call }) => {
    await call('channels.rename', { channel, name });
    const text = copy('cliSpaces.nowCalled', {
      space: visibleTerminalLine(channel),
      name: `#${visibleTerminalLine(name.replace(/^#/, ''))}`,
    });
    show(flags.json === true, { channel, name }, text);
    return exitOk;
  });
}

async function runChannelDelete(args: Args, flags: SpaceFlags): Promise<number> {
  const channel = args[0] ?? '';
  await confirmed(cliMessage('cliSpaces.deletesChannel', { channel: visibleTerminalLine(channel) }), flags);
  return withHost('running-host', async ({ call }) => {
    await call('channels.delete', { channel });
    show(
      flags.json === true,
      { channel, deleted: true },
      copy('cliSpaces.deleted', { place: visibleTerminalLine(channel) }),
    );
    return exitOk;
  });
}

async function runChannelLeave(args: Args, flags: SpaceFlags): Promise<number> {
  const channel = args[0] ?? '';
  await confirmed(cliMessage('cliSpaces.leavesChannel', { channel: visibleTerminalLine(channel) }), flags);
  return withHost('running-host', async ({ call }) => {
    await call('channels.leave', { channel });
    show(
      flags.json === true,
      { channel, left: true },
      copy('cliSpaces.channelLeft', { place: visibleTerminalLine(channel) }),
    );
    return exitOk;
  });
}

async function runChannelRemove(args: Args, flags: SpaceFlags): Promise<number> {
  const [channel = '', who = ''] = args;
  await confirmed(
    cliMessage('cliSpaces.removesFromChannel', {
      who: visibleTerminalLine(who),
      channel: visibleTerminalLine(channel),
    }),
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('channels.remove', { channel, who });
    const text = copy('cliSpaces.removed', {
      who: visibleTerminalLine(who),
      place: visibleTerminalLine(channel),
    });
    show(flags.json === true, { channel, who, removed: true }, text);
    return exitOk;
  });
}

const yes = { flags: '--yes' };

const list = defineCommand({
  verb: 'list',
  args: '[space]',
  examples: ['channel list', 'channel list Garden', 'channel list --json'],
  run: runChannelList,
});

const create = defineCommand({
  verb: 'create',
  args: '<space> <name>',
  options: [{ flags: '--no-encrypted' }],
  examples: [
    'channel create Garden plants',
    'channel create Garden news --no-encrypted',
    "invite helper --channel 'Garden/#plants'",
  ],
  run: runChannelCreate,
});

const rename = defineCommand({
  verb: 'rename',
  args: '<channel> <name>',
  examples: [
    "channel rename '#plants' flowers",
    "channel rename 'Garden/#plants' flowers",
    'channel rename CHANNEL flowers --json',
  ],
  run: runChannelRename,
});

const remove = defineCommand({
  verb: 'remove',
  args: '<channel> <who>',
  options: [yes],
  examples: [
    "channel remove '#plants' bob-1f3a",
    "channel remove '#plants' helper",
    "channel remove '#plants' bob-1f3a --yes",
  ],
  run: runChannelRemove,
});

const leave = defineCommand({
  verb: 'leave',
  args: '<channel>',
  options: [yes],
  examples: ["channel leave '#plants'", "channel leave 'Garden/#plants'", "channel leave '#plants' --yes"],
  run: runChannelLeave,
});

const deleteChannel = defineCommand({
  verb: 'delete',
  args: '<channel>',
  options: [yes],
  examples: ["channel delete '#plants'", "channel delete 'Garden/#plants'", "channel delete '#plants' --yes"],
  run: runChannelDelete,
});

export const channelCommands: readonly CommandSpec[] = [list, create, rename, deleteChannel, leave, remove];
