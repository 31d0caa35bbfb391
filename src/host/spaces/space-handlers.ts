import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { SpaceRole } from '../../contract/space-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Account, AccountSpaces } from '../../services/puffo/account-types.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { Handlers } from '../dispatch.ts';
import type { Operator } from '../identity/operator.ts';
import { type FindPersonDeps, findByHandle, findWhom } from './find-person.ts';
import type { Channel, Space } from './find-space.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { spaceError } from './space-errors.ts';

type SpaceMethods = Pick<
  Handlers,
  | 'spaces.create'
  | 'spaces.rename'
  | 'spaces.archive'
  | 'spaces.members'
  | 'spaces.leave'
  | 'spaces.setRole'
  | 'spaces.remove'
>;
type ChannelMethods = Pick<
  Handlers,
  'channels.create' | 'channels.rename' | 'channels.delete' | 'channels.leave' | 'channels.remove'
>;

type Doing = Promise<Result<void, RequestError>>;

const may = {
  rename: say('spaces.mayRenameSpace'),
  archive: say('spaces.mayArchiveSpace'),
  leave: say('spaces.notInSpace'),
  role: say('spaces.mayChangeRoles'),
  remove: say('spaces.mayRemovePeople'),
  look: say('spaces.notInSpace'),
  createChannel: say('spaces.mayCreateChannel'),
  changeChannel: say('spaces.mayChangeChannel'),
  leaveChannel: say('spaces.notInChannel'),
} as const;

/** An agent as owner could never archive the space or transfer it. */
const noAgentOwns = fail(
  'invalid_input',
  'spaces.agentCannotOwnSpace',
  {},
  { help: 'spaces.handOverToPerson' },
);

export interface SpaceHandlerDeps {
  readonly home: OperatorSpaces;
  readonly operator: Pick<Operator, 'session' | 'setHomeSpace'>;
  readonly people: FindPersonDeps;
  refreshRooms(): void;
}

export function createSpaceHandlers(deps: SpaceHandlerDeps): SpaceMethods {
  const { home, operator, people } = deps;
  const inSpace = async (
    wanted: string,
    who: HostText,
    act: (spaces: AccountSpaces, space: Space) => Doing,
  ): Promise<Result<Record<string, never>>> => {
    const account = home.account();
    if (!account.ok) return account;
    const space = await home.space(wanted);
    if (!space.ok) return space;
    const done = await home.done(act(account.value.spaces, space.value), who);
    return done.ok ? ok({}) : done;
  };
  const withPerson = async (
    { space, who }: { readonly space: string; readonly who: string },
    allowed: HostText,
    act: (spaces: AccountSpaces, spaceId: string, slug: string) => Doing,
  ): Promise<Result<Record<string, never>>> => {
    const whom = findByHandle(people, who);
    if (!whom.ok) return whom;
    return inSpace(space, allowed, (spaces, { id }) => act(spaces, id, whom.value.slug));
  };
  const isAgent = async (who: string): Promise<boolean> => {
    const whom = findByHandle(people, who);
    const account = home.account();
    return whom.ok && account.ok && (await account.value.person(whom.value.slug)).agent;
  };
  return {
    'spaces.create': async ({ name }) => {
      const account = home.account();
      if (!account.ok) return account;
      const made = await account.value.createSpace(name);
      deps.refreshRooms();
      if (!made.ok) return made;
      return ok({ spaceId: made.value.spaceId, channelId: made.value.generalChannelId });
    },
    'spaces.rename': ({ space, name }) =>
      inSpace(space, may.rename, (spaces, { id }) => spaces.rename(id, name)),
    'spaces.archive': ({ space, archived }) =>
      inSpace(space, may.archive, (spaces, { id }) => spaces.archive(id, archived)),
    'spaces.members': async ({ space: wanted }) => {
      const account = home.account();
      if (!account.ok) return account;
      const space = await home.space(wanted);
      if (!space.ok) return space;
      const members = await account.value.spaces.members(space.value.id);
      return members.ok ? ok({ members: [...members.value] }) : err(spaceError(members.error, may.look));
    },
    'spaces.leave': ({ space }) =>
      inSpace(space, may.leave, async (spaces, { id }) => {
        const left = await spaces.leave(id);
        // New agents then get another home space.
        if (left.ok && operator.session()?.record.homeSpaceId === id) operator.setHomeSpace(null);
        return left;
      }),
    'spaces.setRole': async ({ role, ...place }) => {
      if (role === 'owner' && (await isAgent(place.who))) return err(noAgentOwns);
      return withPerson(place, may.role, (spaces, id, slug) =>
        spaces.setRole(id, slug, role satisfies SpaceRole),
      );
    },
    'spaces.remove': (place) => withPerson(place, may.remove, (spaces, id, slug) => spaces.remove(id, slug)),
  };
}

/** Channel names are unique per space, among the channels visible to the operator. */
function nameTaken(account: Account, space: Space, name: string): AppError | null {
  const same = account
    .rooms()
    .channels.some((one) => one.spaceId === space.id && one.name.toLowerCase() === name.toLowerCase());
  if (!same) return null;
  return fail(
    'conflict',
    'spaces.channelTaken',
    { name, space: space.name },
    { help: 'spaces.chooseAnotherName' },
  );
}

export function createChannelHandlers(home: OperatorSpaces, people: FindPersonDeps): ChannelMethods {
  const inChannel = async (
    wanted: string,
    who: HostText,
    act: (account: Account, channel: Channel) => Doing,
  ): Promise<Result<Record<string, never>>> => {
    const account = home.account();
    if (!account.ok) return account;
    const channel = await home.channel(wanted);
    if (!channel.ok) return channel;
    const done = await home.done(act(account.value, channel.value), who);
    return done.ok ? ok({}) : done;
  };
  return {
    'channels.create': async ({ space: wanted, name, encrypted }) => {
      const account = home.account();
      if (!account.ok) return account;
      const space = await home.space(wanted);
      if (!space.ok) return space;
      const plain = name.replace(/^#/, '');
      const taken = nameTaken(account.value, space.value, plain);
      if (taken) return err(taken);
      return home.done(
        account.value.spaces.createChannel(space.value.id, plain, encrypted),
        may.createChannel,
      );
    },
    'channels.rename': ({ channel, name }) =>
      inChannel(channel, may.changeChannel, ({ spaces }, { spaceId, id }) =>
        spaces.renameChannel(spaceId, id, name.replace(/^#/, '')),
      ),
    'channels.delete': ({ channel }) =>
      inChannel(channel, may.changeChannel, ({ spaces }, { spaceId, id }) =>
        spaces.deleteChannel(spaceId, id),
      ),
    'channels.leave': ({ channel }) =>
      inChannel(channel, may.leaveChannel, ({ spaces }, { spaceId, id }) => spaces.leaveChannel(spaceId, id)),
    'channels.remove': async ({ channel, who }) => {
      const whom = findWhom(people, who);
      if (!whom.ok) return whom;
      return inChannel(channel, may.remove, ({ spaces }, { spaceId, id }) =>
        spaces.removeFromChannel(spaceId, id, whom.value.slug),
      );
    },
  };
}
