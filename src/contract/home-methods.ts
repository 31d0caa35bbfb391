/** Rows of the method table behind home: what happened while nobody looked, and what this computer has to think with. */
import { z } from 'zod';
import { agentWhySchema, searchHitSchema } from './history-methods.ts';
import { agentRef, done, none, row } from './method-row.ts';

export const awaySchema = z.object({
  /** When the page was last in sight, ms; null: never, or nobody is signed up. Then the lists are empty. */
  since: z.number().nullable(),
  /** What your agents said since then, one row for each; newest first. */
  answered: z.array(
    z.object({
      agentId: z.string(),
      name: z.string(),
      count: z.number().int(),
      /** Where it spoke last. */
      roomId: z.string(),
      roomName: z.string(),
      at: z.number(),
    }),
  ),
  /** What was said to your agents and has no answer, with the reason; newest first, at most 20. */
  missed: z.array(agentWhySchema.extend({ message: searchHitSchema })),
  /** Who is in your rooms now and was not then. */
  joined: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      agent: z.boolean(),
      roomId: z.string(),
      roomName: z.string(),
    }),
  ),
  /** Questions of agents that were answered, or ran out. */
  decided: z.object({ allowed: z.number().int(), denied: z.number().int(), expired: z.number().int() }),
});
export type AwayView = z.infer<typeof awaySchema>;

export const localFindSchema = z.object({
  /** `environment`: a key in the environment of Kennel. `server`: a model server on loopback. `login`: of another program. */
  kind: z.enum(['environment', 'server', 'login']),
  provider: z.string(),
  /** Name of the variable, address, or file below your home; never what it holds. */
  where: z.string(),
  /** What the server offers; empty where it was not asked. */
  models: z.array(z.string()),
  /** False: Kennel cannot think with it by itself; a login can be made anew. */
  usable: z.boolean(),
});
export type LocalFind = z.infer<typeof localFindSchema>;

export const homeMethods = {
  'home.away': row(
    () => none,
    () => awaySchema,
  ),
  /** The page is in sight and all was shown: from now on counts what comes later. */
  'home.seen': row(
    () => none,
    () => done,
  ),
  /**
   * Looks for something to think with: names of keys in the environment, Ollama and LM Studio on this computer, logins of
   * other programs. Asks 127.0.0.1 and nobody else; reads no key and no login. Only after the person said so.
   */
  'setup.findLocal': row(
    () => none,
    () => z.object({ found: z.array(localFindSchema) }),
  ),
  /** The agent thinks with it from its next turn; a soul that calls itself scripted is put right. */
  'setup.useLocal': row(
    () => agentRef.extend({ provider: z.string().min(1).max(60), model: z.string().max(200) }),
    () => z.object({ warning: z.string() }),
  ),
} as const;
