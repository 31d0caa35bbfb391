/** Methods behind an agent's own page: history of its soul, workspace files, models of its provider. */
import { z } from 'zod';
import { agentRef, row } from './method-row.ts';

export const soulVersionSchema = z.object({
  version: z.number().int(),
  /** ms; for a change made in an editor, the time when it was noticed. */
  at: z.number(),
  characters: z.number().int(),
  current: z.boolean(),
});
export type SoulVersion = z.infer<typeof soulVersionSchema>;

/** Relative to the workspace, with `/`; empty for the workspace itself. */
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
  /** Display name at the provider, or empty. */
  name: z.string(),
});
export type ListedModelName = z.infer<typeof modelNameSchema>;

export const agentDetailMethods = {
  /** Newest first, at most 50; also notices changes made in an editor. */
  'agents.soulHistory': row(
    () => agentRef,
    () => z.object({ versions: z.array(soulVersionSchema) }),
  ),
  'agents.soulVersion': row(
    () => agentRef.extend({ version: z.number().int().min(1) }),
    () => z.object({ soul: z.string() }),
  ),
  /** Profile fields saved here that the server does not have yet. `since` is `null` if none exist. */
  'agents.unsynced': row(
    () => agentRef,
    () =>
      z.object({
        fields: z.array(z.enum(['displayName', 'role', 'roleShort', 'picture'])),
        since: z.number().nullable(),
      }),
  ),
  /** Sorted by name, folders first. `more` is true if the list was cut. */
  'agents.files': row(
    () => agentRef.extend({ path: workspacePath.default('') }),
    () => z.object({ entries: z.array(workspaceEntrySchema), more: z.boolean() }),
  ),
  /** A piece of a file in the workspace. `forbidden` for a path outside of it. */
  'agents.file': row(
    () => agentRef.extend({ path: workspacePath.min(1), offset: z.number().int().min(0).default(0) }),
    () => z.object({ size: z.number().int(), base64: z.string(), done: z.boolean() }),
  ),
  /**
   * The provider's model list, cached for ten minutes. A stored key is sent only to saved addresses and the
   * provider's own, never to another `baseUrl`. `unsupported` if the provider has no list.
   */
  'models.list': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        provider: z.string().min(1).max(60),
        /** The saved address if absent. Empty means what it means to a save: the address of all agents, or without `agent` the provider's own. */
        baseUrl: z.string().max(500).optional(),
        /** A key that is not stored yet; used for this call only. */
        apiKey: z.string().min(1).max(4_000).optional(),
        fresh: z.boolean().default(false),
      }),
    () => z.object({ models: z.array(modelNameSchema), at: z.number() }),
  ),
  /**
   * Sends one real request for the shortest possible answer to the model of an unsaved form; empty fields have
   * the meaning that they would have once saved. An empty provider tests the model of agents without one of their own.
   */
  'models.test': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        provider: z.string().max(60),
        model: z.string().max(200).default(''),
        baseUrl: z.string().max(500).optional(),
        apiKey: z.string().min(1).max(4_000).optional(),
      }),
    () => z.object({ provider: z.string(), model: z.string(), ms: z.number(), scripted: z.boolean() }),
  ),
} as const;
