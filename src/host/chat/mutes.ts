/** The operator's muted rooms and threads, in its store; times that are over are forgotten. */
import { z } from 'zod';
import { countsDespite, isMuted, type Mute, type Mutes, muteSchema } from '../../contract/mute.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { AccountStore, RoomDigest } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';

type Kept = Pick<AccountStore, 'getValue' | 'setValue' | 'history' | 'message'>;

const key = 'mutes';
const mutesSchema = z.record(z.string(), muteSchema);
/** Unread messages that are read to count those that are not muted. */
const mostRead = 200;

function read(store: Pick<Kept, 'getValue'>, now: number): Mutes {
  const kept = store.getValue(key);
  const all = kept === null ? {} : (jsonAs(mutesSchema, kept) ?? {});
  return Object.fromEntries(Object.entries(all).filter(([id]) => isMuted(all, id, now)));
}

export interface MutesDeps {
  readonly clock: Clock;
  /** The time of a mute is over. */
  onEnd(): void;
}

export interface MutesOf {
  readonly mutes: Mutes;
  /** Unread messages that count, of rooms where some do not. */
  readonly counted: Readonly<Record<string, number>>;
}

export interface RoomMutes {
  view(store: Kept, self: string, digests: readonly RoomDigest[]): MutesOf;
  /** Unmutes if `mute` is `null`. */
  set(store: Kept, id: string, mute: Mute | null): void;
  stop(): void;
}

export function createRoomMutes({ clock, onEnd }: MutesDeps): RoomMutes {
  let timer: Timer | null = null;
  let counts = startCounts('', []);
  const wake = (mutes: Mutes): void => {
    timer?.cancel();
    const ends = Object.values(mutes).flatMap(({ until }) => until ?? []);
    timer =
      ends.length === 0
        ? null
        : clock.after(Math.max(0, Math.min(...ends) - clock.now()), onEnd, { unref: true });
  };
  return {
    view(store, self, digests) {
      const now = clock.now();
      const mutes = read(store, now);
      wake(mutes);
      const of = JSON.stringify([self, mutes]);
      if (counts.of !== of) counts = startCounts(of, roomsOf(store, mutes));
      const { byRoom, rooms } = counts;
      const counted = digests.flatMap((digest) => {
        const { roomId, unread, lastMessageAt, lastText } = digest;
        if (unread === 0 || !rooms.has(mainRoom(roomId))) return [];
        const version = JSON.stringify([unread, lastMessageAt, lastText]);
        const known = byRoom.get(roomId);
        const count =
          known?.version === version ? known.count : countRoom(store, { mutes, self, now }, digest);
        byRoom.set(roomId, { version, count });
        return count === unread ? [] : [[roomId, count] as const];
      });
      return { mutes, counted: Object.fromEntries(counted) };
    },
    set(store, id, mute) {
      const { [id]: _, ...others } = read(store, clock.now());
      store.setValue(key, JSON.stringify(mute === null ? others : { ...others, [id]: mute }));
    },
    stop: () => timer?.cancel(),
  };
}

/** Counts of rooms with a mute, kept until their messages or the mutes change. */
interface Counts {
  /** Reader and mutes that it is valid for. */
  readonly of: string;
  readonly rooms: ReadonlySet<string>;
  readonly byRoom: Map<string, { readonly version: string; readonly count: number }>;
}

const startCounts = (of: string, rooms: readonly string[]): Counts => ({
  of,
  rooms: new Set(rooms),
  byRoom: new Map(),
});

/** Muted rooms, and those of muted threads. */
const roomsOf = (store: Pick<Kept, 'message'>, mutes: Mutes): readonly string[] =>
  Object.keys(mutes).map((id) => mainRoom(store.message(id)?.roomId ?? id));

const written = (message: StoredMessage) => ({
  roomId: message.roomId,
  id: message.envelopeId,
  threadRootId: message.threadRootId,
  text: messageText(message).text,
});

interface Reader {
  readonly mutes: Mutes;
  readonly self: string;
  readonly now: number;
}

/** Number of unread messages that count. */
function countRoom(store: Kept, { mutes, self, now }: Reader, digest: RoomDigest): number {
  const room = mutes[mainRoom(digest.roomId)];
  if (room?.mentions === false) return 0;
  const all = unreadOf(store, self, digest);
  const left = all.filter((message) => countsDespite(mutes, written(message), self, now)).length;
  return room === undefined ? digest.unread - (all.length - left) : left;
}

function unreadOf(
  store: Kept,
  self: string,
  { roomId, unread }: Pick<RoomDigest, 'roomId' | 'unread'>,
): readonly StoredMessage[] {
  const { messages } = store.history({ roomId, limit: Math.min(mostRead, 2 * unread) });
  return messages.filter(({ senderSlug }) => senderSlug !== self).slice(-unread);
}
