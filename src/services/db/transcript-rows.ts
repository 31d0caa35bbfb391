/** Maps transcript messages and tool steps to JSON and back; a row of another shape means damage. */
import { z } from 'zod';
import { type ToolStep, toolStepSchema } from '../../contract/work.ts';
import { messageSchema } from '../../core/models/message-schema.ts';
import type { TranscriptMessage } from '../../core/models/messages.ts';
import { damagedField } from './row-fields.ts';

function read<T>(text: string, schema: z.ZodType, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedField(what);
  }
  if (!schema.safeParse(value).success) throw damagedField(what);
  // The checked value itself and not the parsed copy: unknown fields and the key order stay as written.
  return value as T;
}

export const readMessage = (text: string): TranscriptMessage => read(text, messageSchema, 'transcript');
export const writeMessage = (message: TranscriptMessage): string => JSON.stringify(message);

export const readReplySteps = (text: string): readonly ToolStep[] =>
  read(text, z.array(toolStepSchema), 'steps');

export const readCallArgs = (text: string): Readonly<Record<string, unknown>> =>
  read(text, z.record(z.string(), z.unknown()), 'args');

export const readIds = (text: string): readonly string[] => read(text, z.array(z.string()), 'envelope_ids');
