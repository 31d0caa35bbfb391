/** Rooms and threads that the operator muted: what still counts, and what is still announced. */
import { z } from 'zod';
import { mentions } from './mentions.ts';
import { mainRoom } from './room-id.ts';

export const muteSchema = z.object({
  /** ms since the epoch; `null` until the operator unmutes it. */
  until: z.number().nullable(),
  /** Whether mentions of the operator still count. */
  mentions: z.boolean(),
});
export type Mute = z.infer<typeof muteSchema>;

/** By id of a room or of a thread's root. */
export type Mutes = Readonly<Record<string, Mute>>;

interface Written {
  readonly roomId: string;
  readonly id: string;
  readonly threadRootId: string | null;
  readonly text: string;
}

export const isMuted = (mutes: Mutes, id: string, now: number): boolean => {
  const mute = mutes[id];
  return mute !== undefined && (mute.until === null || mute.until > now);
};

/** True if nothing mutes the message, or if it mentions the operator where mentions still count. */
export function countsDespite(mutes: Mutes, message: Written, self: string, now: number): boolean {
  const muted = [mainRoom(message.roomId), message.threadRootId ?? message.id].filter((id) =>
    isMuted(mutes, id, now),
  );
  if (muted.length === 0) return true;
  return muted.every((id) => mutes[id]?.mentions === true) && mentions(message.text, self);
}
