import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createRoomMutes } from './mutes.ts';

const self = 'you-3f9a';

function rig() {
  const clock = createVirtualClock();
  const store = createMemoryAccountStore(self);
  let ended = 0;
  const mutes = createRoomMutes({
    clock,
    onEnd: () => {
      ended += 1;
    },
  });
  const said = (envelopeId: string, content: string, threadRootId: string | null = null) =>
    store.accept([
      {
        message: sampleMessage({ envelopeId, content, threadRootId, sentAt: Number(envelopeId.slice(4)) }),
        decision: { react: false, reason: 'not_mentioned', priority: 3 },
      },
    ]);
  said('msg_1', 'root');
  said('msg_2', 'reply', 'msg_1');
  said('msg_3', `@${self} look`);
  const room = sampleMessage({}).roomId;
  const view = () => mutes.view(store, self, store.rooms());
  return { clock, store, mutes, room, said, view, ended: () => ended };
}

describe('Muted rooms and threads', () => {
  it('count only what is not muted', () => {
    const { store, mutes, room, view } = rig();
    expect(view()).toEqual({ mutes: {}, counted: {} });
    mutes.set(store, room, { until: null, mentions: true });
    expect(view().counted).toEqual({ [room]: 1 });
    mutes.set(store, room, { until: null, mentions: false });
    expect(view().counted).toEqual({ [room]: 0 });
    mutes.set(store, room, null);
    mutes.set(store, 'msg_1', { until: null, mentions: true });
    expect(view().counted).toEqual({ [room]: 1 });
  });

  it('read messages only of rooms that they concern, and again only after a change', () => {
    const { store, mutes, room, said } = rig();
    const read: string[] = [];
    const history: typeof store.history = (query) => {
      read.push(query.roomId);
      return store.history(query);
    };
    const view = () => mutes.view({ ...store, history }, self, store.rooms());
    store.accept([
      {
        message: sampleMessage({ envelopeId: 'msg_9', channelId: 'ch_other', roomId: 'ch_other' }),
        decision: { react: false, reason: 'not_mentioned', priority: 3 },
      },
    ]);
    mutes.set(store, room, { until: null, mentions: false });
    expect([view().counted, read]).toEqual([{ [room]: 0 }, []]);
    mutes.set(store, room, null);
    mutes.set(store, 'msg_1', { until: null, mentions: true });
    expect([view().counted, view().counted, read]).toEqual([{ [room]: 1 }, { [room]: 1 }, [room]]);
    said('msg_4', 'more', 'msg_1');
    said('msg_5', 'elsewhere');
    expect([view().counted, read]).toEqual([{ [room]: 2 }, [room, room]]);
  });

  it('hold in another instance on the same store, and end in time', async () => {
    const { clock, store, mutes, room, view, ended } = rig();
    mutes.set(store, room, { until: clock.now() + 60_000, mentions: true });
    expect(createRoomMutes({ clock, onEnd: () => undefined }).view(store, self, []).mutes).toHaveProperty(
      room,
    );
    expect(view().mutes).toHaveProperty(room);
    await clock.advance(60_000);
    expect(ended()).toBe(1);
    expect(view().mutes).toEqual({});
  });
});
