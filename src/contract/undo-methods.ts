/** Methods about restore points: what agents changed in files, and its revert. Open to the operator only. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { row } from './method-row.ts';

const changeKindSchema = z.enum(['created', 'changed', 'removed', 'mode']);
const entryKindSchema = z.enum(['file', 'folder', 'link', 'other']);

const changedFileSchema = z.object({
  /** Relative to the agent's workspace if below it. */
  path: z.string(),
  kind: entryKindSchema,
  change: changeKindSchema,
});

/**
 * Why the content of a path is not kept. `limit`: the tree has more entries or bytes than a snapshot covers.
 * `ignored`: a folder of generated files, such as `node_modules`.
 */
export const gapReasons = [
  'too_large',
  'many_names',
  'special',
  'unreadable',
  'ignored',
  'limit',
  'outside',
] as const;
export type GapReason = (typeof gapReasons)[number];

/** A path that the restore point does not cover. */
export const gapSchema = z.object({ path: z.string(), why: z.enum(gapReasons) });

export const restorePointSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  turnId: z.string(),
  /** `null` if the call was not part of a task. */
  taskId: z.number().int().nullable(),
  /** `undo` for a revert. */
  tool: z.string(),
  /** In the past tense: "wrote hello.md". */
  title: hostTextSchema,
  /** ms since the epoch. */
  at: z.number(),
  /** `null` while the call runs. */
  endedAt: z.number().nullable(),
  /** The revert in force, or `null`. */
  undoneBy: z.string().nullable(),
  files: z.array(changedFileSchema),
  fileCount: z.number().int(),
  gaps: z.array(gapSchema),
});
export type RestorePointView = z.infer<typeof restorePointSchema>;

/**
 * `ready`: as the agent left it. `changed`: changed since. `restored`: already as before the change.
 * `uncovered`: its content was not kept.
 */
const undoFileStateSchema = z.enum(['ready', 'changed', 'restored', 'uncovered']);

export const undoFileSchema = changedFileSchema.extend({
  state: undoFileStateSchema,
  /** Unified diff of the agent's change; empty for content that is not text. */
  diff: z.string(),
  /** Unified diff from the agent's change to the file now; empty unless `changed`. */
  since: z.string(),
  /** A diff is cut. */
  cut: z.boolean(),
});
export type UndoFileView = z.infer<typeof undoFileSchema>;

const target = {
  /** Id or unique prefix. */
  point: z.string().min(1).max(100),
  /** `turn`: all changes of the point's turn that are in force. */
  whole: z.enum(['call', 'turn']).default('call'),
};

export const undoMethods = {
  /** Newest first; `next` is the `before` of the next page. */
  'undo.list': row(
    () =>
      z.strictObject({
        agent: z.string().min(1).max(200).optional(),
        turn: z.string().min(1).max(200).optional(),
        task: z.number().int().min(1).optional(),
        points: z.array(z.string().min(1).max(100)).max(100).optional(),
        before: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () => z.object({ points: z.array(restorePointSchema), next: z.string().nullable() }),
  ),
  /** Plan of a revert with the files as they are now. `digest` binds `undo.apply` to what was shown. */
  'undo.show': row(
    () => z.strictObject(target),
    () =>
      z.object({
        point: restorePointSchema,
        /** Calls that the revert covers. */
        calls: z.number().int(),
        files: z.array(undoFileSchema),
        gaps: z.array(gapSchema),
        digest: z.string(),
      }),
  ),
  /** `conflict` if the files are not as shown any more. The revert is a restore point, too. */
  'undo.apply': row(
    () =>
      z.strictObject({
        ...target,
        digest: z.string().min(1).max(200),
        /** For files that changed since: keep them, or restore the content before the agent's change. */
        changed: z.enum(['keep', 'restore']).default('keep'),
      }),
    () => z.object({ point: z.string(), restored: z.array(z.string()), kept: z.array(z.string()) }),
  ),
} as const;

/** Topic `undo`: incremented whenever a restore point was made or reverted. */
export interface UndoView {
  readonly revision: number;
}
