import type { RoomsView } from '../../contract/model.ts';
import type { SpaceRole } from '../../contract/space-methods.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type SafeText } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { namesOf } from '../union-names.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { confirmed, type SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

const roles = namesOf<SpaceRole>({ owner: true, admin: true, member: true });

/** A server may report a role that Kennel does not know. */
function roleText(name: string): string {
  const role = roles.find((each) => each === name);
  return role === undefined ? name : copy(`cliSpaces.role_${role}`);
}

function listText({ spaces, rooms }: RoomsView): string | SafeText {
  if (spaces.length === 0) return copy('cliSpaces.noneYet');
  const channels = Object.values(rooms).filter(({ kind }) => kind === 'channel');
  const rows = spaces.map(({ id, name, role, archived }) => [
    name,
    role === '' ? '-' : roleText(role),
    String(channels.filter(({ spaceId }) => spaceId === id).length),
    archived ? ({ text: copy('cliSpaces.archived'), tone: 'quiet' } as const) : copy('cliSpaces.open'),
    id,
  ]);
  const heads = [
    copy('cliHeads.name'),
    copy('cliHeads.yourRole'),
    copy('cliHeads.channels'),
    copy('cliHeads.state'),
    copy('cliHeads.id'),
  ];
  return columnsText(heads, rows);
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
    const text = copy('cliSpaces.inviteSomeone', { name: visibleTerminalLine(name), space: made.spaceId });
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
      copy('cliSpaces.nowCalled', { space: visibleTerminalLine(space), name: visibleTerminalLine(name) }),
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
      const text = copy(archived ? 'cliSpaces.isArchived' : 'cliSpaces.inUseAgain', {
        space: visibleTerminalLine(space),
      });
      show(flags.json === true, { space, archived }, text);
      return exitOk;
    });
  };

async function runSpaceMembers(args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { members } = await call('spaces.members', { space: args[0] ?? '' });
    const rows = members.map(({ slug, displayName, role, agent }) => [
      displayName,
      roleText(role),
      copy(agent ? 'cliSpaces.agent' : 'cliSpaces.person'),
      slug,
    ]);
    const heads = [
      copy('cliHeads.name'),
      copy('cliHeads.role'),
      copy('cliHeads.kind'),
      copy('cliHeads.handle'),
    ];
    show(flags.json === true, { members }, columnsText(heads, rows));
    return exitOk;
  });
}

async function runSpaceRole(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = '', wanted = ''] = args;
  const role = roles.find((each) => each === wanted);
  if (!role) throw commandFailure('invalid_input', 'cliSpaces.roleIs');
  if (role === 'owner') return runSpaceHandOver([space, who], flags);
  return withHost('running-host', async ({ call }) => {
    await call('spaces.setRole', { space, who, role });
    const text = copy('cliSpaces.isRole', {
      who: visibleTerminalLine(who),
      role: copy(`cliSpaces.role_${role}`),
      space: visibleTerminalLine(space),
    });
    show(flags.json === true, { space, who, role }, text);
    return exitOk;
  });
}

async function runSpaceHandOver(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = ''] = args;
  await confirmed(
    cliMessage('cliSpaces.handsOver', { who: visibleTerminalLine(who), space: visibleTerminalLine(space) }),
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.setRole', { space, who, role: 'owner' });
    const text = copy('cliSpaces.handedOver', {
      who: visibleTerminalLine(who),
      space: visibleTerminalLine(space),
    });
    show(flags.json === true, { space, who, role: 'owner' }, text);
    return exitOk;
  });
}

async function runSpaceRemove(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = ''] = args;
  await confirmed(
    cliMessage('cliSpaces.removesFromSpace', {
      who: visibleTerminalLine(who),
      space: visibleTerminalLine(space),
    }),
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.remove', { space, who });
    const text = copy('cliSpaces.removed', {
      who: visibleTerminalLine(who),
      place: visibleTerminalLine(space),
    });
    show(flags.json === true, { space, who, removed: true }, text);
    return exitOk;
  });
}

async function runSpaceLeave(args: Args, flags: SpaceFlags): Promise<number> {
  const space = args[0] ?? '';
  await confirmed(cliMessage('cliSpaces.leavesSpace', { space: visibleTerminalLine(space) }), flags);
  return withHost('running-host', async ({ call }) => {
    await call('spaces.leave', { space });
    show(
      flags.json === true,
      { space, left: true },
      copy('cliSpaces.channelLeft', { place: visibleTerminalLine(space) }),
    );
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
