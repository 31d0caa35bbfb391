/** A feed topic sends one snapshot with a revision, then numbered patches of these operations. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';

const pathSchema = z.array(z.union([z.string(), z.number().int()]));

export const patchOpSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set'), path: pathSchema, value: z.unknown() }),
  z.object({ op: z.literal('delete'), path: pathSchema }),
  /** Appends to the string at `path`, so that streamed text transfers only its delta. */
  z.object({ op: z.literal('append'), path: pathSchema, text: z.string() }),
]);
export type PatchOp = z.infer<typeof patchOpSchema>;

export const feedEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), revision: z.number().int(), state: z.unknown() }),
  /** `revision` is one more than in the previous event; after a gap the client must resubscribe. */
  z.object({ type: z.literal('patch'), revision: z.number().int(), ops: z.array(patchOpSchema) }),
  z.object({ type: z.literal('end'), reason: hostTextSchema }),
]);
export type FeedEvent = z.infer<typeof feedEventSchema>;
