/** Methods behind the home page: events since the last visit, and models found on this computer. */
import { z } from 'zod';
import { agentWhySchema, searchHitSchema } from './history-methods.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { agentRef, done, editVersion, none, row } from './method-row.ts';
import { runtimeKindSchema } from './runtime-kinds.ts';

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
   * `stored`: a key stored in Kennel. `environment`: a key in its environment. `server`: a model server on
   * loopback. `login`: of another program.
   */
  kind: z.enum(['stored', 'environment', 'server', 'login']),
  provider: z.string(),
  /** Name of the variable, address, or file below the home folder, or empty; never its contents. */
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
  /** `isHidden` once the operator hid the checklist; `backedUpAt` in ms, or `null` before the first backup. */
  'setup.firstSteps': row(
    () => none,
    () => z.object({ isHidden: z.boolean(), backedUpAt: z.number().nullable() }),
  ),
  'setup.hideFirstSteps': row(
    () => none,
    () => done,
  ),
  /**
   * Searches this computer for models: stored keys, names of keys in the environment, Ollama, LM Studio, vLLM
   * and llama.cpp at their usual ports, logins of other programs. Contacts only 127.0.0.1; reads no key or login. Call it only with the user's consent.
   */
  'setup.findLocal': row(
    () => none,
    () => z.object({ found: z.array(localFindSchema) }),
  ),
  /**
   * Used from the agent's next turn; also corrects a soul that calls itself scripted. `forAll` makes it the
   * model of all agents without one of their own, and this agent one of them.
   */
  'setup.useModel': row(
    () =>
      agentRef.extend({
        /** Kind of its new runtime; absent keeps it. */
        kind: runtimeKindSchema.optional(),
        harness: z.string().max(60).optional(),
        /** Empty only for a program that uses its own login. */
        provider: z.string().max(60),
        model: z.string().max(200),
        baseUrl: z.string().max(500).default(''),
        apiKey: z.string().max(4_000).optional(),
        forAll: z.boolean().default(false),
        /** With `forAll`: `version` of `config.get` as loaded; `conflict` if the models were changed since. */
        configVersion: editVersion.optional(),
      }),
    () => z.object({ warning: hostTextSchema }),
  ),
} as const;
