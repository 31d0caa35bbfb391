import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { RoomsView } from '../../contract/model.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import { err, ok } from '../../contract/result.ts';
import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';
import { noAnswer } from '../../services/puffo/request-error.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import { createFeedTopic } from '../feed/feed.ts';
import { createChatPresence } from './presence.ts';
import { noRooms } from './rooms-view.ts';

function rig(count: number) {
  const clock = createVirtualClock();
  const topic = createFeedTopic<RoomsView>({ clock, initial: noRooms });
  const slugs = Array.from({ length: count }, (_, n) => `bot-${n}`);
  const client: SignedClient = {
    slug: 'ada-0001',
    json: async (_method, _target, schema, options) => {
      const { slugs: asked } = (options?.body ?? { slugs: [] }) as { slugs: string[] };
      const statuses = asked.map((slug) => ({ slug, status: 'idle', last_heartbeat_at: clock.now() }));
      return ok(schema.parse({ statuses }));
    },
    bytes: async () => err(noAnswer('unavailable', 'not here')),
  };
  const gone: string[][] = [];
  const presence = createChatPresence({
    clock,
    log: createRecordingLog(),
    topic,
    client: () => client,
    onGone: (those) => gone.push([...those]),
  });
  const people = [{ slug: 'ada-0001', role: '', displayName: 'Ada', agent: false }];
  const members = slugs.map((slug) => ({ slug, role: '', displayName: slug, agent: true }));
  const channel = { id: 'ch_1', spaceId: 'sp_1', name: 'general', encrypted: true } as const;
  const rooms = (of: number): RoomsSnapshot => ({
    spaces: [],
    channels: [{ ...channel, members: [...people, ...members.slice(0, of)] }],
  });
  const events: FeedEvent[] = [];
  const look = () => {
    const leave = topic.subscribe((event) => events.push(event));
    presence.looked();
    return leave;
  };
  return { clock, topic, presence, rooms, events, look, gone };
}

const sizeOf = (event: FeedEvent | undefined): number => JSON.stringify(event).length;

it('Presence of 2,000 agents is sent in few patches, and a change in one small patch', async () => {
  const { clock, topic, presence, rooms, events, look } = rig(2_000);
  presence.rooms(rooms(2_000));
  look();
  await clock.advance(0);
  expect(Object.keys(topic.state().presence)).toHaveLength(2_000);
  expect(topic.state().presence).not.toHaveProperty('ada-0001');
  expect(events.length).toBeLessThanOrEqual(11);
  const before = events.length;
  presence.told({ slug: 'bot-9', status: 'busy' });
  presence.told({ slug: 'bot-9', status: 'busy' });
  expect(events).toHaveLength(before + 1);
  expect(sizeOf(events.at(-1))).toBeLessThan(200);
  expect(topic.state().presence['bot-9']).toEqual({ state: 'busy', errorText: '' });
});

it('Presence of departed agents is deleted, and offline agents are reported to the marks', async () => {
  const { clock, topic, presence, rooms, look, gone } = rig(3);
  presence.rooms(rooms(3));
  look();
  await clock.advance(0);
  presence.told({ slug: 'bot-1', status: 'offline' });
  expect(presence.away('bot-1')).toBe(true);
  presence.rooms(rooms(2));
  expect(Object.keys(topic.state().presence)).toEqual(['bot-0', 'bot-1']);
  expect(gone).toEqual([['bot-1'], ['bot-2']]);
});

it('Presence is fetched only while a client is subscribed', async () => {
  const { clock, topic, presence, rooms, look } = rig(1);
  presence.rooms(rooms(1));
  await clock.advance(60_000);
  expect(topic.state().presence).toEqual({});
  const leave = look();
  await clock.advance(0);
  leave();
  presence.looked();
  expect(clock.pending()).toBe(0);
});
