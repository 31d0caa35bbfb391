/** What a call would touch, as a question shows it: paths where they really lead, programs with all their arguments. */
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
    sandbox: z.enum(['confined', 'bubblewrap', 'none']),
  }),
  z.object({ kind: z.literal('send'), to: z.string(), sameThread: z.boolean() }),
  z.object({ kind: z.literal('network'), host: z.string() }),
]);

/** Arguments that would be read as several words, or as none, stand in quotes. */
export const argvText = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
