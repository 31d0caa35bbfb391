/** Methods behind the home page: events since the last visit, and models found on this computer. */
import { z } from 'zod';
import { agentWhySchema, searchHitSchema } from './history-methods.ts';
import { agentRef, done, none, row } from './method-row.ts';

export const awaySchema = z.object({
  /** ms of the last visit, or `null` without one or without an operator; the lists are then empty. */
  since: z.number().nullable(),
  /** Messages of own agents since then, one row per agent; newest first. */
  answered: z.array(
    z.object({
      agentId: z.string(),
      name: z.string(),
      count: z.number().int(),
      roomId: z.string(),
      roomName: z.string(),
      at: z.number(),
    }),
  ),
  /** Unanswered messages to own agents, with the reason; newest first, at most 20. */
  missed: z.array(agentWhySchema.extend({ message: searchHitSchema })),
  /** People who joined the operator's rooms since then. */
  joined: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      agent: z.boolean(),
      roomId: z.string(),
      roomName: z.string(),
    }),
  ),
  /** Questions that were answered or expired. */
  decided: z.object({ allowed: z.number().int(), denied: z.number().int(), expired: z.number().int() }),
});
export type AwayView = z.infer<typeof awaySchema>;

export const localFindSchema = z.object({
  /**
   * `environment`: a key in Kennel's environment. `server`: a model server on loopback. `login`: of another
   * program.
   */
  kind: z.enum(['environment', 'server', 'login']),
  provider: z.string(),
  /** Name of the variable, address, or file below the home folder; never its contents. */
  where: z.string(),
  /** Models of the server; empty if it was not asked. */
  models: z.array(z.string()),
  /** False if Kennel cannot use it directly and needs a new login. */
  usable: z.boolean(),
});
export type LocalFind = z.infer<typeof localFindSchema>;

export const homeMethods = {
  'home.away': row(
    () => none,
    () => awaySchema,
  ),
  /** Marks everything as seen; call it when the page is visible and complete. */
  'home.seen': row(
    () => none,
    () => done,
  ),
  /**
   * Searches this computer for models: names of keys in the environment, Ollama and LM Studio, logins of
   * other programs. Contacts only 127.0.0.1; reads no key or login. Call it only with the user's consent.
   */
  'setup.findLocal': row(
    () => none,
    () => z.object({ found: z.array(localFindSchema) }),
  ),
  /** Used from the agent's next turn; also corrects a soul that calls itself scripted. */
  'setup.useLocal': row(
    () => agentRef.extend({ provider: z.string().min(1).max(60), model: z.string().max(200) }),
    () => z.object({ warning: z.string() }),
  ),
} as const;
