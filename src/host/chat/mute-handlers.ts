import { ok } from '../../contract/result.ts';
import { mainRoom } from '../../contract/room-id.ts';
import type { Clock } from '../../core/ports.ts';
import type { Handlers } from '../dispatch.ts';
import type { Chat } from './chat.ts';
import { findThread, type RoomLookup } from './chat-handlers.ts';

const minuteMs = 60_000;

export interface MuteDeps {
  readonly chat: Pick<Chat, 'setMute'>;
  readonly clock: Clock;
  readonly locate: RoomLookup;
}

export function createMuteHandlers({ chat, clock, locate }: MuteDeps): Pick<Handlers, 'chat.mute'> {
  return {
    'chat.mute': ({ room, thread, on, minutes, mentions }) => {
      const found = locate(room);
      if (!found.ok) return found;
      const { self, target } = found.value;
      const root = findThread(self, target, thread, 'thread');
      if (!root.ok) return root;
      const until = minutes === null ? null : clock.now() + minutes * minuteMs;
      // A mute holds for all conversations with a person.
      chat.setMute(self, root.value ?? mainRoom(target.roomId), on ? { until, mentions } : null);
      return ok({ roomId: target.roomId, until: on ? until : null });
    },
  };
}
