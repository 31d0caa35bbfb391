/**
 * The spaces and channels of one account with their names. Loaded when a viewer or a name requires it,
 * refreshed on the server's announcements; member lists are shared with the other accounts of the server.
 */

import { z } from 'zod';
import type { NamedMember } from '../../contract/mentions.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import { channelIdSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import type { ChannelView, RoomsSnapshot } from './account-types.ts';
import type { ServerDirectory } from './directory.ts';
import type { RequestError } from './request-error.ts';
import type { RoomCache, SeenRooms } from './room-cache.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

export interface RoomsDeps {
  readonly client: SignedClient;
  readonly directory: ServerDirectory;
  readonly clock: Clock;
  /** True if a viewer is open: also loads members and names, and refreshes automatically. */
  readonly watched: boolean;
  /** Shown until the server has listed the rooms; `null` if no viewer exists. */
  readonly memory: RoomCache | null;
  onRooms(): void;
}

interface Channel {
  readonly id: ChannelId;
  readonly spaceId: SpaceId;
  readonly name: string;
  /** The server's claim, or `null` if it makes none. */
  readonly encrypted: boolean | null;
}

const name = z
  .string()
  .nullish()
  .transform((value) => (value ?? '').slice(0, 300));
const spaceSchema = z.looseObject({
  space_id: spaceIdSchema,
  name,
  role: z.string().max(40).nullish(),
  archived: z.boolean().nullish(),
});
const spacesSchema = z.looseObject({ spaces: validItems(spaceSchema) });
const channelSchema = z.looseObject({
  channel_id: channelIdSchema,
  name,
  is_encrypted: z.boolean().nullish(),
  is_member: z.boolean().nullish(),
});
const channelsSchema = z.looseObject({ channels: validItems(channelSchema) });

/** ms; room frames arrive in bursts, and one refresh covers all within this time. */
const flockMs = 150;
/** ms before a channel without a name is looked up again, in case the server does not announce new ones. */
const unknownAgainMs = 30_000;
const membersMaxAgeMs = 60_000;

/** Shared, because most accounts of a host never load their rooms. */
const noChannels: ReadonlyMap<string, Channel> = new Map();

export class Rooms {
  readonly #deps: RoomsDeps;
  #spaces: RoomsSnapshot['spaces'] = [];
  #channels = noChannels;
  #running: Promise<Result<void, RequestError>> | null = null;
  #queued: Promise<Result<void, RequestError>> | null = null;
  #flock: Timer | null = null;
  #stale = true;
  #loadedAt = Number.NEGATIVE_INFINITY;
  /** From the last run; only for display, and only until the server has answered in this one. */
  #recalled: SeenRooms | null = null;
  #listed = false;

  constructor(deps: RoomsDeps) {
    this.#deps = deps;
  }

  snapshot(): RoomsSnapshot {
    const { spaces, channels } = this.#seen();
    return { spaces, channels: channels.map((one) => this.#view(one)) };
  }

  spaceName(spaceId: string): string {
    return this.#seen().spaces.find((space) => space.id === spaceId)?.name || spaceId;
  }

  channelName(channelId: string): string {
    const known = this.#channels.get(channelId);
    const seen = known ?? this.#seen().channels.find((channel) => channel.id === channelId);
    return seen?.name || channelId;
  }

  /** The server's claim if a channel is encrypted, or `null` if it makes none. */
  encrypted(channelId: string): boolean | null {
    return this.#channels.get(channelId)?.encrypted ?? null;
  }

  #seen(): { readonly spaces: RoomsSnapshot['spaces']; readonly channels: readonly Channel[] } {
    const { memory } = this.#deps;
    if (this.#listed || memory === null) {
      return { spaces: this.#spaces, channels: [...this.#channels.values()] };
    }
    this.#recalled ??= memory.recall();
    return this.#recalled;
  }

  /** Called when the server announces a change. */
  changed(): void {
    this.#stale = true;
    if (!this.#deps.watched) return;
    this.#flock ??= this.#deps.clock.after(flockMs, () => {
      this.#flock = null;
      void this.refresh();
    });
  }

  online(): void {
    if (this.#deps.watched) void this.refresh();
  }

  stop(): void {
    this.#flock?.cancel();
    this.#flock = null;
  }

  /** Loads once more if one of these channels has no name yet. */
  async ensure(channelIds: readonly string[]): Promise<void> {
    if (channelIds.every((channelId) => this.#channels.has(channelId))) return;
    const age = this.#deps.clock.monotonic() - this.#loadedAt;
    if (this.#stale || age > unknownAgainMs) await this.refresh();
  }

  /** Loads data at least as new as this call: a running load is followed by another. */
  refresh(): Promise<Result<void, RequestError>> {
    if (this.#running) {
      this.#queued ??= this.#running.then(() => {
        this.#queued = null;
        return this.refresh();
      });
      return this.#queued;
    }
    this.#running = this.#load().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #load(): Promise<Result<void, RequestError>> {
    this.#stale = false;
    this.#loadedAt = this.#deps.clock.monotonic();
    const { client } = this.#deps;
    const spaces = await client.json('GET', '/spaces', spacesSchema);
    if (!spaces.ok) return this.#failed(spaces);
    const lists = await Promise.all(spaces.value.spaces.map((space) => this.#channelsOf(space.space_id)));
    const channels = new Map<string, Channel>();
    for (const list of lists) {
      if (!list.ok) return this.#failed(list);
      for (const channel of list.value) channels.set(channel.id, channel);
    }
    this.#spaces = spaces.value.spaces.map((space) => ({
      id: space.space_id,
      name: space.name,
      role: space.role ?? '',
      archived: space.archived === true,
    }));
    this.#channels = channels;
    this.#listed = true;
    this.#recalled = null;
    this.#deps.memory?.remember({ spaces: [...this.#spaces], channels: [...channels.values()] });
    this.#deps.directory.formats.listed([...channels.values()]);
    if (this.#deps.watched) await this.#loadAllMembers([...channels.values()]);
    this.#deps.onRooms();
    return ok(undefined);
  }

  #failed(failure: { readonly ok: false; readonly error: RequestError }): Result<never, RequestError> {
    this.#stale = true;
    return failure;
  }

  async #channelsOf(spaceId: SpaceId): Promise<Result<readonly Channel[], RequestError>> {
    const target = `/spaces/${encodeURIComponent(spaceId)}/channels`;
    const answer = await this.#deps.client.json('GET', target, channelsSchema);
    // A server answers a membership that is not effective yet with an HTML page (spec §2.2): no channels so
    // far.
    if (!answer.ok) return answer.error.code === 'protocol' ? ok([]) : answer;
    return ok(
      answer.value.channels
        .filter((channel) => channel.is_member !== false)
        .map((channel) => ({
          id: channel.channel_id,
          spaceId,
          name: channel.name,
          encrypted: channel.is_encrypted ?? null,
        })),
    );
  }

  async #loadAllMembers(channels: readonly Channel[]): Promise<void> {
    const slugs = new Set<string>();
    for (const channel of channels) for (const slug of await this.#slugsIn(channel)) slugs.add(slug);
    await this.#loadNames(slugs);
  }

  /** Loads the members of one channel and their names. Never fails. */
  async loadMembers(channel: Pick<Channel, 'id' | 'spaceId'>): Promise<void> {
    await this.#loadNames(await this.#slugsIn(channel));
  }

  async #slugsIn({ id, spaceId }: Pick<Channel, 'id' | 'spaceId'>): Promise<readonly string[]> {
    const list = await this.#deps.directory.members.of(this.#deps.client, spaceId, id, membersMaxAgeMs);
    return list.ok ? list.value.map(({ slug }) => slug) : [];
  }

  async #loadNames(slugs: Iterable<string>): Promise<void> {
    await Promise.all([...slugs].map((slug) => this.#deps.directory.profiles.person(slug)));
  }

  /** Known members of a channel with their names. */
  members(channelId: string): readonly NamedMember[] {
    const { members, profiles } = this.#deps.directory;
    return members
      .remembered(channelId)
      .map(({ slug }) => ({ slug, displayName: profiles.known(slug).displayName }));
  }

  #view(channel: Channel): ChannelView {
    const { members, profiles, formats } = this.#deps.directory;
    return {
      ...channel,
      encrypted: channel.encrypted !== false || formats.isSealed(channel.id),
      members: members.remembered(channel.id).map(({ slug, role }) => {
        const { displayName, agent } = profiles.known(slug);
        return { slug, role, displayName, agent };
      }),
    };
  }
}
