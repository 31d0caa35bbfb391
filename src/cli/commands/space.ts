import type { RoomsView } from '../../contract/model.ts';
import { spaceRoleSchema } from '../../contract/space-methods.ts';
import { columns } from '../columns.ts';
import { withHost } from '../session.ts';
import { exitOk, show, usage } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { confirmed, type SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

function listText({ spaces, rooms }: RoomsView): string {
  if (spaces.length === 0) return 'You are in no space yet. Make one with "kennel space create NAME".';
  const channels = Object.values(rooms).filter(({ kind }) => kind === 'channel');
  const rows = spaces.map(({ id, name, role, archived }) => [
    visibleTerminalLine(name),
    role || '-',
    String(channels.filter(({ spaceId }) => spaceId === id).length),
    archived ? 'archived' : '',
    id,
  ]);
  return columns([['NAME', 'YOU ARE', 'CHANNELS', '', 'ID'], ...rows]);
}

export async function runSpaceList(_args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const view = await call('chat.rooms', {});
    show(flags.json === true, { spaces: view.spaces }, listText(view));
    return exitOk;
  });
}

export async function runSpaceCreate(args: Args, flags: SpaceFlags): Promise<number> {
  const name = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const made = await call('spaces.create', { name });
    const text = `Made the space ${visibleTerminalLine(name)} with the channel #general.\nInvite somebody with "kennel invite WHO --space ${made.spaceId}".`;
    show(flags.json === true, made, text);
    return exitOk;
  });
}

export async function runSpaceRename(args: Args, flags: SpaceFlags): Promise<number> {
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

export const runSpaceArchive =
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

export async function runSpaceMembers(args: Args, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { members } = await call('spaces.members', { space: args[0] ?? '' });
    const rows = members.map(({ slug, displayName, role, agent }) => [
      visibleTerminalLine(displayName),
      role,
      agent ? 'agent' : 'person',
      slug,
    ]);
    show(flags.json === true, { members }, columns([['NAME', 'ROLE', 'KIND', 'SLUG'], ...rows]));
    return exitOk;
  });
}

export async function runSpaceRole(args: Args, flags: SpaceFlags): Promise<number> {
  const [space = '', who = '', wanted = ''] = args;
  const role = spaceRoleSchema.safeParse(wanted);
  if (!role.success) throw usage('A role is admin or member.');
  if (role.data === 'owner') return runSpaceHandOver([space, who], flags);
  return withHost('running-host', async ({ call }) => {
    await call('spaces.setRole', { space, who, role: role.data });
    const text = `${visibleTerminalLine(who)} is ${role.data} in ${visibleTerminalLine(space)} now.`;
    show(flags.json === true, { space, who, role: role.data }, text);
    return exitOk;
  });
}

export async function runSpaceHandOver(args: Args, flags: SpaceFlags): Promise<number> {
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

export async function runSpaceRemove(args: Args, flags: SpaceFlags): Promise<number> {
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

export async function runSpaceLeave(args: Args, flags: SpaceFlags): Promise<number> {
  const space = args[0] ?? '';
  await confirmed(
    `You leave ${visibleTerminalLine(space)} and all its channels; only somebody in it can bring you back. Your agents stay.`,
    flags,
  );
  return withHost('running-host', async ({ call }) => {
    await call('spaces.leave', { space });
    show(flags.json === true, { space, left: true }, `You have left ${visibleTerminalLine(space)}.`);
    return exitOk;
  });
}
