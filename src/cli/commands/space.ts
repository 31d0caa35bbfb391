import type { RoomsView } from '../../contract/model.ts';
import type { SpaceRole } from '../../contract/space-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { namesOf } from '../names-of.ts';
import { columnsText, type SafeText } from '../table.ts';
import { exitOk, show, usageError } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { confirmed, type SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

function listText({ spaces, rooms }: RoomsView): string | SafeText {
  if (spaces.length === 0) return 'You are in no space yet. Make one with "kennel space create NAME".';
  const channels = Object.values(rooms).filter(({ kind }) => kind === 'channel');
  const rows = spaces.map(({ id, name, role, archived }) => [
    name,
    role || '-',
    String(channels.filter(({ spaceId }) => spaceId === id).length),
    archived ? ({ text: 'archived', tone: 'quiet' } as const) : 'open',
    id,
  ]);
  return columnsText(['NAME', 'YOUR ROLE', 'CHANNELS', 'STATE', 'ID'], rows);
}

async function runSpaceList(_args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const view = await call('chat.rooms', {});
    show(flags.json === true, { spaces: view.spaces }, listText(view));
    return exitOk;
  });
}

async function runSpaceCreate(args: Args, flags: SpaceFlags): Promise<number> {
  const name = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const made = await call('spaces.create', { name });
    const text = `Made the space ${visibleTerminalLine(name)} with the channel #general.\nInvite someone with "kennel invite WHO --space ${made.spaceId}".`;
    show(flags.json === true, made, text);
    return exitOk;
  });
}

async function runSpaceRename(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', name = ''] = args;
  return withHost('running-host', async ({ call }) => {
    await call('spaces.rename', { space, name });
    show(
      flags.json === true,
      { space, name },
      `${visibleTerminalLine(space)} is now called ${visibleTerminalLine(name)}.`,
    );
    return exitOk;
  });
}

const runSpaceArchive =
  (archived: boolean) =>
  async (args: Args, flags: SpaceFlags): Promise<number> => {
    const space = args[0] ?? '';
    return withHost('running-host', async ({ call }) => {
      await call('spaces.archive', { space, archived });
      const text = archived
        ? `${visibleTerminalLine(space)} is archived: nobody writes there. "kennel space unarchive" brings it back.`
        : `${visibleTerminalLine(space)} is in use again.`;
      show(flags.json === true, { space, archived }, text);
      return exitOk;
    });
  };

async function runSpaceMembers(args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { members } = await call('spaces.members', { space: args[0] ?? '' });
    const rows = members.map(({ slug, displayName, role, agent }) => [
      displayName,
      role,
      agent ? 'agent' : 'person',
      slug,
    ]);
    show(flags.json === true, { members }, columnsText(['NAME', 'ROLE', 'KIND', 'HANDLE'], rows));
    return exitOk;
  });
}

const roles = namesOf<SpaceRole>({ owner: true, admin: true, member: true });

async function runSpaceRole(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = '', wanted = ''] = args;
  const role = roles.find((each) => each === wanted);
  if (!role) throw usageError('A role is admin or member.');
  if (role === 'owner') return runSpaceHandOver([space, who], flags);
  return withHost('running-host', async ({ call }) => {
    await call('spaces.setRole', { space, who, role });
    const text = `${visibleTerminalLine(who)} is ${role} in ${visibleTerminalLine(space)} now.`;
    show(flags.json === true, { space, who, role }, text);
    return exitOk;
  });
}

async function runSpaceHandOver(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = ''] = args;
  await confirmed(
    `This makes ${visibleTerminalLine(who)} the owner of ${visibleTerminalLine(space)}, and you an admin; only the new owner can undo it.`,
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.setRole', { space, who, role: 'owner' });
    const text = `${visibleTerminalLine(who)} owns ${visibleTerminalLine(space)} now. You are an admin there.`;
    show(flags.json === true, { space, who, role: 'owner' }, text);
    return exitOk;
  });
}

async function runSpaceRemove(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = ''] = args;
  await confirmed(
    `This removes ${visibleTerminalLine(who)} from ${visibleTerminalLine(space)} and all its channels; what they have read stays with them.`,
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.remove', { space, who });
    const text = `${visibleTerminalLine(who)} is out of ${visibleTerminalLine(space)} and gets nothing more from there.`;
    show(flags.json === true, { space, who, removed: true }, text);
    return exitOk;
  });
}

async function runSpaceLeave(args: Args, flags: SpaceFlags): Promise<number> {
  const space = args[0] ?? '';
  await confirmed(
    `You leave ${visibleTerminalLine(space)} and all its channels; only a member can bring you back. Your agents stay.`,
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.leave', { space });
    show(flags.json === true, { space, left: true }, `You have left ${visibleTerminalLine(space)}.`);
    return exitOk;
  });
}

const yes = { flags: '--yes' };

const list = defineCommand({
  verb: 'list',
  examples: ['space list', 'space list --json', "space list --json | jq -r '.spaces[].name'"],
  run: runSpaceList,
});

const create = defineCommand({
  verb: 'create',
  args: '<name>',
  examples: ['space create Garden', 'space create Garden --json', 'invite bob-1f3a --space Garden'],
  run: runSpaceCreate,
});

const rename = defineCommand({
  verb: 'rename',
  args: '<space> <name>',
  examples: ['space rename Garden Yard', 'space rename sp_1f3a Yard', 'space rename Garden Yard --json'],
  run: runSpaceRename,
});

const archive = defineCommand({
  verb: 'archive',
  args: '<space>',
  examples: ['space archive Garden', 'space unarchive Garden', 'space archive Garden --json'],
  run: runSpaceArchive(true),
});

const unarchive = defineCommand({
  verb: 'unarchive',
  args: '<space>',
  examples: ['space unarchive Garden', 'space list', 'space unarchive Garden --json'],
  run: runSpaceArchive(false),
});

const members = defineCommand({
  verb: 'members',
  args: '<space>',
  examples: [
    'space members Garden',
    'space members Garden --json',
    "space members Garden --json | jq -r '.members[].slug'",
  ],
  run: runSpaceMembers,
});

const role = defineCommand({
  verb: 'role',
  args: '<space> <who> <role>',
  examples: ['space role Garden bob-1f3a admin', 'space role Garden bob-1f3a member', 'space members Garden'],
  run: runSpaceRole,
});

const remove = defineCommand({
  verb: 'remove',
  args: '<space> <who>',
  options: [yes],
  examples: [
    'space remove Garden bob-1f3a',
    'space remove Garden helper',
    'space remove Garden bob-1f3a --yes',
  ],
  run: runSpaceRemove,
});

const leave = defineCommand({
  verb: 'leave',
  args: '<space>',
  options: [yes],
  examples: ['space leave Garden', 'space leave Garden --yes', 'space hand-over Garden bob-1f3a'],
  run: runSpaceLeave,
});

const handOver = defineCommand({
  verb: 'hand-over',
  args: '<space> <who>',
  options: [yes],
  examples: [
    'space hand-over Garden bob-1f3a',
    'space hand-over Garden bob-1f3a --yes',
    'space members Garden',
  ],
  run: runSpaceHandOver,
});

export const spaceCommands: readonly CommandSpec[] = [
  list,
  create,
  rename,
  archive,
  unarchive,
  members,
  role,
  remove,
  leave,
  handOver,
];
