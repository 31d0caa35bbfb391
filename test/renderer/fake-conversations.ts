/** Conversations of direct messages of the fake host, in the topic of the rooms. */
import type { MethodName } from '../../src/contract/methods.ts';
import type { Room, RoomsView } from '../../src/contract/model.ts';
import { ok } from '../../src/contract/result.ts';
import { mainRoom } from '../../src/contract/room-id.ts';
import { now } from './fake-data.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

export class FakeConversations {
  private made = 0;
  private readonly feed: FakeFeed;
  private readonly putRoom: (id: string) => void;

  constructor(feed: FakeFeed, putRoom: (id: string) => void) {
    this.feed = feed;
    this.putRoom = putRoom;
  }

  private put(id: string, value: Room | undefined): void {
    const path = ['rooms', id];
    this.feed.patch('rooms', value === undefined ? { op: 'delete', path } : { op: 'set', path, value });
  }

  private change(id: string, change: Partial<NonNullable<Room['conversation']>>): void {
    const room = this.feed.read<RoomsView>('rooms').rooms[id];
    if (!room) return;
    const before = room.conversation ?? { title: '', startedAt: now, archived: false };
    this.put(id, { ...room, conversation: { ...before, ...change } });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'chat.newConversation': ({ room }: { room: string }) => {
        const main = this.feed.read<RoomsView>('rooms').rooms[mainRoom(room)];
        const id = `${mainRoom(room)}~cv_made000${++this.made}`;
        const conversation = { title: '', startedAt: now, archived: false };
        this.putRoom(id);
        if (main) this.put(id, { ...main, id, unread: 0, lastMessageAt: null, lastText: '', conversation });
        return ok({ roomId: id });
      },
      'chat.renameConversation': ({ room, title }: { room: string; title: string }) => {
        this.change(room, { title });
        return ok({});
      },
      'chat.archiveConversation': ({ room, archived }: { room: string; archived: boolean }) => {
        this.change(room, { archived });
        return ok({});
      },
      'chat.deleteConversation': ({ room }: { room: string }) => {
        this.put(room, undefined);
        return ok({});
      },
    };
  }
}
