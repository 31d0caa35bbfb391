/** Effects of a call as a question shows them: resolved paths, and programs with all arguments. */
import { z } from 'zod';

const path = z.string();

export const effectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), path }),
  z.object({ kind: z.literal('write'), path }),
  z.object({ kind: z.literal('delete'), path }),
  z.object({
    kind: z.literal('run'),
    argv: z.array(z.string()).readonly(),
    cwd: z.string(),
    sandbox: z.enum(['confined', 'bubblewrap', 'container', 'none']),
  }),
  z.object({ kind: z.literal('send'), to: z.string(), sameThread: z.boolean() }),
  z.object({ kind: z.literal('network'), host: z.string() }),
]);
