/** Spaces, channels, members and invitations of the fake host, in memory. */
import { textError } from '../../src/contract/errors.ts';
import type { ContactView, DeviceView, PeerView } from '../../src/contract/identity-methods.ts';
import type { SpaceLinkView } from '../../src/contract/link-methods.ts';
import type { MethodName } from '../../src/contract/methods.ts';
import type { Room, RoomsView } from '../../src/contract/model.ts';
import type { PersonView } from '../../src/contract/people-methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { Member, SentInviteView } from '../../src/contract/space-methods.ts';
import { now, room } from './fake-data.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

const nobody = err(
  textError('not_found', 'The server knows nobody by that handle.', {
    hint: 'Run "kennel peers list" for the people you know.',
  }),
);

export const inviteToGarden = `kennel://join?server=https%3A%2F%2Fchat.example.org#lnk-${'a2'.repeat(16)}`;

export const safetyNumber = '05634 69074 77148 61372 96485 80875 06317 20685 45567 86844 31466 60049';

export class FakeSpaces {
  members: Member[] = [
    { slug: 'you-3f9a', displayName: 'You', agent: false, role: 'owner' },
    { slug: 'guide-1c2d', displayName: 'Guide', agent: true, role: 'member' },
    { slug: 'ada-77aa', displayName: 'Ada', agent: false, role: 'admin' },
    { slug: 'scout-5b5b', displayName: 'Scout', agent: true, role: 'member' },
  ];
  devices: DeviceView[] = [
    { id: 'dev_this', createdAt: 1000, current: true, revokedAt: null },
    { id: 'dev_old', createdAt: 1000, current: false, revokedAt: null },
  ];
  peers: PeerView[] = [];
  contacts: ContactView[] = [];
  /** People of the server who share no room with the operator; found by their handle. */
  strangers: PersonView[] = [];
  sent: SentInviteView[] = [];
  links: SpaceLinkView[] = [];
  private readonly feed: FakeFeed;
  private made = 0;

  constructor(feed: FakeFeed) {
    this.feed = feed;
  }

  private view(): RoomsView {
    return this.feed.read<RoomsView>('rooms');
  }

  private change(change: Partial<RoomsView>): Result<unknown> {
    for (const [key, value] of Object.entries(change))
      this.feed.patch('rooms', { op: 'set', path: [key], value });
    return ok({});
  }

  private ofSpace(id: string, change: Partial<RoomsView['spaces'][number]>): Result<unknown> {
    return this.change({
      spaces: this.view().spaces.map((space) => (space.id === id ? { ...space, ...change } : space)),
    });
  }

  private addRoom(change: Partial<Room>): string {
    const id = `ch_made${++this.made}`;
    const self = { slug: 'you-3f9a', displayName: 'You', agent: false, role: 'owner' };
    this.feed.put(`room:${id}`, { roomId: id, messages: [], hasMore: false, drafts: {}, annotations: {} });
    this.feed.patch('rooms', {
      op: 'set',
      path: ['rooms', id],
      value: room(id, { members: [self], ...change }),
    });
    return id;
  }

  private withoutRoom(id: string): Result<unknown> {
    const { [id]: _, ...rooms } = this.view().rooms;
    return this.change({ rooms });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      ...this.spaceTable(),
      ...this.channelTable(),
      ...this.inviteTable(),
      ...this.identityTable(),
      'people.show': ({ who }: { who: string }) => {
        const person = this.find(who).people.find(({ slug }) => slug === who);
        if (!person) return nobody;
        const trust = this.view().trust[who] ?? null;
        return ok({
          ...person,
          role: '',
          trust,
          safetyNumber: trust === 'changed' || person.agent ? '' : safetyNumber,
          verifiedAt: trust === 'verified' ? now - 3_600_000 : null,
        });
      },
      'people.verify': ({ who }: { who: string }) =>
        this.change({ trust: { ...this.view().trust, [who]: 'verified' } }),
      'people.unverify': ({ who }: { who: string }) => {
        const { [who]: _, ...trust } = this.view().trust;
        this.change({ trust });
        return ok({ slug: who });
      },
      'people.find': ({ text }: { text: string }) => ok(this.find(text.replace(/^@/, '').toLowerCase())),
    };
  }

  private find(text: string): { people: PersonView[]; total: number } {
    const { self, rooms } = this.view();
    const people = new Map<string, PersonView>();
    for (const { id, members } of Object.values(rooms))
      for (const { slug, displayName, agent } of members)
        people.set(slug, { slug, displayName, agent, rooms: [...(people.get(slug)?.rooms ?? []), id] });
    people.delete(self ?? '');
    const known = [...people.values()].filter((one) =>
      `${one.slug} ${one.displayName}`.toLowerCase().includes(text),
    );
    const found = [...known, ...this.strangers.filter(({ slug }) => slug === text)];
    return { people: found, total: found.length };
  }

  private spaceTable(): Partial<Record<MethodName, Handler>> {
    return {
      'spaces.create': ({ name }: { name: string }) => {
        const spaceId = `sp_made${++this.made}`;
        const spaces = [...this.view().spaces, { id: spaceId, name, role: 'owner', archived: false }];
        this.change({ spaces });
        return ok({ spaceId, channelId: this.addRoom({ name: 'General', spaceId }) });
      },
      'spaces.rename': ({ space, name }: { space: string; name: string }) => this.ofSpace(space, { name }),
      'spaces.archive': ({ space, archived }: { space: string; archived: boolean }) =>
        this.ofSpace(space, { archived }),
      'spaces.leave': ({ space }: { space: string }) =>
        this.change({ spaces: this.view().spaces.filter((one) => one.id !== space) }),
      'spaces.members': () => ok({ members: this.members }),
      'spaces.setRole': ({ who, role }: { who: string; role: string }) => {
        this.members = this.members.map((one) => (one.slug === who ? { ...one, role } : one));
        return ok({});
      },
      'spaces.remove': ({ who }: { who: string }) => {
        this.members = this.members.filter((one) => one.slug !== who);
        return ok({});
      },
    };
  }

  private channelTable(): Partial<Record<MethodName, Handler>> {
    return {
      'channels.create': ({ space, name, encrypted }: { space: string; name: string; encrypted: boolean }) =>
        ok({ channelId: this.addRoom({ name, spaceId: space, encrypted }) }),
      'channels.rename': ({ channel, name }: { channel: string; name: string }) => {
        this.feed.patch('rooms', { op: 'set', path: ['rooms', channel, 'name'], value: name });
        return ok({});
      },
      'channels.delete': ({ channel }: { channel: string }) => this.withoutRoom(channel),
      'channels.leave': ({ channel }: { channel: string }) => this.withoutRoom(channel),
      'channels.remove': ({ channel, who }: { channel: string; who: string }) => {
        const members = this.view().rooms[channel]?.members.filter((one) => one.slug !== who) ?? [];
        this.feed.patch('rooms', { op: 'set', path: ['rooms', channel, 'members'], value: members });
        return ok({});
      },
    };
  }

  private inviteTable(): Partial<Record<MethodName, Handler>> {
    return {
      'invites.send': ({ who }: { who: string }) =>
        who.startsWith('nobody') ? nobody : ok({ note: who === 'checker' ? 'has joined' : '' }),
      'links.list': () => ok({ links: this.links }),
      'links.create': ({ days, uses }: { days: number | null; uses: number | null }) => {
        const id = `ev_${++this.made}`;
        const expiresAt = days === null ? null : now + days * 86_400_000;
        const by = { inviterSlug: 'you-3f9a', inviterName: 'You' };
        this.links = [{ id, ...by, createdAt: now, expiresAt, maxUses: uses, uses: 0 }, ...this.links];
        return ok({ id, link: inviteToGarden, expiresAt, serverUrl: 'https://chat.example.org' });
      },
      'links.revoke': ({ link }: { link: string }) => {
        this.links = this.links.filter(({ id }) => id !== link);
        return ok({});
      },
      'links.look': () =>
        ok({
          serverUrl: 'https://chat.example.org',
          spaceId: 'sp_garden',
          spaceName: 'Garden',
          inviterSlug: 'ada-77aa',
          inviterName: 'Ada',
          signsUp: true,
          signedUp: true,
        }),
      'links.join': () => {
        const garden = { id: 'sp_garden', name: 'Garden', role: 'member', archived: false };
        this.change({ spaces: [...this.view().spaces, garden] });
        return ok({ spaceId: garden.id, spaceName: garden.name, slug: 'you-3f9a' });
      },
      'invites.sent': () => ok({ sent: this.sent }),
      'invites.cancel': ({ invite }: { invite: string }) => {
        this.sent = this.sent.filter((one) => one.id !== invite);
        return ok({});
      },
      'invites.answer': ({ invite }: { invite: string }) =>
        this.change({ invites: this.view().invites.filter((one) => one.id !== invite) }),
    };
  }

  private identityTable(): Partial<Record<MethodName, Handler>> {
    const without = (slug: string) => {
      this.peers = this.peers.filter((one) => one.slug !== slug);
      return ok({});
    };
    return {
      'devices.list': () => ok({ devices: this.devices }),
      'devices.revoke': ({ device }: { device: string }) => {
        this.devices = this.devices.map((one) => (one.id === device ? { ...one, revokedAt: 2000 } : one));
        return ok({});
      },
      'devices.enrolLook': ({ code }: { code: string }) =>
        ok({ code, words: 'apple river stone', until: 0, slug: 'you-3f9a', fingerprint: 'aaaa bbbb' }),
      'devices.enrolApprove': () => ok({ device: 'dev_new' }),
      'contacts.list': () => ok({ contacts: this.contacts }),
      'contacts.accept': ({ slug }: { slug: string }) => {
        const { contacts } = this;
        this.contacts = contacts.map((one) =>
          one.slug === slug ? { ...one, state: 'accepted', messages: 0 } : one,
        );
        return ok({ released: 2 });
      },
      'peers.list': () => ok({ peers: this.peers, holdFirstContact: true }),
      'peers.accept': ({ slug }: { slug: string }) => {
        without(slug);
        return ok({ released: 2 });
      },
      'peers.block': ({ slug }: { slug: string }) => without(slug),
    };
  }
}
