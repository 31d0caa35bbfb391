/** Frames of the local socket (one JSON text per line) and of the loopback WebSocket (one per message). */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { feedEventSchema } from './patch.ts';

/** Bytes; limit of a frame in both directions. */
export const maxFrameBytes = 8 * 1024 * 1024;

export const clientFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('call'),
    id: z.number().int(),
    method: z.string().max(100),
    input: z.unknown(),
  }),
  z.strictObject({ type: z.literal('subscribe'), id: z.number().int(), topic: z.string().max(300) }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.number().int() }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;

const resultSchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: appErrorSchema }),
]);

export const hostFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), id: z.number().int(), result: resultSchema }),
  /** `id` is that of the subscribe frame. */
  z.object({ type: z.literal('event'), id: z.number().int(), event: feedEventSchema }),
]);
export type HostFrame = z.infer<typeof hostFrameSchema>;
