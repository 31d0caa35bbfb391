/** Methods behind the settings: rules for all agents, receipts, the embedded relay, backup. */
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from './approvals.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { done, editVersion, none, row } from './method-row.ts';

export const settingsMethods = {
  /**
   * Rules and mode of daemon.yml for all agents. `mode` is `null` if each agent has its own. `problem` is an
   * error in the file.
   */
  'policy.get': row(
    () => none,
    () =>
      z.object({
        mode: policyModeSchema.nullable(),
        rules: z.array(policyRuleSchema),
        path: z.string(),
        /** Hours after which an open question counts as denied. */
        approvalHours: z.number(),
        problem: hostTextSchema,
        version: editVersion,
      }),
  ),
  /** Absent fields keep their value. Effective from the next call. `conflict` if `version` is old. */
  'policy.set': row(
    () =>
      z.strictObject({
        mode: policyModeSchema.nullable().optional(),
        rules: z.array(policyRuleSchema).max(500).optional(),
        approvalHours: z.number().min(0.01).max(720).optional(),
        version: editVersion.optional(),
      }),
    () => done,
  ),
  /** Whether this host signed the receipt of a decided question. `problem` is empty if it did. */
  'receipts.verify': row(
    () => z.strictObject({ id: z.string().min(1).max(100) }),
    () => z.object({ ok: z.boolean(), problem: hostTextSchema }),
  ),
  /** The relay inside this host; `url` is `null` while it does not run. */
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
  /** Ends the pairing window; a paired device stays paired. */
  'bridge.closePairing': row(
    () => none,
    () => done,
  ),
  /** Copies the whole data folder to a new folder beside it, because a page cannot name a path. */
  'backup.makeHere': row(
    () => none,
    () => z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }),
  ),
} as const;
