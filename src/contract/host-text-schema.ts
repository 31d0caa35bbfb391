/** Schema of texts of the host. */
import { z } from 'zod';
import type { HostMessage, HostText, HostValue, MessageRef } from '../language/host-message.ts';

const hostValueSchema: z.ZodType<HostValue> = z.lazy(() =>
  z.union([z.string(), z.number(), hostMessageSchema, z.array(hostTextSchema)]),
);
const ref = { key: z.string(), values: z.record(z.string(), hostValueSchema).optional() };

export const messageRefSchema: z.ZodType<MessageRef> = z.object(ref);
const hostMessageSchema: z.ZodType<HostMessage> = z.object({ ...ref, text: z.string() });
export const hostTextSchema: z.ZodType<HostText> = z.union([z.string(), hostMessageSchema]);
