/** Rows of the method table behind the settings: the rules of all agents, receipts, the own relay, a copy of it all. */
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from './consent.ts';
import { done, none, row } from './method-row.ts';

export const settingsMethods = {
  /** Rules and mode of daemon.yml, for all agents. `mode` null: each agent's own. `problem`: the file says otherwise. */
  'policy.get': row(
    () => none,
    () =>
      z.object({
        mode: policyModeSchema.nullable(),
        rules: z.array(policyRuleSchema),
        path: z.string(),
        /** How long a question waits before it counts as denied. */
        approvalHours: z.number(),
        problem: z.string(),
      }),
  ),
  /** What is absent stays. Counts from the next call. */
  'policy.set': row(
    () =>
      z.strictObject({
        mode: policyModeSchema.nullable().optional(),
        rules: z.array(policyRuleSchema).max(500).optional(),
        approvalHours: z.number().min(0.01).max(720).optional(),
      }),
    () => done,
  ),
  /** Whether the receipt of a decided question bears the signature of this host. `problem` is empty when it does. */
  'receipts.verify': row(
    () => z.strictObject({ id: z.string().min(1).max(100) }),
    () => z.object({ ok: z.boolean(), problem: z.string() }),
  ),
  /** The relay inside this host; `url` null while it does not run. */
  'relay.status': row(
    () => none,
    () =>
      z.object({
        embedded: z.boolean(),
        url: z.string().nullable(),
        /** On disk. */
        bytes: z.number(),
        connections: z.number().int(),
        /** At most 500, by handle. */
        people: z.array(
          z.object({ slug: z.string(), displayName: z.string(), agent: z.boolean(), createdAt: z.number() }),
        ),
      }),
  ),
  /** Nobody may pair any more; who is paired stays. */
  'bridge.closePairing': row(
    () => none,
    () => done,
  ),
  /** The whole data folder, copied to a new folder beside it: a page names no path. */
  'backup.makeHere': row(
    () => none,
    () => z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }),
  ),
} as const;
