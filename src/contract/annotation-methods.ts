/**
 * Methods about the operator's own notes on messages: reactions, pins, deleted copies. The Puffo protocol
 * carries none of them, so they stay in the operator's store.
 */
import { z } from 'zod';
import { toEmoji } from './emoji.ts';
import { done, row } from './method-row.ts';
import { chatMessageSchema } from './model.ts';

const messageRef = z.strictObject({ message: z.string().min(1).max(100) });

export const annotationMethods = {
  /** Adds a reaction, or removes it if `on` is false. `rate_limited` above 20 reactions of a message. */
  'chat.react': row(
    () =>
      messageRef.extend({
        emoji: z
          .string()
          .max(40)
          .transform((typed) => toEmoji(typed) ?? '')
          .refine((emoji) => emoji !== '', { error: 'is not one emoji' }),
        on: z.boolean().default(true),
      }),
    () => done,
  ),
  'chat.pin': row(
    () => messageRef.extend({ on: z.boolean().default(true) }),
    () => done,
  ),
  /** Pinned messages of a room, newest pin first. */
  'chat.pins': row(
    () => z.strictObject({ room: z.string().min(1).max(200) }),
    () => z.object({ roomId: z.string(), messages: z.array(chatMessageSchema) }),
  ),
  /**
   * Removes text and files of a message from the operator's store and its search. Other people keep it.
   * `conflict` while it waits to be sent.
   */
  'chat.delete': row(
    () => messageRef,
    () => done,
  ),
} as const;
