import { didYouMean } from '../../contract/did-you-mean.ts';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import { channelChoices } from '../chat/channel-choices.ts';

export type Space = RoomsSnapshot['spaces'][number];
export type Channel = RoomsSnapshot['channels'][number];

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function missing(
  what: 'space' | 'channel',
  wanted: string,
  names: readonly string[],
  command: string,
): AppError {
  const close = didYouMean(wanted, names);
  const details = { help: 'spaces.runForAll' } as const;
  return close
    ? fail('not_found', `spaces.didYouMean_${what}`, { wanted, close, command }, details)
    : fail('not_found', `spaces.unknown_${what}`, { wanted, command }, details);
}

/** Finds a space by id or name; an ambiguous name fails with the candidates. */
export function findSpace(wanted: string, { spaces }: Pick<RoomsSnapshot, 'spaces'>): Result<Space> {
  const text = wanted.trim();
  const byId = spaces.find(({ id }) => id === text);
  const named = byId ? [byId] : spaces.filter(({ name }) => same(name, text));
  const [first] = named;
  if (first && named.length === 1) return ok(first);
  if (first) {
    return err(
      fail(
        'invalid_input',
        'spaces.ambiguousSpace',
        { text, names: named.map(({ id }) => id).join(', ') },
        { help: 'models.useOneOf', where: 'space' },
      ),
    );
  }
  return err(
    missing(
      'space',
      text,
      spaces.map(({ name }) => name),
      'kennel space list',
    ),
  );
}

/** Finds a channel by id, `#name`, `name` or `space/#name`, within `inSpace` if given. */
export function findChannel(wanted: string, rooms: RoomsSnapshot, inSpace?: string): Result<Channel> {
  const text = wanted.trim();
  const byId = rooms.channels.find(({ id }) => id === text);
  if (byId) return ok(byId);
  const at = text.lastIndexOf('/#');
  const spaceName = at > 0 ? text.slice(0, at) : inSpace;
  const space = spaceName === undefined ? null : findSpace(spaceName, rooms);
  if (space && !space.ok) return space;
  const name = (at > 0 ? text.slice(at + 1) : text).replace(/^#/, '');
  const among = space ? rooms.channels.filter(({ spaceId }) => spaceId === space.value.id) : rooms.channels;
  const named = among.filter((channel) => same(channel.name, name));
  const [first] = named;
  if (first && named.length === 1) return ok(first);
  if (first) {
    const names = channelChoices(
      named.map((channel) => ({
        ...channel,
        spaceName: rooms.spaces.find((each) => each.id === channel.spaceId)?.name,
      })),
    );
    return err(
      fail(
        'invalid_input',
        'chat.ambiguousChannel',
        { name, names },
        { help: 'models.useOneOf', where: 'channel' },
      ),
    );
  }
  return err(
    missing(
      'channel',
      `#${name}`,
      among.map((channel) => `#${channel.name}`),
      'kennel channel list',
    ),
  );
}
