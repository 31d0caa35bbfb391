/** Methods about snapshots of agents' workspaces. Open to the operator only. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { row } from './method-row.ts';
import { gapSchema, undoFileSchema } from './undo-methods.ts';

export const snapshotReasonNames = ['asked', 'turn', 'restore'] as const;

export const snapshotSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  /** `null` if it has none. */
  label: z.string().nullable(),
  /** `asked`: by a person. `turn`: before the first change of a turn. `restore`: before a restore. */
  reason: z.enum(snapshotReasonNames),
  /** The call before which it was taken, or the restore; `null` if nothing more is to say. */
  about: hostTextSchema.nullable(),
  /** ms since the epoch. */
  at: z.number(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** Number of paths that it does not cover. */
  gaps: z.number().int(),
});
export type SnapshotView = z.infer<typeof snapshotSchema>;

export const maxLabel = 100;

const agent = z.string().min(1).max(200);
/** Label, id or unique beginning of an id. */
const named = z.string().trim().min(1).max(maxLabel);
const target = { agent, snapshot: named };

export const snapshotMethods = {
  'snapshots.create': row(
    () => z.strictObject({ agent, label: named.optional() }),
    () => z.object({ snapshot: snapshotSchema, gaps: z.array(gapSchema) }),
  ),
  /** Newest first; `next` is the `before` of the next page. */
  'snapshots.list': row(
    () =>
      z.strictObject({
        agent,
        before: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () => z.object({ snapshots: z.array(snapshotSchema), next: z.string().nullable() }),
  ),
  /**
   * Changes since the snapshot until now, or until the later snapshot `until`. `digest` binds
   * `snapshots.restore` to what was shown.
   */
  'snapshots.diff': row(
    () => z.strictObject({ ...target, until: named.optional() }),
    () =>
      z.object({
        snapshot: snapshotSchema,
        files: z.array(undoFileSchema),
        fileCount: z.number().int(),
        gaps: z.array(gapSchema),
        digest: z.string(),
      }),
  ),
  /**
   * Brings the workspace back into the state of the snapshot; a snapshot is taken before. `conflict` if the files
   * are not as shown any more. `point` is the restore point that takes it back. Messages stay; the agent is told
   * in its conversations.
   */
  'snapshots.restore': row(
    () => z.strictObject({ ...target, digest: z.string().min(1).max(200) }),
    () =>
      z.object({
        point: z.string(),
        before: snapshotSchema,
        restored: z.array(z.string()),
        kept: z.array(z.string()),
        /** Conversations in which the agent will be told. */
        told: z.number().int(),
      }),
  ),
  'snapshots.remove': row(
    () => z.strictObject(target),
    () => z.object({ snapshot: snapshotSchema }),
  ),
} as const;
