/** Rows of the method table behind an agent's own page: its soul over time, its files, what its provider offers. */
import { z } from 'zod';
import { agentRef, row } from './method-row.ts';

export const soulVersionSchema = z.object({
  version: z.number().int(),
  /** ms; of a change made with an editor, when it was noticed on the disk. */
  at: z.number(),
  characters: z.number().int(),
  /** The one in force. */
  current: z.boolean(),
});
export type SoulVersion = z.infer<typeof soulVersionSchema>;

/** Below the workspace, with `/`; empty is the workspace itself. */
const workspacePath = z.string().max(4_096);

export const workspaceEntrySchema = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().int(),
  modifiedAt: z.number(),
});
export type WorkspaceEntry = z.infer<typeof workspaceEntrySchema>;

export const modelNameSchema = z.object({
  id: z.string(),
  /** As the provider calls it for people; empty where it has no other name. */
  name: z.string(),
});
export type ModelName = z.infer<typeof modelNameSchema>;

export const agentDetailMethods = {
  /** Newest first, at most 50; what was written with an editor since is noticed now. */
  'agents.soulHistory': row(
    () => agentRef,
    () => z.object({ versions: z.array(soulVersionSchema) }),
  ),
  'agents.soulVersion': row(
    () => agentRef.extend({ version: z.number().int().min(1) }),
    () => z.object({ soul: z.string() }),
  ),
  /** What is saved here and its server has not been told. `since` is null when nothing is left to tell. */
  'agents.unsynced': row(
    () => agentRef,
    () =>
      z.object({
        fields: z.array(z.enum(['displayName', 'role', 'roleShort', 'picture'])),
        since: z.number().nullable(),
      }),
  ),
  /** Sorted by name: folders first. `more`: there are others that are not listed. */
  'agents.files': row(
    () => agentRef.extend({ path: workspacePath.default('') }),
    () => z.object({ entries: z.array(workspaceEntrySchema), more: z.boolean() }),
  ),
  /** A piece of a file in the workspace. `forbidden` for whatever leads out of it. */
  'agents.file': row(
    () => agentRef.extend({ path: workspacePath.min(1), offset: z.number().int().min(0).default(0) }),
    () => z.object({ size: z.number().int(), base64: z.string(), done: z.boolean() }),
  ),
  /**
   * What the provider says it has; remembered for ten minutes. A stored key goes to addresses that were saved or are the
   * provider's own, never to another `baseUrl`. `unsupported` where there is no list.
   */
  'models.list': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        provider: z.string().min(1).max(60),
        /** Absent: the saved one. Empty: the provider's own. */
        baseUrl: z.string().max(500).optional(),
        /** Typed and not stored yet; used for this question only. */
        apiKey: z.string().min(1).max(4_000).optional(),
        fresh: z.boolean().default(false),
      }),
    () => z.object({ models: z.array(modelNameSchema), at: z.number() }),
  ),
} as const;
