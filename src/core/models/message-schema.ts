/** Schema of transcript messages in JSON, for reading stored ones. */
import { z } from 'zod';

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageBlock = z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
const thinkingBlock = z.looseObject({ type: z.literal('thinking'), thinking: z.string() });
const callBlock = z.looseObject({
  type: z.literal('toolCall'),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const content = z.array(z.discriminatedUnion('type', [textBlock, imageBlock]));
const timestamp = z.number();
const origin = z.object({
  messages: z.array(z.object({ id: z.string(), senderSlug: z.string() })),
  untrusted: z.boolean(),
});

const usage = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost: z.looseObject({ total: z.number() }).nullable(),
});

export const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content, origin: origin.optional(), timestamp }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [textBlock, thinkingBlock, callBlock])),
    api: z.string(),
    provider: z.string(),
    model: z.string(),
    usage,
    stopReason: z.enum(['stop', 'length', 'toolUse', 'error', 'aborted']),
    timestamp,
  }),
  z.looseObject({
    role: z.literal('toolResult'),
    toolCallId: z.string(),
    toolName: z.string(),
    content,
    isError: z.boolean(),
    timestamp,
  }),
  z.looseObject({ role: z.enum(['note', 'notification', 'compaction']), content, timestamp }),
]);
