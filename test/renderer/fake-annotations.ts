/** The operator's notes on messages, kept in the topic of the room. */
import type { MethodName } from '../../src/contract/methods.ts';
import type { Annotation, ChatMessage, RoomView } from '../../src/contract/model.ts';
import { ok } from '../../src/contract/result.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

const empty: Annotation = { reactions: [], pinnedAt: null, deleted: false };

export class FakeAnnotations {
  private pins = 0;
  private readonly feed: FakeFeed;
  private readonly every: (room: string) => readonly ChatMessage[];

  constructor(feed: FakeFeed, every: (room: string) => readonly ChatMessage[]) {
    this.feed = feed;
    this.every = every;
  }

  note(room: string, id: string, change: Partial<Annotation>): void {
    const before = this.feed.read<RoomView>(`room:${room}`).annotations[id] ?? empty;
    this.feed.patch(`room:${room}`, {
      op: 'set',
      path: ['annotations', id],
      value: { ...before, ...change },
    });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'chat.react': ({ message, emoji, on }: { message: string; emoji: string; on: boolean }) => {
        const { annotations } = this.feed.read<RoomView>('room:ch_general');
        const others = (annotations[message]?.reactions ?? []).filter((one) => one !== emoji);
        this.note('ch_general', message, { reactions: on ? [...others, emoji] : others });
        return ok({});
      },
      'chat.pin': ({ message, on }: { message: string; on: boolean }) => {
        this.pins += 1;
        this.note('ch_general', message, { pinnedAt: on ? this.pins : null });
        return ok({});
      },
      'chat.pins': ({ room }: { room: string }) => {
        const { annotations } = this.feed.read<RoomView>(`room:${room}`);
        const at = (id: string): number => annotations[id]?.pinnedAt ?? 0;
        const messages = this.every(room).filter(({ id }) => at(id) > 0);
        return ok({ roomId: room, messages: messages.toSorted((a, b) => at(b.id) - at(a.id)) });
      },
      'chat.delete': ({ message }: { message: string }) => {
        this.note('ch_general', message, { ...empty, deleted: true });
        return ok({});
      },
    };
  }
}
