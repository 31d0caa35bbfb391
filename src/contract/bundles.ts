/** Export and import of agents: contents of an export, and the review before an import. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';

export const exportKindSchema = z.enum(['bundle', 'zip', 'folder']);
export type ExportKind = z.infer<typeof exportKindSchema>;

export const exportedSchema = z.object({
  path: z.string(),
  kind: exportKindSchema,
  files: z.number().int(),
  bytes: z.number().int(),
  /** Files left out: links, and files that may contain secrets. */
  left: z.array(z.string()),
});

export const incomingAgentSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  role: z.string(),
  soul: z.string(),
  runtime: z.object({ kind: z.string(), provider: z.string(), model: z.string(), baseUrl: z.string() }),
  tools: z.array(z.string()),
  triggers: z.array(z.string()),
  /** Its own permissions, in sentences; imported only if trusted. */
  permissions: z.array(z.string()),
  files: z.number().int(),
  bytes: z.number(),
  notes: z.number().int(),
  /** Links and special files, which are not imported. */
  left: z.array(z.string()),
  /** `null` if it has no usable keys; `identityNote` has the reason. */
  identity: z
    .object({
      slug: z.string(),
      serverUrl: z.string(),
      vouchedBy: z.enum(['you', 'other', 'nobody']),
    })
    .nullable(),
  identityNote: hostTextSchema,
  apiKey: z.boolean(),
  /** Why it cannot be imported as it is; empty if it can. */
  problem: hostTextSchema,
});
export type IncomingAgent = z.infer<typeof incomingAgentSchema>;

export const importReviewSchema = z.object({
  kind: z.enum(['bundle', 'zip', 'folder', 'home', 'keys']),
  /** Of the reviewed source: the import is rejected if it has changed since. */
  digest: z.string(),
  agents: z.array(incomingAgentSchema),
  /** Identities of a key store, and the planned use of each. */
  identities: z.array(
    z.object({ slug: z.string(), type: z.string(), serverUrl: z.string(), use: hostTextSchema }),
  ),
  /** Providers whose keys are imported with a complete home. */
  providerKeys: z.array(z.string()),
});
export type ImportReview = z.infer<typeof importReviewSchema>;

export const importedSchema = z.object({
  agents: z.array(
    z.object({
      from: z.string(),
      id: z.string(),
      imported: z.boolean(),
      registered: z.boolean(),
      note: hostTextSchema,
    }),
  ),
  notes: z.array(hostTextSchema),
});
export type Imported = z.infer<typeof importedSchema>;

/** Choices for importing a reviewed archive; `digest` comes from the review. */
export const importChoices = z.strictObject({
  digest: z.string().min(1).max(200),
  /** Ids to import from a bundle of several agents. */
  only: z.array(z.string().max(200)).max(10_000).optional(),
  /** Another id for a single agent. */
  as: z.string().max(200).optional(),
  /** Also imports permissions, folders and model address. */
  trust: z.boolean().default(false),
  /** `new` leaves its keys out. */
  identity: z.enum(['keep', 'new']).default('keep'),
});
