import { didYouMean } from '../../contract/did-you-mean.ts';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { Room } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import {
  type ChannelId,
  dmRoomId,
  dmSlug,
  isChannelId,
  isSpaceId,
  type SpaceId,
} from '../../contract/room-id.ts';
import { channelChoices } from './channel-choices.ts';

export type Target =
  | {
      readonly kind: 'channel';
      readonly roomId: string;
      readonly spaceId: SpaceId;
      readonly channelId: ChannelId;
    }
  | { readonly kind: 'dm'; readonly roomId: string; readonly slug: string };

export interface Addressable {
  readonly rooms: readonly Room[];
  readonly spaceNames: ReadonlyMap<string, string>;
  readonly agents: readonly {
    readonly id: string;
    readonly slug: string | null;
    readonly displayName: string;
  }[];
  readonly people: readonly { readonly slug: string; readonly displayName: string }[];
}

/** `<username>-<4 hex>`, the form that servers give to handles (spec §1.2). */
export const isHandle = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]*-[0-9a-f]{4}$/u.test(text);
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const dm = (slug: string, roomId: string = dmRoomId(slug)): Target => ({ kind: 'dm', roomId, slug });

function ofRoom(room: Room): Target {
  const { id, spaceId } = room;
  if (isChannelId(id) && isSpaceId(spaceId)) return { kind: 'channel', roomId: id, spaceId, channelId: id };
  return dm(dmSlug(id) ?? '', id);
}

function oneChannel(name: string, from: Addressable, spaceName: string | null = null): Result<Target> {
  const inSpace = ({ spaceId }: Room): boolean =>
    spaceName === null ||
    same(spaceName, spaceId ?? '') ||
    same(spaceName, from.spaceNames.get(spaceId ?? '') ?? '');
  const found = from.rooms.filter(
    (room) => room.kind === 'channel' && same(room.name, name) && inSpace(room),
  );
  const [room] = found;
  if (room && found.length === 1) return ok(ofRoom(room));
  if (room) {
    const names = channelChoices(
      found.map((each) => ({ ...each, spaceName: from.spaceNames.get(each.spaceId ?? '') })),
    );
    return err(fail('invalid_input', 'chat.ambiguousChannel', { name, names }, { help: 'models.useOneOf' }));
  }
  const names = from.rooms.filter((each) => each.kind === 'channel').map((each) => `#${each.name}`);
  return err(missing(spaceName === null ? `#${name}` : `${spaceName}/#${name}`, names));
}

function missing(wanted: string, names: readonly string[]): AppError {
  const close = didYouMean(wanted, names);
  const details = { help: 'chat.runChatRead' } as const;
  return close
    ? fail('not_found', 'chat.didYouMeanRoom', { wanted, close }, details)
    : fail('not_found', 'chat.unknownRoom', { wanted }, details);
}

function byDisplayName(name: string, from: Addressable): Result<Target> | null {
  const slugs = new Set<string>();
  for (const agent of from.agents) if (agent.slug && same(agent.displayName, name)) slugs.add(agent.slug);
  for (const person of from.people) if (same(person.displayName, name)) slugs.add(person.slug);
  const [slug] = slugs;
  if (slug === undefined) return null;
  if (slugs.size === 1) return ok(dm(slug));
  return err(
    fail(
      'invalid_input',
      'chat.ambiguousPerson',
      { name, names: [...slugs].join(', ') },
      { help: 'models.useOneOf' },
    ),
  );
}

/**
 * Accepts a room id, agent id, slug, display name, `#channel` or `space/#channel`; an ambiguous name fails
 * with the candidates.
 */
export function findTarget(wanted: string, from: Addressable): Result<Target> {
  const to = wanted.trim().replace(/^@/, '');
  const room = from.rooms.find((each) => each.id === to);
  if (room) return ok(ofRoom(room));
  if (to.startsWith('#')) return oneChannel(to.slice(1), from);
  const at = to.lastIndexOf('/#');
  if (at > 0) return oneChannel(to.slice(at + 2), from, to.slice(0, at));
  // Every name of a recipient may also follow `dm:`.
  const whom = to.replace(/^dm:@?/, '');
  const agent =
    from.agents.find((each) => each.id === whom) ?? from.agents.find((each) => each.slug === whom);
  if (agent?.slug) return ok(dm(agent.slug));
  if (agent) {
    return err(fail('conflict', 'chat.agentNotRegistered', { whom }, { help: 'chat.fillPuffoCore' }));
  }
  if (whom !== '' && (from.people.some((person) => person.slug === whom) || isHandle(whom)))
    return ok(dm(whom));
  const named = byDisplayName(whom, from);
  if (named) return named;
  return err(
    missing(whom, [
      ...from.agents.flatMap((each) => [each.id, each.displayName]),
      ...from.people.map((p) => p.displayName),
    ]),
  );
}
