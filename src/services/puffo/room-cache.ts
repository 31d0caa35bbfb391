/**
 * Stores the last listed spaces and channels of an account, so that their messages can be read when Kennel
 * starts without the server. An unreadable record counts as none.
 */

import { z } from 'zod';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { channelIdSchema, spaceIdSchema } from '../../core/puffo/wire.ts';
import { validItems } from './valid-items.ts';

const seenSchema = z.object({
  spaces: validItems(
    z.object({ id: spaceIdSchema, name: z.string(), role: z.string(), archived: z.boolean() }),
  ),
  channels: validItems(
    z.object({
      id: channelIdSchema,
      spaceId: spaceIdSchema,
      name: z.string(),
      encrypted: z.boolean().nullable(),
    }),
  ),
});
export type SeenRooms = z.infer<typeof seenSchema>;

export interface RoomCache {
  recall(): SeenRooms;
  remember(rooms: SeenRooms): void;
}

const key = 'rooms_seen';
const nothing: SeenRooms = { spaces: [], channels: [] };

function parsed(text: string | null): SeenRooms {
  if (text === null) return nothing;
  try {
    return seenSchema.catch(nothing).parse(JSON.parse(text));
  } catch {
    return nothing;
  }
}

export function createRoomMemory(store: Pick<AccountStore, 'getValue' | 'setValue'>): RoomCache {
  const read = (): string | null => despiteStore(() => store.getValue(key), null);
  let held: string | null = null;
  return {
    recall() {
      held = read();
      return parsed(held);
    },
    remember(rooms) {
      const text = JSON.stringify(rooms);
      held ??= read();
      if (text === held) return;
      held = text;
      despiteStore(() => store.setValue(key, text), undefined);
    },
  };
}
