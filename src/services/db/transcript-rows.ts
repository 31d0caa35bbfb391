/** Between transcript messages, tool steps and the JSON they are kept as; a row of another shape means damage. */
import { z } from 'zod';
import { type ToolStep, toolStepSchema } from '../../contract/work.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { TranscriptMessage } from '../../core/models/messages.ts';

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

const usage = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost: z.looseObject({ total: z.number() }).nullable(),
});

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content, timestamp }),
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

const damaged = (what: string): StoreError =>
  new StoreError('corrupt', `The database holds something else than it should in "${what}".`);

function read<T>(text: string, schema: z.ZodType, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(what);
  }
  if (!schema.safeParse(value).success) throw damaged(what);
  // What was checked, and not a copy: every further field and the order of keys stay as they were written.
  return value as T;
}

export const readMessage = (text: string): TranscriptMessage => read(text, messageSchema, 'transcript');
export const writeMessage = (message: TranscriptMessage): string => JSON.stringify(message);

export const readSteps = (text: string): readonly ToolStep[] => read(text, z.array(toolStepSchema), 'steps');

export const readArgs = (text: string): Readonly<Record<string, unknown>> =>
  read(text, z.record(z.string(), z.unknown()), 'args');

export const readIds = (text: string): readonly string[] => read(text, z.array(z.string()), 'envelope_ids');
